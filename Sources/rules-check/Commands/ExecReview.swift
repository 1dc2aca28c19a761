import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// Makes the report of a command from the requests that it made.
struct ExecReview {
  private let options: ExecOptions
  private let rules: EmulatorRules
  /// The recorded requests as suites, one for each version of the rules.
  private let suites: [RecordedSuite]
  /// The paths of the rules of each suite; nil for rules that are in no file of the project.
  private let paths: [String?]

  /// The name in reports of rules that the command uploaded and that are not a file of the project.
  private static let uploaded = "rules sent by the command"

  /// Reviews a recording.
  init(_ recording: RequestRecording, _ rules: EmulatorRules, _ options: ExecOptions) {
    self.options = options
    self.rules = rules
    let command = options.command.joined(separator: " ")
    let files = recording.groups.map { rules.file(of: $0.engine.rules) }
    paths = files.map { $0?.path }
    suites = zip(recording.groups, files).map { group, file in
      var group = group
      // The command has sent what the file says, under a name of its own.
      if let file { group.engine = Engine(file.rules) }
      return RecordedSuite(
        group, rules: file?.path ?? Self.uploaded, named: "requests of \(command)")
    }
  }

  /// Returns the report of the command, which has ended with an exit code.
  func report(
    _ tally: ExecReport.Tally, exitCode: Int32
  ) throws(UsageProblem) -> ExecReport {
    var report = ExecReport(command: options.command, exitCode: exitCode)
    report.tally = tally
    report.explainsDenials = options.explains
    measure(&report)
    if let thresholds = options.thresholds { report.mutation = mutation(thresholds) }
    if let path = options.recordPath { try record(to: path, &report) }
    if let path = options.logPath { try log(to: path, &report) }
    let isGated =
      options.coverage?.required != nil || options.greatestCost != nil
      || options.thresholds.map { $0.breaking > 0 } == true
    if isGated, suites.allSatisfy({ $0.requests.isEmpty }) {
      report.isIdle = true
      report.notes.append("no request was decided by rules, so there is nothing to measure")
    }
    let leftOut = suites.reduce(0) { $0 + $1.leftOut }
    if leftOut > 0 {
      report.notes.append(
        "\(leftOut.of("request")) \(leftOut == 1 ? "is" : "are") not among them: no test of a "
          + "suite makes the same requests")
    }
    return report
  }

  // MARK: Measures

  private func measure(_ report: inout ExecReport) {
    guard options.coverage != nil || options.measuresCost || options.explains else { return }
    let started = Clock.nanoseconds
    var wanted = SuiteOptions()
    wanted.coverage = options.coverage
    wanted.measuresCost = options.measuresCost
    wanted.traced = .all
    var scheduler = SuiteScheduler(wanted)
    var results: [SuiteResult] = []
    for suite in suites { results += scheduler.add(suite.loaded) }
    results += scheduler.finish()
    let tested = results.map { result in
      TestReport.Suite(
        source: result.suite.source, rulesPath: result.suite.rulesPath,
        rules: result.suite.engine.rules, tally: result.tests.tally,
        results: result.tests.results, times: result.tests.times)
    }
    report.requests = TestReport(
      suites: tested, nanoseconds: Clock.nanoseconds - started, coverage: scheduler.coverage)
    addUntested(to: &report.requests)
    if options.measuresCost {
      report.requests.cost = CostReport(of: tested, greatest: options.greatestCost)
    }
    report.requests.suites =
      options.explains ? tested.map { Self.denials(of: $0) } : []
  }

  /// Adds the rules with which the emulator began and that decided no request, with no coverage.
  private func addUntested(to report: inout TestReport) {
    for entry in rules.entries {
      let database = entry.database ?? .standard
      let isAsked = suites.contains { suite in
        suite.loaded.engine.rules.ruleset.source.bytes == entry.source.bytes
          && suite.loaded.engine.rules.database == database && !suite.loaded.tests.isEmpty
      }
      let outcome = Checker.checkFirestore(entry.source, profile: .emulator)
      guard let checked = outcome.checked?.deployed(to: database) else { continue }
      let name = String(database.text)
      report.coverage?.deploy(
        entry.path, checked, to: rules.entries.count > 1 ? [name] : [],
        untested: isAsked ? [] : [name], isOfRequests: true
      ) { $0 == entry.path }
    }
  }

  /// Returns the denials alone, grouped by statement.
  private static func denials(of suite: TestReport.Suite) -> TestReport.Suite {
    func line(_ result: TestResult) -> Int {
      guard let tried = result.decision?.tried.last else { return .max }
      return suite.rules.ruleset.source.line(of: suite.rules.ruleset[tried.allow].keyword.start)
    }
    var denials = suite
    denials.results = suite.results.filter { $0.decision?.isAllowed == false }
      .enumerated().sorted { (line($0.element), $0.offset) < (line($1.element), $1.offset) }
      .map { $0.element }
    return denials
  }

  private func mutation(_ thresholds: MutationReport.Thresholds) -> MutationReport {
    let runner = MutationRun(
      limits: options.limits, profile: .emulator, showsProgress: !options.reporting.isQuiet)
    let files = suites.filter { !$0.loaded.tests.isEmpty }.map { suite in
      runner.run(
        MutationSuites.Group(
          path: suite.loaded.rulesPath, rules: suite.loaded.engine.rules, suites: [suite.loaded]))
    }
    return MutationReport(files: files, thresholds: thresholds, refusals: [])
  }

  // MARK: Files

  private func record(to path: String, _ report: inout ExecReport) throws(UsageProblem) {
    let known = zip(suites, paths).filter { $0.1 != nil && !$0.0.requests.isEmpty }
    if suites.contains(where: { !$0.requests.isEmpty }), known.count < suites.count {
      report.notes.append(
        "requests under rules that the command sent are not written to a suite: a suite names "
          + "the file of its rules, and these are not a file of the project")
    }
    for (place, (suite, rules)) in known.enumerated() {
      guard let rules else { continue }
      let file = place == 0 ? path : Self.further(path, suite.loaded.engine.rules.database)
      let count = try suite.write(to: file, rules: rules, on: options.reporting.terminal)
      report.recorded.append(ExecReport.Recorded(file: file, tests: count))
    }
  }

  /// Returns the file for another database: `a.DATABASE.suite.json` beside `a.suite.json`.
  private static func further(_ path: String, _ database: DatabaseName) -> String {
    path.dropLast(SuiteSearch.suffix.count) + ".\(String(database.text))" + SuiteSearch.suffix
  }

  private func log(to path: String, _ report: inout ExecReport) throws(UsageProblem) {
    var text = ""
    for suite in suites {
      for recorded in suite.requests { text += RequestLog.lines(of: recorded) }
    }
    do throws(FileProblem) {
      try FileSystem.write(Array(text.utf8), to: path)
    } catch {
      throw UsageProblem(error)
    }
  }
}
