import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesSolver

/// The command line of `exec`.
struct ExecOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat {
    case pretty, json, lcov, html

    /// True if the report contains only coverage.
    var isOfCoverage: Bool {
      switch self {
      case .lcov, .html: true
      case .pretty, .json: false
      }
    }
  }

  static let coverage = Flag(
    name: "--coverage", summary: "report which statements and expressions the requests cover")
  static let minimumCoverage = Option.percentage(
    name: "--min-coverage", summary: "fail if less than this is covered")
  static let cost = Flag(
    name: "--cost", summary: "report what requests cost: expressions, lookups and billed reads")
  static let maximumCost = Option.percentage(
    name: "--max-cost", summary: "fail if a request uses, or can use, more of a limit")
  static let explain = Flag(
    name: "--explain", summary: "explain each denial that the command met")
  static let mutate = Flag(
    name: "--mutate", summary: "report which changes of the rules the requests would not notice")
  static let breaking = Option.percentage(
    name: "--break", summary: "fail if the score of --mutate is below this")
  static let log = Option(
    name: "--log", value: "FILE", summary: "write the requests, one per line, for `replay`")
  static let limits = LimitOptions(
    "the time to prove that a change does nothing", seconds: 20,
    total: ("the time for all changes of one rules file", 600), questions: Budget.questionsInAll)

  /// The options of the command.
  static let table: [any OptionRow] =
    [
      EmulatorOptions.port, EmulatorOptions.rules, EmulatorOptions.imported,
      EmulatorOptions.exported,
      EmulatorOptions.project, coverage, minimumCoverage, cost, maximumCost, explain, mutate,
      breaking, EmulatorOptions.record, log,
    ] + limits.rows

  /// The command and its arguments.
  let command: [String]
  /// The emulator's port, host and rules.
  let emulator: EmulatorOptions
  /// The project in the command's environment.
  let project: String
  /// The empty coverage report to add to; nil if coverage is not measured.
  let coverage: CoverageReport?
  /// True to report coverage.
  let showsCoverage: Bool
  /// True to report the cost of requests.
  let showsCost: Bool
  /// The maximum share of a limit, in percent; nil if there is none.
  let greatestCost: Double?
  /// True to explain denials.
  let explains: Bool
  /// The thresholds of the mutation score; nil without mutation testing.
  let thresholds: MutationReport.Thresholds?
  /// The limits of proofs about mutants.
  let limits: QuestionLimits
  /// The suite to which requests are added.
  let recordPath: String?
  /// The log to which requests are written.
  let logPath: String?
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// True if only the command's own run is wanted.
  var isBare: Bool {
    coverage == nil && !measuresCost && !explains && thresholds == nil && !records
  }

  /// True if the cost of requests is measured.
  var measuresCost: Bool { showsCost || greatestCost != nil }

  /// True if requests are recorded.
  var records: Bool { recordPath != nil || logPath != nil }

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    command = invocation.operands
    emulator = try EmulatorOptions(invocation, host: EmulatorOptions.loopback)
    project = try EmulatorOptions.project(invocation)
    reporting = try Reporting(invocation)
    let required = try invocation[Self.minimumCoverage]
    showsCoverage = invocation.has(Self.coverage)
    coverage =
      required != nil || showsCoverage || reporting.isAsked(for: { $0.isOfCoverage })
      ? CoverageReport(required: required) : nil
    showsCost = invocation.has(Self.cost)
    greatestCost = try invocation[Self.maximumCost]
    explains = invocation.has(Self.explain)
    let breaking = try invocation[Self.breaking]
    thresholds =
      invocation.has(Self.mutate) || breaking != nil
      ? MutationReport.Thresholds(high: 80, low: 60, breaking: breaking ?? 0) : nil
    limits = try QuestionLimits(Self.limits, of: invocation)
    recordPath = try EmulatorOptions.recordPath(invocation, EmulatorOptions.record)
    logPath = try invocation[Self.log]
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    try reporting.refuse([Annotation](refusal), as: "exec")
  }
}
