import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// `rules-check test`: runs suites.
enum TestCommand {
  static let command = Command(
    name: "test", operands: "[PATH…]", operandCount: 0...Int.max,
    summary: "run suites: scripted requests and what they must give",
    details: """
      Runs the suites at the paths. In a folder it searches for *.suite.json. Without a path it runs
      the suites that the nearest .rulescheck.json names, those in ./rules, and those beside the
      project's rules. It also reads the body of Google's projects.test call.

      If firebase.json deploys rules that no suite tests, they count as 0 % in --coverage, and
      --min-coverage fails whatever the total. Exits 1 if a test fails. Exits 2 if a suite or its rules
      cannot be used, or if there is no test to run, in total or in a file or folder that you named.
      """,
    run: TestCommand.run)

  private static func run(_ options: TestOptions) throws(UsageProblem) -> ExitStatus {
    var rules: RulesFiles?
    guard options.isWatching else { return try run(options, &rules) }
    try Watch.run(watching: options.paths.isEmpty ? ["rules"] : options.paths) {
      () throws(UsageProblem) in
      _ = try run(options, &rules)
      return (rules?.paths ?? [])
        + (try SuiteSearch.search(options.paths, of: options.configuration)).files
    }
  }

  /// Runs the suites once. `rules` are those of the previous run, and afterwards those of this run.
  private static func run(
    _ options: TestOptions, _ rules: inout RulesFiles?
  ) throws(UsageProblem) -> ExitStatus {
    let started = Clock.nanoseconds
    var testRun = SuiteFileRun(options.suites, on: options.reporting.terminal, after: rules)
    let found = try suites(options)
    Complaints(options.reporting.terminal).printPassedOver(by: found)
    testRun.run(found)
    rules = testRun.rules
    for outcome in testRun.rules.stale {
      let source = outcome.ruleset.source
      Complaints(options.reporting.terminal).print(outcome.diagnostics, in: source)
      Watch.say("\(source.name) does not compile; this is what its last good version does")
    }
    var report = TestReport(
      suites: testRun.reports, nanoseconds: Clock.nanoseconds - started,
      coverage: testRun.coverage)
    var review = DeploymentReview(options)
    review.look(at: &report, found: found)
    for problem in review.refusals { testRun.refuse(problem) }
    report.refusals = testRun.refusals
    if options.suites.measuresCost {
      report.cost = CostReport(of: report.suites, greatest: options.greatestCost)
    }
    let emptiness = testRun.status == .success ? emptiness(of: report, options) : nil
    if let emptiness { report.refusals += [Annotation](emptiness) }
    let omits = try tell(ofOmissions: report, options)
    // The reason has been printed; programs read it in their report.
    let isRefused = testRun.reports.isEmpty && testRun.status == .unusable
    if isRefused, !options.reporting.isAsked(for: { $0 != .pretty }) { return .unusable }
    let named = report.naming(options.suites.repository.path)
    let style = style(options)
    let isTold = { (format: TestOptions.Format) in !isRefused || format.tellsRefusals }
    try options.reporting.emit(where: isTold) { format, writer in
      write(format == .pretty ? report : named, format, style, to: &writer)
    }
    if let problem = testRun.problem { throw UsageProblem(problem) }
    if options.reporting.isAsked(for: { $0 == .github }) {
      try StepSummary.write(annotations(named))
    }
    if let emptiness { throw emptiness }
    DefectFolder.tell(missed: report.claims.count { $0.isMissed })
    DefectFolder.tell(refused: report.claims.count { $0.isRefused })
    let status = testRun.status.and(omits ? .unusable : .success)
      .and(ExitStatus(report.conclusion))
    guard !options.isWatching, !CapturedRun.isActive else { return status }
    // Freeing the memory of a run takes longer than writing its report.
    withExtendedLifetime((testRun, report)) { status.leave() }
  }

  /// Returns the error that nothing was run; nil if something was, or if that is not an error.
  private static func emptiness(of report: TestReport, _ options: TestOptions) -> UsageProblem? {
    guard report.testCount == 0, report.claims.isEmpty, !options.allowsEmpty else { return nil }
    return UsageProblem(
      options.suites.filter.map { "no test or claim has a name with \"\($0)\"" }
        ?? "there is no test to run",
      help: "add \(TestOptions.allowEmpty.name) if that is intended")
  }

  /// Returns the suites to run. If there are none, writes reports with that error before throwing it.
  private static func suites(_ options: TestOptions) throws(UsageProblem) -> FoundFiles {
    do throws(UsageProblem) {
      return try SuiteSearch.search(options.paths, of: options.configuration)
    } catch {
      try Self.report(error, to: options.reporting)
      throw error
    }
  }

  /// Writes the machine-readable reports of a run that could not begin.
  static func report(
    _ refusal: UsageProblem, to reporting: Reporting<TestOptions.Format>
  ) throws(UsageProblem) {
    var report = TestReport(suites: [], nanoseconds: 0)
    let repository = Repository()
    report.refusals = [Annotation](refusal).map { $0.naming(repository.path) }
    let style = TestText.Style(
      reporting.palette, isQuiet: reporting.isQuiet, showsAll: false, explainsAll: false,
      showsCoverage: false)
    try reporting.emit(where: { $0.tellsRefusals }) { format, writer in
      write(report, format, style, to: &writer)
    }
  }

  private static func write(
    _ report: TestReport, _ format: TestOptions.Format, _ style: TestText.Style,
    to writer: inout ReportWriter
  ) {
    switch format.ofEntries {
    case .json: TestJSON(report).write(to: &writer)
    case .junit: JUnitReport(report).write(to: &writer)
    case .tap: TAPReport(report).write(to: &writer)
    case nil: writer.write(text(report, format, style))
    }
  }

  private static func text(
    _ report: TestReport, _ format: TestOptions.Format, _ style: TestText.Style
  ) -> String {
    let coverage = report.coverage ?? CoverageReport()
    return switch format {
    case .github: GitHubReport(annotations(report)).text
    case .sarif:
      SARIFReport(
        TestAnnotations(report).problems + TestAnnotations(report).gaps,
        rules: TestAnnotations.kinds
      ).text
    case .codequality:
      CodeQualityReport(TestAnnotations(report).problems + TestAnnotations(report).gaps).text
    case .lcov: LCOVReport(coverage).text
    case .html:
      CoveragePage(
        coverage, result: TestText.figures(of: report), refusals: report.refusals,
        notices: report.notices
      ).text
    case .ruleCoverage: RuleCoverageReport(coverage).text
    case .projectsTest: RulesTestReport(report).text
    case .pretty, .json, .junit, .tap: TestText(style).render(report)
    }
  }

  /// Prints the tests that the body of Google's test call lacks, if it was requested. True if there are any.
  private static func tell(
    ofOmissions report: TestReport, _ options: TestOptions
  ) throws(UsageProblem) -> Bool {
    guard options.suites.writesCases else { return false }
    let body = RulesTestReport(report)
    guard body.rules.count < 2 else {
      throw UsageProblem(
        "a body of projects.test has one rules file, these suites are about \(body.rules.count)",
        help: "name the suites of one: \(body.rules.joined(separator: ", "))")
    }
    for omission in body.omissions + body.strangers {
      Terminal.complain("rules-check: not written: \(Printable.text(omission))\n")
    }
    return !body.omissions.isEmpty || !body.strangers.isEmpty && body.isEmpty
  }

  private static func style(_ options: TestOptions) -> TestText.Style {
    var style = TestText.Style(
      options.reporting.palette, isQuiet: options.reporting.isQuiet,
      showsAll: options.suites.traced == .all, explainsAll: options.explainsAll,
      showsCoverage: options.showsCoverage)
    style.showsCost = options.showsCost
    return style
  }

  /// Returns the problems on the suites' lines, then their causes on the rules' lines.
  private static func annotations(_ report: TestReport) -> [Annotation] {
    let remarks = TestAnnotations(report)
    return remarks.problems + remarks.decidingLines + remarks.gaps
  }
}
