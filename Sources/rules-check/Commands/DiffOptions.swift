import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesSolver

/// The command line of `diff`.
struct DiffOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json, markdown, github, sarif }

  static let base = Option(
    name: "--base", value: "REV",
    summary: "compare with the version of a git revision instead of OLD"
  ).reachingOut
  static let failOn = Option<DiffReport.Failure>(
    name: "--fail-on", value: "WHAT",
    summary: "which differences make the exit code 1: loosened (default), any or none")
  static let limits = LimitOptions(
    "the time for one pair of files", seconds: 120, questions: Budget.questionsInAll)
  static let allowEmpty = CommonOptions.allowEmpty("rules file")

  static let table: [any OptionRow] =
    [base, failOn] + limits.rows + [
      CommonOptions.database, CommonOptions.profile, DefectFolder.option, allowEmpty,
    ]

  /// The files to compare.
  let paths: [String]
  /// The git revision of the old files; nil if they are operands.
  let base: String?
  /// The differences that count as failures.
  let failOn: DiffReport.Failure
  /// The limits of the comparison of one pair.
  let limits: QuestionLimits
  /// The databases that the rules are deployed to.
  let databases: Databases
  /// The profile.
  let profile: Profile
  /// The folder for defect reports.
  let defectFolder: String?
  /// True if it is not an error that nothing was compared.
  let allowsEmpty: Bool
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    paths = invocation.operands
    limits = try QuestionLimits(Self.limits, of: invocation)
    base = try invocation[Self.base]
    failOn = try invocation[Self.failOn] ?? .loosened
    databases = try Databases(invocation)
    profile = try Configuration.profile(invocation)
    defectFolder = try invocation[DefectFolder.option]
    allowsEmpty = invocation.has(Self.allowEmpty)
    reporting = try Reporting(invocation)
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    var report = DiffReport(pairs: [], failOn: .loosened)
    report.refusals = [Annotation](refusal)
    try DiffCommand.emit(report, to: reporting)
  }
}
