import RulesHost
import RulesLang
import RulesReport
import RulesSolver

/// What `audit` is asked.
struct AuditOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, markdown, json, html }

  static let date = Option(
    name: "--date", value: "DATE", summary: "the date on the report (today by default)")
  static let limits = LimitOptions(
    "the time for one answer", seconds: 20, total: ("the time for all answers", 300),
    questions: Budget.questionsOfMany)

  static let table: [any OptionRow] = [date] + limits.rows + [CommonOptions.profile]

  /// The rules file of the command line; none for those of the project.
  let operands: [String]
  /// The date on the report; nil for today.
  let date: String?
  /// What the answers may cost.
  let limits: QuestionLimits
  /// Whose behaviour is followed.
  let profile: Profile
  /// Where the reports go.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    operands = invocation.operands
    date = try invocation[Self.date]
    limits = try QuestionLimits(Self.limits, of: invocation)
    profile = try Configuration.profile(invocation)
    reporting = try Reporting(invocation)
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    try AuditCommand.emit(
      AuditReports([], refusals: [Annotation](refusal)), to: reporting)
  }
}
