import RulesEval
import RulesHost
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport

/// The results of some consecutive tests of a suite.
struct PortionResult: Sendable {
  /// True if all of them could be read.
  var isReadable = true
  /// The counts by outcome.
  var tally = TestReport.Tally()
  /// The results that are kept, in order.
  var results: [TestResult] = []
  /// The time that each of these took, in nanoseconds.
  var times: [UInt64] = []
  /// The number of tests of a large suite that a filter excludes.
  var leftOut = 0
  /// Warnings about the data.
  var warnings: [Diagnostic] = []
  /// The tests of a large suite without an `as`; for a smaller one the warning was made when it was read.
  var unstatedAskers = UnstatedAskers()
  /// The entries of reports, if they are written while tests are run.
  var entries: SpooledEntries.Portion
  /// All results with traces, if coverage is measured.
  var traced: [TestResult] = []

  /// Adds the results of the tests that follow.
  mutating func add(_ next: PortionResult) {
    isReadable = isReadable && next.isReadable
    tally.add(next.tally)
    results += next.results
    times += next.times
    leftOut += next.leftOut
    warnings += next.warnings
    unstatedAskers.add(next.unstatedAskers)
  }
}

/// Runs the tests of a suite portion by portion, on any thread, and keeps only what reports need.
struct PortionRunner: Sendable {
  /// The suite.
  let suite: LoadedSuite
  /// The time of tests that set none.
  let now: Timestamp
  /// The settings.
  let options: SuiteOptions
  /// The entries of reports that are written while the tests are run.
  let entries: SpooledEntries
  /// The rules compiled for the machine, marked if every test is traced. Nil for few tests: compiling the
  /// rules would take longer than running these by the reference.
  private let program: Program?

  /// Tests in a portion, for suites in memory.
  private static let portionSize = 32

  /// Prepares to run a suite.
  init(_ suite: LoadedSuite, at now: Timestamp, wanting options: SuiteOptions) {
    self.suite = suite
    self.now = now
    self.options = options
    let rules = suite.engine.rules
    entries = SpooledEntries(
      suite.stream == nil ? [] : options.spooledFormats,
      TestReport.Context(source: suite.source, rules: rules).naming(options.repository.path))
    let isTraced = options.tracesAll && !suite.tests.isEmpty
    program =
      isTraced || suite.stream != nil ? Program(rules, isMarked: options.tracesAll) : nil
  }

  /// The number of portions; one even if there is no test, which then covers nothing.
  var portionCount: Int {
    suite.stream?.portionCount
      ?? max(1, (suite.tests.count + Self.portionSize - 1) / Self.portionSize)
  }

  /// Runs a portion.
  func run(_ number: Int) -> PortionResult {
    var portion = PortionResult(entries: entries.portion)
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
      entries.append(result, nanoseconds: time, to: &portion.entries)
      if isKept(result) {
        portion.results.append(result)
        portion.times.append(time)
      }
    }
    return portion
  }

  /// Returns the tests of a portion that are to be run; nil if they cannot be read.
  private func read(_ number: Int, into portion: inout PortionResult) -> [Test]? {
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

  /// True if reports need the result itself: for a large suite only failures, and tests that passed by
  /// chance.
  private func isKept(_ result: TestResult) -> Bool {
    suite.stream == nil || options.needsResults && (!result.isPassed || result.isByChance)
  }

  /// Returns the result with traces if it is to be explained, else without.
  private func explained(_ result: TestResult) -> TestResult {
    let isExplained =
      switch options.traced {
      case .all: true
      case .failed: !result.isPassed
      case .none: false
      }
    if options.tracesAll { return isExplained ? result : result.withoutTraces }
    return isExplained ? suite.traced(result, at: now) : result
  }
}
