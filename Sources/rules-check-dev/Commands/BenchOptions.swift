import RulesHost
import RulesLang

/// The command line of `bench`.
struct BenchOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json }

  static let runs = count(name: "--runs", summary: "how many runs the median is of; 9")
  static let milliseconds = count(name: "--milliseconds", summary: "how long a run takes; 20")
  static let filter = Option(
    name: "--filter", value: "TEXT", summary: "only tests whose name contains the text")

  static let table: [any OptionRow] = [runs, milliseconds, filter, CommonOptions.profile]

  /// The suites.
  let paths: [String]
  /// The number and length of measurements.
  let effort: Measurement.Effort
  /// The text that names of measured tests contain; nil for all.
  let filter: String?
  /// The profile.
  let profile: Profile
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    paths = invocation.operands
    effort = Measurement.Effort(
      runs: try invocation[Self.runs] ?? 9, milliseconds: try invocation[Self.milliseconds] ?? 20)
    filter = try invocation[Self.filter]
    profile = try invocation[CommonOptions.profile] ?? .emulator
    reporting = try Reporting(invocation)
  }

  private static func count(name: String, summary: String) -> Option<Int> {
    Option(
      name: name, value: "COUNT", in: 1...10_000, summary: summary,
      refusal: { UsageProblem("`\($1)` is a number from 1 to 10000, not `\($0)`") })
  }
}
