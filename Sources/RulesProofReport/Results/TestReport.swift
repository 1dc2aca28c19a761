package import RulesEval
package import RulesLang
package import RulesReport

/// Everything that a report of `test` can say.
package struct TestReport: Sendable {
  /// How many tests were run, and what came of them.
  package struct Tally: Sendable {
    /// All of them.
    package var tests = 0
    /// Those that were decided otherwise than they expect.
    package var failed = 0
    /// Those that could not be decided.
    package var unsupported = 0
    /// How long they took.
    package var nanoseconds: UInt64 = 0

    /// No test yet.
    package init() {}
  }

  /// A format in which each test has a piece of its own.
  package enum Format: String, CaseIterable, Sendable {
    case json, junit, tap
  }

  /// What a piece says besides the result.
  package struct Context: Sendable {
    /// The text of the suite.
    package var source: SourceText
    /// The rules.
    package var rules: Checked

    /// The setting of the tests of a suite.
    package init(source: SourceText, rules: Checked) {
      self.source = source
      self.rules = rules
    }
  }

  /// What reports say of single tests, written down while they were run: calls a function with each
  /// piece of a format, in order; says no if that format was not written down.
  package typealias Pieces = @Sendable (Format, (String) -> Void) -> Bool

  /// What came of one suite.
  package struct Suite: Sendable {
    /// The text of the suite.
    package var source: SourceText
    /// The rules file, as it was opened.
    package var rulesPath: String
    /// The rules.
    package var rules: Checked
    /// What its tests came to in all.
    package var tally: Tally
    /// What came of them, in order; of a large suite only what reports cannot do without.
    package var results: [TestResult]
    /// How long each of these took, in nanoseconds.
    package var times: [UInt64] = []
    /// What reports say of single tests, where that was written down at once.
    package var pieces: Pieces?
    /// The claims that were examined, in order.
    package var claims: [ClaimResult] = []
    /// What is to be known of the data, on the lines of the suite.
    package var warnings: [Diagnostic] = []
    /// The tests as cases of Google's test call, if they are to be written so.
    package var cases = RulesTestWriter.Cases()
    /// What a running emulator said to the same requests, if it was asked.
    package var replay: EmulatorComparison?
    /// Number of tests and claims that a filter leaves out.
    package var leftOut = 0
    /// True if the suite itself has neither a test nor a claim.
    package var isEmpty = false

    /// What came of the tests of a suite; of nothing else is anything known.
    package init(
      source: SourceText, rulesPath: String, rules: Checked, tally: Tally, results: [TestResult],
      times: [UInt64] = [], pieces: Pieces? = nil
    ) {
      self.source = source
      self.rulesPath = rulesPath
      self.rules = rules
      self.tally = tally
      self.results = results
      self.times = times
      self.pieces = pieces
    }
  }

  /// Why something could not be run, in order.
  package var refusals: [Annotation] = []
  /// Rules and suites that the run leaves out, or that are not what the project deploys.
  package var notices: [ProjectNotice] = []
  /// The suites that could be run, in order.
  package var suites: [Suite]
  /// How long it all took.
  package var nanoseconds: UInt64
  /// What the tests covered, if that was asked for.
  package var coverage: CoverageReport?
  /// What requests cost, if that was asked for.
  package var cost: CostReport?

  /// A report on some suites.
  package init(suites: [Suite], nanoseconds: UInt64, coverage: CoverageReport? = nil) {
    self.suites = suites
    self.nanoseconds = nanoseconds
    self.coverage = coverage
  }

  /// The number of tests that were run.
  package var testCount: Int { suites.reduce(0) { $0 + $1.testCount } }

  /// The claims of all suites.
  package var claims: [ClaimResult] { suites.flatMap { $0.claims } }

  /// The number of requests that the emulator decided otherwise.
  var disagreementCount: Int {
    suites.reduce(0) { $0 + ($1.replay?.disagreements.count ?? 0) }
  }

  /// The number of tests that failed.
  var failedCount: Int { suites.reduce(0) { $0 + $1.failedCount } }

  /// What the run comes to.
  package var conclusion: Conclusion {
    let isFailure =
      failedCount > 0 || disagreementCount > 0 || coverage?.isTooLow == true
      || cost?.isTooHigh == true
    let isIdle = suites.contains { $0.replay?.isIdle == true }
    // The coverage of all tests is required, and some were not run.
    let isPart = coverage?.required != nil && suites.contains { $0.leftOut > 0 }
    return claims.reduce(isFailure ? .failure : isIdle || isPart ? .undecided : .success) {
      $0.and($1.conclusion)
    }
  }
}

extension TestReport.Tally {
  /// Counts a test.
  package mutating func add(_ result: TestResult, nanoseconds: UInt64) {
    tests += 1
    self.nanoseconds += nanoseconds
    if result.isPassed { return }
    if result.decision == nil { unsupported += 1 } else { failed += 1 }
  }

  /// Counts the tests of another one.
  package mutating func add(_ other: Self) {
    tests += other.tests
    failed += other.failed
    unsupported += other.unsupported
    nanoseconds += other.nanoseconds
  }
}

extension TestReport.Suite {
  /// The number of tests that were run.
  var testCount: Int { tally.tests }

  /// The number of tests that failed.
  var failedCount: Int { tally.failed + tally.unsupported }

  /// What is to be known of the data, a line for each thing.
  var warningLines: [String] {
    warnings.map { warning in
      let place = source.position(of: warning.range?.start ?? 0)
      return "\(source.name):\(place.line):\(place.column): warning: \(warning.message)"
    }
  }

  /// Calls a function with what a format says of each test, in order: what was written down, or what
  /// `make` makes of each result and the time that it took.
  func forEachPiece(
    of format: TestReport.Format,
    made make: (TestResult, _ nanoseconds: UInt64, TestReport.Context) -> String,
    _ body: (String) -> Void
  ) {
    if let pieces, pieces(format, body) { return }
    let context = TestReport.Context(source: source, rules: rules)
    for (place, result) in results.enumerated() { body(make(result, time(at: place), context)) }
  }

  /// How long the test at a place took.
  func time(at place: Int) -> UInt64 { place < times.count ? times[place] : 0 }
}

extension TestResult {
  /// Whether the emulator decides the request by chance, so that nobody can rely on the test.
  package var isByChance: Bool { decision?.isByChance == true }

  /// What is to be known even if the test passed, a sentence each.
  var remarks: [String] { isByChance ? decision?.notes ?? [] : [] }

  /// What the rules were asked: `update /users/alice as mallory`; of a test with steps, in the step that
  /// is told of.
  var request: String {
    let test = telling.test
    return "\(decision?.verb(test) ?? test.verb) \(test.path) as \(test.askerName)"
  }

  /// Where the request stands in the suite.
  var place: SourceRange { telling.test.range }

  /// The result without traces, which are large and belong only to what is to be explained.
  package var withoutTraces: TestResult {
    var copy = self
    copy.steps = steps.map { $0.withoutTraces }
    guard var decision else { return self }
    for access in decision.accesses.indices {
      for tried in decision.accesses[access].tried.indices {
        decision.accesses[access].tried[tried].trace = nil
      }
    }
    copy.decision = decision
    return copy
  }
}
