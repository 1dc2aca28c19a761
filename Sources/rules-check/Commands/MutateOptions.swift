import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesSolver

/// The command line of `mutate`.
struct MutateOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat { case pretty, json, stryker }

  static let breaking = Option.percentage(
    name: "--break", summary: "the score below which the exit code is 1 (0 by default)")
  static let low = Option.percentage(
    name: "--low", summary: "scores below it are bad (60 by default)")
  static let high = Option.percentage(
    name: "--high", summary: "scores of at least it are good (80 by default)")
  static let write = Flag(
    name: "--write", summary: "add the tests that would notice to the suites that they fit best")
  static let limits = LimitOptions(
    "the time to prove that a change does nothing", seconds: 20,
    total: ("the time for all changes of one rules file", 600), questions: Budget.questionsInAll)

  static let table: [any OptionRow] =
    [breaking, low, high, write] + limits.rows + [CommonOptions.database, CommonOptions.profile]

  /// The suites, folders and rules files.
  let paths: [String]
  /// The thresholds of the score.
  let thresholds: MutationReport.Thresholds
  /// True to extend a suite with tests that detect the surviving mutants.
  let isWriting: Bool
  /// The limits of proofs about mutants.
  let limits: QuestionLimits
  /// The databases of the suites.
  let databases: Databases
  /// The profile.
  let profile: Profile
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    paths = invocation.operands
    thresholds = MutationReport.Thresholds(
      high: try invocation[Self.high] ?? 80, low: try invocation[Self.low] ?? 60,
      breaking: try invocation[Self.breaking] ?? 0)
    isWriting = invocation.has(Self.write)
    limits = try QuestionLimits(Self.limits, of: invocation)
    databases = try Databases(invocation)
    profile = try Configuration.profile(invocation)
    reporting = try Reporting(invocation)
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    try reporting.refuse([Annotation](refusal), as: "mutate")
  }
}
