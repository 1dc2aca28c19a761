import RulesHost
import RulesReport

/// The command line of `fmt`.
struct FormatOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json, github, codequality }

  /// `--check`.
  static let check = Flag(
    name: "--check", summary: "write nothing, show what would change, and exit 1 if anything would")

  /// The options of the command.
  static let table: [any OptionRow] = [check]

  /// The files and folders to format; empty for those of the project.
  let paths: [String]
  /// True to check files without writing them.
  let isCheck: Bool
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    isCheck = invocation.has(Self.check)
    let operands = invocation.operands
    if operands.contains("-"), operands.count > 1 {
      throw UsageProblem("`-` is standard input and cannot be combined with other files")
    }
    paths = operands
    reporting = try Reporting(invocation)
  }

  /// Writes reports with the error of a command line.
  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    var report = FormatReport(isCheck: true)
    report.refusals = [Annotation](refusal)
    try FormatCommand.print(report, to: reporting)
  }
}
