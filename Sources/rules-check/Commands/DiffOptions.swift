import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesSolver

/// What `diff` is asked.
struct DiffOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json, markdown, github, sarif }

  static let base = Option(
    name: "--base", value: "REV",
    summary: "compare with the version of a git revision instead of OLD")
  static let failOn = Option<DiffReport.Failure>(
    name: "--fail-on", value: "WHAT",
    summary: "which differences make the exit code 1: loosened (default), any or none")
  static let limits = LimitOptions(
    "the time for all of one pair", seconds: 120, questions: Budget.questionsInAll)
  static let allowEmpty = CommonOptions.allowEmpty("rules file")

  static let table: [any OptionRow] =
    [base, failOn] + limits.rows + [
      CommonOptions.database, CommonOptions.profile, DefectFolder.option, allowEmpty,
    ]

  /// The files to compare.
  let paths: [String]
  /// The git revision that has the old ones; nil if they are files.
  let base: String?
  /// Which differences are a failure.
  let failOn: DiffReport.Failure
  /// What the comparison of one pair may cost.
  let limits: QuestionLimits
  /// The databases that the rules are deployed to.
  let databases: Databases
  /// Whose behaviour is followed.
  let profile: Profile
  /// The folder for what is to be reported of defects.
  let defectFolder: String?
  /// Whether having compared nothing is no problem.
  let allowsEmpty: Bool
  /// Where the reports go.
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
