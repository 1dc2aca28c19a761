import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// `rules-check test`: runs suites.
enum TestCommand {
  static let command = Command(
    name: "test", operands: "[PATH…]", operandCount: 0...Int.max,
    summary: "run suites: scripted requests and what they must give",
    details: """
      Runs the suites at the paths; a folder is searched for *.suite.json. Without a path: those of
      the nearest .rulescheck.json, else ./rules.
      Also reads the body of Google's projects.test call. Exits 1 if a test fails, 2 if a suite or
      its rules cannot be used or if there is no test to run.
      """,
    options: [
      Option(
        name: "--rules", value: "FILE", summary: "the rules to use instead of the suite's own"),
      Option(
        name: "--filter", value: "TEXT",
        summary: "only tests and claims whose name contains the text"),
      Option(
        name: "--jobs", short: "-j", value: "N",
        summary: "how many threads run tests; by default as many as pay"),
      Option(
        name: "--profile", value: "PROFILE", choices: Profile.allCases.map(\.rawValue),
        summary: "whose behaviour to follow: emulator, testapi or strict"),
      Option(
        name: "--trace", value: "WHICH", choices: ["failed", "all", "none"],
        summary: "which tests to explain: failed (the default), all or none"),
      Option(
        name: "--explain", value: nil,
        summary: "explain every statement tried, and the functions that it calls"),
      Option(
        name: "--emulator", value: "HOST:PORT",
        summary: "replay the requests on a running official emulator and compare"),
      Option(
        name: "--coverage", value: nil,
        summary: "say which statements and expressions the tests cover, by outcome"),
      Option(
        name: "--min-coverage", value: "PERCENT", summary: "fail if less than this is covered"),
      Option(
        name: "--timeout", value: "SECONDS", summary: "the time for one claim (10 s by default)"),
      QuestionLimits.stepsOption(),
      Option(name: "--allow-empty", value: nil, summary: "no test at all is no problem"),
      Option(
        name: "--watch", short: "-w", value: nil, summary: "run again whenever a file changes"),
    ],
    formats: ["pretty", "json", "junit", "tap", "github", "sarif"] + SuiteRunner.coverageFormats,
    run: { invocation throws(UsageProblem) in try run(invocation) })

  private static func run(_ invocation: Invocation) throws(UsageProblem) -> ExitStatus {
    let configuration = try Configuration.find()
    let invocation = configuration.applied(to: invocation)
    let operands = invocation.operands.isEmpty ? configuration.suites : invocation.operands
    var rules: RulesFiles?
    guard invocation.has("--watch") else { return try run(operands, invocation, &rules) }
    try Watch.run(watching: operands.isEmpty ? ["rules"] : operands) { () throws(UsageProblem) in
      _ = try run(operands, invocation, &rules)
      return (rules?.paths ?? []) + (try suitePaths(operands))
    }
  }

  /// Runs the suites once. `rules` are those of the run before, and then those of this run.
  private static func run(
    _ operands: [String], _ invocation: Invocation, _ rules: inout RulesFiles?
  ) throws(UsageProblem) -> ExitStatus {
    let started = Clock.nanoseconds
    var runner = try SuiteRunner(invocation, rules)
    runner.run(try suitePaths(operands))
    rules = runner.rules
    for outcome in runner.rules.stale {
      let source = outcome.ruleset.source
      Complaints(invocation.terminal).print(outcome.diagnostics, in: source)
      Watch.say("\(source.name) does not compile; this is what its last good version does")
    }
    let report = TestReport(
      suites: runner.reports, nanoseconds: Clock.nanoseconds - started,
      coverage: runner.coverage)
    if runner.reports.isEmpty, runner.status == .unusable { return .unusable }
    try invocation.emit { write(report, $0, invocation, to: &$1) }
    if let problem = runner.problem { throw UsageProblem(problem) }
    try StepSummary.write(as: invocation) { annotations(report) }
    if report.testCount == 0, report.claims.isEmpty, !invocation.has("--allow-empty"),
      runner.status == .success
    {
      throw UsageProblem(
        invocation["--filter"].map { "no test has a name with \"\($0)\"" }
          ?? "there is no test to run",
        help: "--allow-empty if that is meant")
    }
    DefectFolder.tell(missed: report.claims.count { $0.isMissed })
    let status = runner.status.and(ExitStatus(report.conclusion))
    guard !invocation.has("--watch") else { return status }
    // Taking apart what a run has built takes longer than writing down what came of it.
    withExtendedLifetime((runner, report)) { status.leave() }
  }

  private static func write(
    _ report: TestReport, _ format: String, _ invocation: Invocation, to writer: inout ReportWriter
  ) {
    switch TestReport.Format(rawValue: format) {
    case .json: TestJSON(report).write(to: &writer)
    case .junit: JUnitReport(report).write(to: &writer)
    case .tap: TAPReport(report).write(to: &writer)
    case nil: writer.write(text(report, format, invocation))
    }
  }

  private static func text(
    _ report: TestReport, _ format: String, _ invocation: Invocation
  ) -> String {
    let coverage = report.coverage ?? CoverageReport()
    return switch format {
    case "github": GitHubReport(annotations(report)).text
    case "sarif":
      SARIFReport(
        TestAnnotations(report).problems + TestAnnotations(report).gaps,
        rules: TestAnnotations.kinds
      ).text
    case "lcov": LCOVReport(coverage).text
    case "html": CoveragePage(coverage).text
    case "rule-coverage": RuleCoverageReport(coverage).text
    default: TestText(style(invocation)).render(report)
    }
  }

  private static func style(_ invocation: Invocation) -> TestText.Style {
    TestText.Style(
      invocation.palette, isQuiet: invocation.isQuiet,
      showsAll: invocation["--trace"] == "all", explainsAll: invocation.has("--explain"),
      showsCoverage: invocation.has("--coverage"))
  }

  /// What is wrong on the suites' lines, then where that came from on the rules' lines.
  private static func annotations(_ report: TestReport) -> [Annotation] {
    let remarks = TestAnnotations(report)
    return remarks.problems + remarks.decidingLines + remarks.gaps
  }

  /// The suite files that the operands name.
  private static func suitePaths(_ operands: [String]) throws(UsageProblem) -> [String] {
    var paths: [String] = []
    for operand in operands.isEmpty ? ["rules"] : operands {
      switch FileSystem.kind(of: operand) {
      case .file: paths.append(operand)
      case .missing:
        throw UsageProblem(
          "\(operand): no such file or folder",
          help: operands.isEmpty ? "name the suites to run: rules-check test PATH" : nil)
      case .folder:
        do throws(FileProblem) {
          paths += try FileSystem.files(below: operand, suffix: ".suite.json")
        } catch {
          throw UsageProblem(error)
        }
      }
    }
    return paths
  }
}
