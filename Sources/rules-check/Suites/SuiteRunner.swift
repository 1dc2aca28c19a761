import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// Runs suite files and keeps what came of them, in order.
struct SuiteRunner {
  private let options: SuiteOptions
  private let complaints: Complaints
  private let now = Clock.now
  /// The rules files, with those that were loaded.
  private(set) var rules: RulesFiles
  private let emulator: EmulatorReplay?
  private let progress: Progress
  private let claimRunner: ClaimRunner
  /// The suites that were read and not reported yet.
  private var waiting: SuiteBatch
  /// More tests do not wait: what was read of them takes memory.
  private static let waitingTests = 500
  /// What was covered, if that is measured.
  private(set) var coverage: CoverageReport?
  /// What came of the suites that could be run.
  private(set) var reports: [TestReport.Suite] = []
  /// What was written down of large suites.
  private var pieces: [TestPieces] = []
  /// `unusable` once a suite could not be run.
  private(set) var status = ExitStatus.success

  /// Makes a runner; `rules` are those of a run before this one.
  init(_ options: SuiteOptions, _ terminal: Terminal, _ rules: RulesFiles? = nil) {
    self.options = options
    emulator = options.emulator.map { EmulatorReplay($0) }
    complaints = Complaints(terminal)
    progress = Progress(isWanted: options.showsProgress)
    coverage = options.coverage
    claimRunner = ClaimRunner(options)
    waiting = SuiteBatch(deciding: claimRunner, jobs: options.jobs)
    self.rules = rules?.again() ?? RulesFiles(profile: options.profile)
  }

  /// Why what was written down is missing from a report, if some of it is.
  var problem: FileProblem? { pieces.lazy.compactMap(\.problem).first }

  /// Runs the suites in some files; complains if one cannot be used.
  mutating func run(_ paths: [String]) {
    let streams = streams
    var texts = Ahead(paths.count, jobs: options.jobs ?? Processors.available) { index in
      Result { () throws(FileProblem) in
        let source = SourceText(name: paths[index], bytes: try FileSystem.read(paths[index]))
        return SuiteText(source, streaming: streams)
      }
    }
    for index in paths.indices { run(texts.take(index)) }
    runWaiting()
  }

  private mutating func run(_ text: Result<SuiteText, FileProblem>) {
    do throws(FileProblem) {
      try run(try text.get())
    } catch {
      complaints.print(error.message)
      status = .unusable
    }
  }

  private mutating func run(_ text: SuiteText) throws(FileProblem) {
    let source = text.source
    switch text.content {
    case .rulesTest: runRulesTest(source)
    case .stream(let stream): try run(stream.suite, in: source, stream)
    case .suite(let suite?, _): try run(suite, in: source)
    case .suite(nil, let diagnostics): refuse(diagnostics, in: source)
    }
  }

  private mutating func run(
    _ suite: Suite, in source: SourceText, _ stream: SuiteStream? = nil
  ) throws(FileProblem) {
    guard let rulesPath = rulesPath(suite) else {
      let missing = Diagnostic(
        .suite, severity: .error, message: "the suite names no rules",
        at: SourceRange(start: UInt32(0), end: 1),
        help: "add \"rules\": \"FILE\", or give --rules FILE")
      return refuse([missing], in: source)
    }
    let outcome: Checker.Outcome
    do throws(FileProblem) {
      outcome = try rules.load(rulesPath)
    } catch {
      guard options.rulesPath == nil else { throw error }
      let unreadable = Diagnostic(
        .suite, severity: .error, message: "the rules cannot be read: \(error.message)",
        at: suite.rulesRange)
      return refuse([unreadable], in: source)
    }
    guard let checked = outcome.checked else {
      return refuse(outcome.diagnostics, in: outcome.ruleset.source)
    }
    let engine = Engine(checked, profile: options.profile)
    let tests = wanted(suite.tests)
    let wanted = suite.claims.filter { options.wants($0.name) }
    var claims: ClaimSet?
    if !wanted.isEmpty {
      do throws(ClaimSet.Refusal) {
        claims = try ClaimSet(wanted, about: checked, profile: options.profile)
      } catch {
        return refuse(error.diagnostics, in: source)
      }
    }
    let ready = ReadySuite(
      source: source, rulesPath: rulesPath,
      tests: testRunner(stream == nil ? tests : [], engine, suite.documents), claims: claims,
      suite: suite)
    guard let stream else { return hold(ready) }
    runWaiting()
    if !report(stream, ready) { refuse(SuiteReader.read(source).diagnostics, in: source) }
  }

  // MARK: Large suites

  /// Whether every test is traced.
  private var tracesAll: Bool { coverage != nil || options.traced == .all }

  /// Whether nothing needs all tests of a large suite at once.
  private var streams: Bool { emulator == nil && (options.traced != .all || !options.needsResults) }

  /// Runs the tests of a stream and keeps what came of them; false if some cannot be read.
  private mutating func report(_ stream: SuiteStream, _ suite: ReadySuite) -> Bool {
    let engine = suite.tests.engine
    waiting.add(suite)
    let decided = finishWaiting().flatMap { claims($0.1) { stream.fieldNames } }
    let pieces = TestPieces(
      options.pieces,
      TestReport.Context(source: stream.suite.source, rules: engine.rules))
    let collector = coverage.map { CoverageCollector($0.file(suite.rulesPath, of: engine.rules)) }
    let runner = PortionRunner(
      stream: stream, program: Program(engine.rules, isMarked: tracesAll), engine: engine,
      now: now, filter: options.filter, explainsFailed: options.traced != .none,
      explainsPassed: options.traced == .all, pieces: pieces, coverage: collector,
      keepsFailed: options.needsResults)
    let portions = Workers.map(stream.portionCount, jobs: options.jobs ?? Processors.available) {
      runner.run($0)
    } progress: { done in
      progress.show(
        "\(Printable.text(stream.suite.source.name)): \(done * 100 / stream.portionCount) %")
    }
    progress.clear()
    guard portions.allSatisfy({ $0.isReadable }) else { return false }
    if let collector { coverage?.keep(collector.file) }
    var tally = TestReport.Tally()
    for portion in portions { tally.add(portion.tally) }
    self.pieces.append(pieces)
    var report = TestReport.Suite(
      source: stream.suite.source, rulesPath: suite.rulesPath, rules: engine.rules, tally: tally,
      results: portions.flatMap(\.results), times: portions.flatMap(\.times),
      pieces: { pieces.forEach($0, $1) })
    report.claims = decided
    report.warnings = stream.suite.warnings + portions.flatMap(\.warnings)
    reports.append(report)
    return true
  }

  // MARK: Suites in memory

  private func testRunner(
    _ tests: [Test], _ engine: Engine, _ documents: Documents
  ) -> TestRunner {
    TestRunner(
      tests: tests, engine: engine, documents: documents, now: now,
      program: tracesAll && !tests.isEmpty ? Program(engine.rules, isMarked: true) : nil,
      explainsFailed: options.traced != .none)
  }

  /// Takes a suite in, to be run with those that come after it.
  private mutating func hold(_ suite: ReadySuite) {
    waiting.add(suite)
    // The emulator's complaints are to come in the order of the suites, too.
    if emulator != nil || waiting.testCount > Self.waitingTests { runWaiting() }
  }

  /// Waits for the suites that were not reported yet, and keeps what came of them.
  private mutating func runWaiting() {
    for (suite, outcome) in finishWaiting() { report(suite, outcome) }
  }

  private mutating func finishWaiting() -> [(ReadySuite, SuiteBatch.Outcome)] {
    let batch = waiting
    waiting = SuiteBatch(deciding: claimRunner, jobs: options.jobs)
    let suites = batch.suites
    let name =
      suites.count == 1 ? Printable.text(suites[0].source.name) : "\(suites.count) suites"
    let outcomes = batch.finish { progress.show("\(name): \($0) %") }
    progress.clear()
    return Array(zip(suites, outcomes))
  }

  private mutating func report(_ suite: ReadySuite, _ outcome: SuiteBatch.Outcome) {
    let runner = suite.tests
    let replay = replay(runner.tests, runner.engine, runner.documents)
    var results = outcome.tests.map(\.result)
    coverage?.add(results, path: suite.rulesPath, of: runner.engine.rules)
    if coverage != nil { results = results.map { isExplained($0) ? $0 : $0.withoutTraces } }
    var tally = TestReport.Tally()
    for one in outcome.tests { tally.add(one.result, nanoseconds: one.nanoseconds) }
    var report = TestReport.Suite(
      source: suite.source, rulesPath: suite.rulesPath, rules: runner.engine.rules, tally: tally,
      results: results, times: outcome.tests.map(\.nanoseconds))
    report.claims = claims(outcome) { suite.suite?.fieldNames ?? [] }
    report.warnings = suite.suite?.warnings ?? []
    report.replay = replay
    reports.append(report)
  }

  private func claims(
    _ outcome: SuiteBatch.Outcome, fields: () -> Set<Text>
  ) -> [ClaimResult] {
    outcome.claims.map { $0.lookingForFields(in: fields) }
  }

  /// Asks the emulator, if one was named, the same questions.
  private mutating func replay(
    _ tests: [Test], _ engine: Engine, _ documents: Documents
  ) -> EmulatorComparison? {
    guard let emulator else { return nil }
    do throws(EmulatorClient.Problem) {
      return try emulator.run(tests, with: engine, on: documents, number: reports.count)
    } catch {
      complaints.print(error.message)
      status = .unusable
      return nil
    }
  }

  private func isExplained(_ result: TestResult) -> Bool {
    options.traced == .all || (options.traced == .failed && !result.isPassed)
  }

  private func wanted(_ tests: [Test]) -> [Test] {
    options.filter == nil ? tests : tests.filter { options.wants($0.displayName) }
  }

  private func rulesPath(_ suite: Suite) -> String? {
    if let given = options.rulesPath { return given }
    return suite.rulesPath.map {
      Path.join(Path.folder(of: suite.source.name), with: String($0))
    }
  }

  private mutating func refuse(_ diagnostics: [Diagnostic], in source: SourceText) {
    complaints.print(diagnostics, in: source)
    status = .unusable
  }

  // MARK: Google's format

  private mutating func runRulesTest(_ source: SourceText) {
    let (file, diagnostics) = RulesTestFile.read(source)
    guard let file else { return refuse(diagnostics, in: source) }
    let outcome: Checker.Outcome
    let rulesPath: String
    if let given = options.rulesPath {
      rulesPath = given
      do throws(FileProblem) {
        outcome = try rules.load(given)
      } catch {
        complaints.print(error.message)
        status = .unusable
        return
      }
    } else if let text = file.rules {
      rulesPath = String(file.rulesName ?? "source.files[0]")
      outcome = Checker.checkFirestore(
        SourceText(name: rulesPath, bytes: text.bytes), profile: .testapi)
    } else {
      let missing = Diagnostic(
        .suite, severity: .error, message: "the file has no \"source\"",
        at: SourceRange(start: UInt32(0), end: 1),
        help: "give --rules FILE")
      return refuse([missing], in: source)
    }
    guard let checked = outcome.checked else {
      return refuse(outcome.diagnostics, in: outcome.ruleset.source)
    }
    let engine = Engine(checked, profile: .testapi)
    let tests = wanted(file.tests)
    hold(
      ReadySuite(
        source: source, rulesPath: rulesPath, tests: testRunner(tests, engine, Documents())))
  }
}
