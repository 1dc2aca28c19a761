import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// A run of suite files, which makes the parts of the report of `test`.
struct SuiteFileRun {
  private let options: SuiteOptions
  private let emulator: EmulatorReplay?
  private var loader: SuiteLoader
  private var scheduler: SuiteScheduler
  /// The entries of reports, by suite.
  private var entries: [SpooledEntries] = []
  /// The results of the suites that could be run.
  private(set) var reports: [TestReport.Suite] = []

  /// Prepares a run; `rules` are those of an earlier run.
  init(_ options: SuiteOptions, on terminal: Terminal, after rules: RulesFiles? = nil) {
    self.options = options
    emulator = options.emulator.map { EmulatorReplay($0) }
    loader = SuiteLoader(options, on: terminal, after: rules)
    scheduler = SuiteScheduler(options)
  }

  /// The rules files that were loaded.
  var rules: RulesFiles { loader.rules }
  /// The exit status so far: `unusable` once a suite could not be run.
  var status: ExitStatus { loader.status }
  /// The errors of suites that could not be run.
  var refusals: [Annotation] { loader.refusals }
  /// The coverage, if it is measured.
  var coverage: CoverageReport? { scheduler.coverage }
  /// The error because of which entries of a report are missing; nil if none are.
  var problem: FileProblem? { entries.lazy.compactMap(\.problem).first }

  /// Runs the suites in some files; reports those that cannot be used, and files that were not found.
  mutating func run(_ found: FoundFiles) {
    let paths = found.files
    for problem in found.problems { loader.refuse(problem.message, about: problem.path) }
    let (streams, options) = (options.streams, options)
    var texts = Prefetch(paths.count, jobs: options.jobs ?? Processors.available) { index in
      Result { () throws(FileProblem) in
        try SuiteLoader.texts(of: paths[index], streaming: streams, options)
      }
    }
    for index in paths.indices {
      switch texts.take(index) {
      case .failure(let problem): loader.refuse(problem.message, about: problem.path)
      case .success(let all):
        for text in all {
          guard let suite = loader.load(text) else { continue }
          report(scheduler.add(suite))
          // The emulator's complaints also come in the order of the suites.
          if emulator != nil { report(scheduler.finish()) }
        }
      }
    }
    report(scheduler.finish())
  }

  /// Reports a problem that keeps the run from being complete.
  mutating func refuse(_ problem: UsageProblem) { loader.refuse(problem) }

  private mutating func report(_ results: [SuiteResult]) {
    for result in results {
      if result.tests.isReadable {
        report(result)
      } else {
        let read = SuiteReader.read(
          result.suite.source, database: result.suite.engine.rules.database)
        loader.refuse(read.diagnostics, in: result.suite.source)
      }
    }
  }

  private mutating func report(_ result: SuiteResult) {
    let suite = result.suite
    let replay = replay(suite)
    var report = TestReport.Suite(
      source: suite.source, rulesPath: suite.rulesPath, rules: suite.engine.rules,
      tally: result.tests.tally, results: result.tests.results, times: result.tests.times,
      entries: { result.entries.forEach($0, $1) })
    report.claims = result.claims
    report.warnings =
      (suite.suite?.warnings ?? []) + result.tests.warnings
      + [result.tests.unstatedAskers.warning].compactMap { $0 }
    report.replay = replay
    report.leftOut = suite.leftOut + result.tests.leftOut
    report.isEmpty = suite.isEmpty && (suite.suite != nil || options.filter == nil)
    if options.writesCases { report.cases = cases(of: suite) }
    entries.append(result.entries)
    reports.append(report)
  }

  /// Returns the tests of a suite as cases of Google's test call.
  private func cases(of suite: LoadedSuite) -> RulesTestWriter.Cases {
    guard let writer = RulesTestWriter(suite.engine) else {
      var none = RulesTestWriter.Cases()
      none.omissions = ["the call would not accept \(suite.rulesPath)"]
      return none
    }
    return writer.write(suite.tests, on: suite.documents, now: Clock.now)
  }

  /// Compares a suite with the emulator, if one was named.
  private mutating func replay(_ suite: LoadedSuite) -> EmulatorComparison? {
    guard let emulator else { return nil }
    do throws(EmulatorClient.Problem) {
      return try emulator.run(
        suite.tests, with: suite.engine, on: suite.documents, number: reports.count)
    } catch {
      loader.refuse(error.message, about: suite.source.name, code: .usage)
      return nil
    }
  }
}
