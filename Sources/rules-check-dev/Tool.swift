import RulesHost
import RulesReport

extension Tool {
  /// The program for developers of rules-check, which users never build.
  static let development = Tool(
    name: Product.name + "-dev", version: Product.version,
    summary: "campaigns and measurements for those who work on \(Product.name)",
    commands: [DifferentialCommand.command, BenchCommand.command, FuzzCommand.command])
}
