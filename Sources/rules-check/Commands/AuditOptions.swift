import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesSolver
import RulesStyle

/// The command line of `audit`.
struct AuditOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, markdown, json, html }

  static let date = Option(
    name: "--date", value: "DATE", summary: "the date on the report (today by default)")
  static let limits = LimitOptions(
    "the time for one answer", seconds: 20, total: ("the time for all answers", 300),
    questions: Budget.questionsInAll)

  /// `--fail-on WEIGHT`.
  static let failOn = Option<AuditReport.Failure>(
    name: "--fail-on", value: "WEIGHT",
    summary: "which findings make the exit code 1: alarm (default), caution or none")

  /// `--field NAME`.
  static let field = Option(
    name: "--field", value: "NAME", summary: "only who can read and write this field, on every path"
  )

  static let table: [any OptionRow] =
    [field, date, failOn, CheckOptions.noIgnore] + limits.rows + [
      CommonOptions.database, CommonOptions.profile,
    ]

  /// The rules files of the command line; empty for those of the project.
  let operands: [String]
  /// The date of the report; nil for today.
  let date: String?
  /// The beginning of the report's day; nil if the report has today's date, or none.
  var time: Timestamp? {
    date.flatMap { Timestamp(rfc3339: Text($0 + "T00:00:00Z")) }
  }
  /// The only field to examine; nil for all.
  let field: String?
  /// The kinds of findings that count as failures.
  let failOn: AuditReport.Failure
  /// True to apply `ignore` comments, and levels that make findings quieter.
  let heedsComments: Bool
  /// The project's levels of lints.
  var levels: [Code: LintLevel] {
    let configuration = try? Configuration.find(isRemarking: false, isComplaining: false)
    let levels = configuration?.levels ?? [:]
    return heedsComments ? levels : levels.notLowered
  }
  /// The limits of questions to the prover.
  let limits: QuestionLimits
  /// The databases that the rules are deployed to.
  let databases: Databases
  /// The profile.
  let profile: Profile
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    operands = invocation.operands
    date = try invocation[Self.date]
    failOn = try invocation[Self.failOn] ?? .alarm
    field = try invocation[Self.field]
    heedsComments = !invocation.has(CheckOptions.noIgnore)
    limits = try QuestionLimits(Self.limits, of: invocation)
    databases = try Databases(invocation)
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
