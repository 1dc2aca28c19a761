import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport

/// What came of some tests of a suite that follow each other.
struct TestPortion: Sendable {
  /// Whether all of them could be read.
  var isReadable = true
  /// What they came to.
  var tally = TestReport.Tally()
  /// What is kept of them, in order.
  var results: [TestResult] = []
  /// How long each of these took, in nanoseconds.
  var times: [UInt64] = []
  /// Number of tests of a large suite that a filter leaves out.
  var leftOut = 0
  /// What is to be known of the data.
  var warnings: [Diagnostic] = []
  /// The tests of a large suite that do not say who asks; a smaller one has warned of them itself.
  var unstatedAskers = UnstatedAskers()
  /// What reports say of each test, as far as that is written down at once.
  var pieces: TestPieces.Batch
  /// All results with traces, if coverage is measured.
  var traced: [TestResult] = []

  /// Adds what is reported of the tests that follow.
  mutating func add(_ next: TestPortion) {
    isReadable = isReadable && next.isReadable
    tally.add(next.tally)
    results += next.results
    times += next.times
    leftOut += next.leftOut
    warnings += next.warnings
    unstatedAskers.add(next.unstatedAskers)
  }
}

/// Runs the tests of a suite portion by portion, on any thread, and keeps no more than reports ask for.
struct TestRunner: Sendable {
  /// The suite.
  let suite: LoadedSuite
  /// The time for tests that set none.
  let now: Timestamp
  /// What is wanted.
  let options: SuiteOptions
  /// What reports say of single tests, as far as that is written down while they are run.
  let pieces: TestPieces
  /// The rules for the machine, marked if every test is traced. Nil for few tests: to compile the rules
  /// takes longer than to run those by the reference.
  private let program: Program?

  /// How many tests are run at a time that are in memory.
  private static let portionSize = 32

  /// Prepares to run a suite.
  init(_ suite: LoadedSuite, at now: Timestamp, wanting options: SuiteOptions) {
    self.suite = suite
    self.now = now
    self.options = options
    let rules = suite.engine.rules
    pieces = TestPieces(
      suite.stream == nil ? [] : options.pieces,
      TestReport.Context(source: suite.source, rules: rules).naming(options.repository.path))
    let isTraced = options.tracesAll && !suite.tests.isEmpty
    program =
      isTraced || suite.stream != nil ? Program(rules, isMarked: options.tracesAll) : nil
  }

  /// How many portions there are; one even if there is no test, which then covers nothing.
  var portionCount: Int {
    suite.stream?.portionCount
      ?? max(1, (suite.tests.count + Self.portionSize - 1) / Self.portionSize)
  }

  /// Runs a portion.
  func run(_ number: Int) -> TestPortion {
    var portion = TestPortion(pieces: pieces.batch)
    guard let tests = read(number, into: &portion) else {
      portion.isReadable = false
      return portion
    }
    var machine = program.map { Machine($0, profile: suite.engine.profile) }
    let documents = suite.documents
    for test in tests {
      let started = Clock.nanoseconds
      var result =
        machine?.run(test, documents: documents, now: now, tracing: options.tracesAll)
        ?? suite.engine.run(test, documents: documents, now: now)
      let time = Clock.nanoseconds - started
      if options.coverage != nil { portion.traced.append(result) }
      result = explained(result)
      portion.tally.add(result, nanoseconds: time)
      pieces.append(result, nanoseconds: time, to: &portion.pieces)
      if isKept(result) {
        portion.results.append(result)
        portion.times.append(time)
      }
    }
    return portion
  }

  /// The wanted tests of a portion; nil if they cannot be read.
  private func read(_ number: Int, into portion: inout TestPortion) -> [Test]? {
    guard let stream = suite.stream else {
      let first = number * Self.portionSize
      return Array(suite.tests[first..<min(first + Self.portionSize, suite.tests.count)])
    }
    guard let read = stream.read(number) else { return nil }
    portion.warnings = read.warnings
    portion.unstatedAskers = read.unstatedAskers
    let wanted =
      options.filter == nil ? read.tests : read.tests.filter { options.wants($0.displayName) }
    portion.leftOut = read.tests.count - wanted.count
    return wanted
  }

  /// Whether reports need the result itself: of a large suite only what failed, or passed by chance.
  private func isKept(_ result: TestResult) -> Bool {
    suite.stream == nil || options.needsResults && (!result.isPassed || result.isByChance)
  }

  /// The result with traces if it is to be explained, and otherwise without.
  private func explained(_ result: TestResult) -> TestResult {
    let isExplained =
      switch options.traced {
      case .all: true
      case .failed: !result.isPassed
      case .none: false
      }
    if options.tracesAll { return isExplained ? result : result.withoutTraces }
    guard isExplained else { return result }
    var traced = suite.engine.run(
      result.test, documents: suite.documents, now: now, tracing: true)
    traced.steps = traced.steps.map { $0.isPassed ? $0.withoutTraces : $0 }
    return traced
  }
}
