import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// The command line of `test`.
struct TestOptions: CommandOptions {
  /// The formats of the report.
  enum Format: String, ReportFormat {
    case pretty, json, junit, tap, github, sarif, codequality, lcov, html
    case ruleCoverage = "rule-coverage"
    case projectsTest = "projects-test"

    /// True if the format contains errors of suites that could not be run. For people they are printed
    /// elsewhere, and the body of Google's call has only tests.
    var tellsRefusals: Bool { self != .pretty && self != .projectsTest }

    /// True if the report contains only coverage.
    var isOfCoverage: Bool {
      switch self {
      case .lcov, .html, .ruleCoverage: true
      case .pretty, .json, .junit, .tap, .github, .sarif, .codequality, .projectsTest: false
      }
    }

    /// True if the format needs complete results, as those with explanations do.
    var needsResults: Bool {
      switch self {
      case .pretty, .github, .sarif, .codequality: true
      case .json, .junit, .tap, .lcov, .html, .ruleCoverage, .projectsTest: false
      }
    }

    /// The format of entries, if each test has an entry of its own in it.
    var ofEntries: TestReport.Format? { TestReport.Format(rawValue: rawValue) }
  }

  static let rules = Option(
    name: "--rules", value: "FILE", summary: "the rules to use instead of the suite's own")
  static let filter = Option(
    name: "--filter", value: "TEXT",
    summary: "only tests and claims whose name contains the text")
  static let jobs = Option<Int>(
    name: "--jobs", short: "-j", value: "N", in: 1...1024,
    summary: "number of threads (default: chosen automatically)",
    refusal: { UsageProblem("`\($1)` needs a number of threads, not `\($0)`") })
  static let trace = Option<LoadedSuite.Traced>(
    name: "--trace", value: "WHICH",
    summary: "which tests to explain: failed (the default), all or none")
  static let explain = Flag(
    name: "--explain", summary: "explain every statement tried, and the functions that it calls")
  static let emulator = EmulatorAddress.option(
    "replay the requests on a running official emulator and compare"
  ).reachingOut
  static let coverage = Flag(
    name: "--coverage",
    summary: "report which statements and expressions the tests cover, by outcome")
  static let minimumCoverage = Option.percentage(
    name: "--min-coverage", summary: "fail if less than this is covered")
  static let cost = Flag(
    name: "--cost",
    summary: "report what requests cost, and what any request can cost")
  /// `--max-cost PERCENT`.
  static let maximumCost = Option.percentage(
    name: "--max-cost", summary: "fail if a request uses, or can use, more of a limit")
  static let limits = LimitOptions("the time for one claim", seconds: 10)
  static let allowEmpty = CommonOptions.allowEmpty("test")
  static let watch = Flag(
    name: "--watch", short: "-w", summary: "run again whenever a file changes"
  ).reachingOut

  static let table: [any OptionRow] =
    [
      rules, CommonOptions.database, filter, jobs, CommonOptions.profile, trace, explain, emulator,
      coverage,
      minimumCoverage, cost, maximumCost,
    ] + limits.rows + [allowEmpty, watch]

  /// The suites and folders; empty for those of the project.
  let paths: [String]
  /// The project's configuration.
  let configuration: Configuration
  /// The settings of running suites.
  let suites: SuiteOptions
  /// True to explain every statement that was tried.
  let explainsAll: Bool
  /// True to report coverage.
  let showsCoverage: Bool
  /// True to report the cost of requests.
  let showsCost: Bool
  /// The maximum share of a limit, in percent; nil if there is none.
  let greatestCost: Double?
  /// True if it is not an error that nothing was run.
  let allowsEmpty: Bool
  /// True to run the suites again whenever a file changes.
  let isWatching: Bool
  /// The destinations of the reports.
  let reporting: Reporting<Format>

  /// Parses a command line; the project's configuration gives the options that it omits.
  init(_ invocation: Invocation) throws(UsageProblem) {
    configuration = try Configuration.find()
    let reporting = try Reporting<Format>(invocation)
    var suites = SuiteOptions()
    suites.emulator = try invocation[Self.emulator]
    suites.jobs = try invocation[Self.jobs]
    suites.filter = try invocation[Self.filter]
    let required = try invocation[Self.minimumCoverage] ?? configuration.minimumCoverage
    showsCoverage = invocation.has(Self.coverage)
    if required != nil || showsCoverage || reporting.isAsked(for: { $0.isOfCoverage }) {
      suites.coverage = CoverageReport(required: required)
    }
    showsCost = invocation.has(Self.cost)
    greatestCost = try invocation[Self.maximumCost]
    suites.measuresCost = showsCost || greatestCost != nil
    suites.writesCases = reporting.isAsked { $0 == .projectsTest }
    suites.limits = try QuestionLimits(Self.limits, of: invocation)
    suites.profile = try invocation[CommonOptions.profile] ?? configuration.profile ?? .emulator
    suites.databases = Databases(
      named: try invocation[CommonOptions.database], configured: configuration.database)
    suites.rulesPath = try invocation[Self.rules]
    suites.traced = try invocation[Self.trace] ?? .failed
    suites.spooledFormats = TestReport.Format.allCases.filter { format in
      reporting.isAsked { $0.ofEntries == format }
    }
    suites.needsResults = reporting.isAsked { $0.needsResults }
    suites.showsExpected = reporting.isAsked { $0 != .pretty }
    suites.showsProgress = !reporting.isQuiet
    self.suites = suites
    self.reporting = reporting
    paths = invocation.operands
    explainsAll = invocation.has(Self.explain)
    allowsEmpty = invocation.has(Self.allowEmpty)
    isWatching = invocation.has(Self.watch)
  }

  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<Format>
  ) throws(UsageProblem) {
    try TestCommand.report(refusal, to: reporting)
  }
}
