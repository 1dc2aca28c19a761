import RulesHost
import RulesReport

/// What `fmt` is asked.
struct FormatOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json, github, codequality }

  /// Whether nothing is written.
  static let check = Flag(
    name: "--check", summary: "write nothing, show what would change, and exit 1 if anything would")

  /// The options of the command.
  static let table: [any OptionRow] = [check]

  /// The files and folders to lay out; none for those of the project.
  let paths: [String]
  /// Whether files are left as they are.
  let isCheck: Bool
  /// Where the reports go.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    isCheck = invocation.has(Self.check)
    let operands = invocation.operands
    if operands.contains("-"), operands.count > 1 {
      throw UsageProblem("`-` is standard input and goes with no other file")
    }
    paths = operands
    reporting = try Reporting(invocation)
  }

  /// Writes the reports that say why a command line is not understood.
  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    var report = FormatReport(isCheck: true)
    report.refusals = [Annotation](refusal)
    try FormatCommand.print(report, to: reporting)
  }
}
