import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesReport

/// Runs suite files and keeps what came of them, in order.
struct SuiteRunner {
  private let invocation: Invocation
  private let complaints: Complaints
  private let now = Clock.now
  /// The rules files, with those that were loaded.
  private(set) var rules: RulesFiles
  private let emulator: EmulatorReplay?
  private let progress: Progress
  private let claimRunner: ClaimRunner
  /// How many threads run tests, if that was said.
  private let jobs: Int?
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
  init(_ invocation: Invocation, _ rules: RulesFiles? = nil) throws(UsageProblem) {
    self.invocation = invocation
    emulator = try invocation["--emulator"].map { address throws(UsageProblem) in
      EmulatorReplay(try EmulatorAddress(address))
    }
    complaints = Complaints(invocation.terminal)
    jobs = try invocation["--jobs"].map { text throws(UsageProblem) in
      guard let jobs = Int(text), (1...1024).contains(jobs) else {
        throw UsageProblem("`--jobs` needs a number of threads, not `\(text)`")
      }
      return jobs
    }
    progress = Progress(isWanted: !invocation.isQuiet)
    coverage = try Self.coverage(invocation)
    claimRunner = try ClaimRunner(invocation, explaining: false, jobs: jobs)
    waiting = SuiteBatch(deciding: claimRunner, jobs: jobs)
    self.rules = rules?.again() ?? RulesFiles(profile: invocation.profile)
  }

  /// The formats that report coverage and nothing else.
  static let coverageFormats = ["lcov", "html", "rule-coverage"]

  /// Why what was written down is missing from a report, if some of it is.
  var problem: FileProblem? { pieces.lazy.compactMap(\.problem).first }

  /// The coverage to be measured: if it is asked for, or if a report or a threshold needs it.
  private static func coverage(_ invocation: Invocation) throws(UsageProblem) -> CoverageReport? {
    let needs = invocation.destinations.contains { coverageFormats.contains($0.format) }
    guard let text = invocation["--min-coverage"] else {
      return invocation.has("--coverage") || needs ? CoverageReport() : nil
    }
    guard let percent = Double(text), (0...100).contains(percent) else {
      throw UsageProblem(
        "`--min-coverage \(text)` is no percentage", help: "a number from 0 to 100")
    }
    return CoverageReport(required: percent)
  }

  /// Runs the suites in some files; complains if one cannot be used.
  mutating func run(_ paths: [String]) {
    let streams = streams
    var texts = Prefetch(paths.count, jobs: jobs ?? Processors.available) { index in
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
      guard invocation["--rules"] == nil else { throw error }
      let unreadable = Diagnostic(
        .suite, severity: .error, message: "the rules cannot be read: \(error.message)",
        at: suite.rulesRange)
      return refuse([unreadable], in: source)
    }
    guard let checked = outcome.checked else {
      return refuse(outcome.diagnostics, in: outcome.ruleset.source)
    }
    let engine = Engine(checked, profile: invocation.profile)
    let tests = wanted(suite.tests)
    let wanted = suite.claims.filter { isWanted($0.name) }
    var claims: ClaimSet?
    if !wanted.isEmpty {
      do throws(ClaimSet.Refusal) {
        claims = try ClaimSet(wanted, about: checked, profile: invocation.profile)
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

  /// Whether a report needs all of a result, as those do that explain.
  private var needsResults: Bool {
    invocation.destinations.contains { ["pretty", "github", "sarif"].contains($0.format) }
  }

  /// Whether every test is traced.
  private var tracesAll: Bool { coverage != nil || which == "all" }

  /// Whether nothing needs all tests of a large suite at once.
  private var streams: Bool { emulator == nil && (which != "all" || !needsResults) }

  /// Runs the tests of a stream and keeps what came of them; false if some cannot be read.
  private mutating func report(_ stream: SuiteStream, _ suite: ReadySuite) -> Bool {
    let engine = suite.tests.engine
    waiting.add(suite)
    let decided = finishWaiting().flatMap { claims($0.1) { stream.fieldNames } }
    let formats = invocation.destinations.map(\.format)
    let pieces = TestPieces(
      TestReport.Format.allCases.filter { formats.contains($0.rawValue) },
      TestReport.Context(source: stream.suite.source, rules: engine.rules))
    let collector = coverage.map { CoverageCollector($0.file(suite.rulesPath, of: engine.rules)) }
    let runner = PortionRunner(
      stream: stream, program: Program(engine.rules, isMarked: tracesAll), engine: engine,
      now: now, filter: invocation["--filter"], explainsFailed: which != "none",
      explainsPassed: which == "all", pieces: pieces, coverage: collector,
      keepsFailed: needsResults)
    let portions = Workers.map(stream.portionCount, jobs: jobs ?? Processors.available) {
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
      explainsFailed: which != "none")
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
    waiting = SuiteBatch(deciding: claimRunner, jobs: jobs)
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

  /// Which tests are explained: failed, all or none.
  private var which: String { invocation["--trace"] ?? "failed" }

  private func isExplained(_ result: TestResult) -> Bool {
    which == "all" || (which == "failed" && !result.isPassed)
  }

  private func wanted(_ tests: [Test]) -> [Test] {
    invocation["--filter"] == nil ? tests : tests.filter { isWanted($0.displayName) }
  }

  private func isWanted(_ name: String) -> Bool {
    invocation["--filter"].map { name.contains($0) } ?? true
  }

  private func rulesPath(_ suite: Suite) -> String? {
    if let given = invocation["--rules"] { return given }
    return suite.rulesPath.map {
      FilePath.join(FilePath.folder(of: suite.source.name), with: String($0))
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
    if let given = invocation["--rules"] {
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
