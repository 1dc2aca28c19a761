package import RulesEval
package import RulesLang
package import RulesReport

/// All data of the report of `test`.
package struct TestReport: Sendable {
  /// Counts of tests by outcome.
  package struct Tally: Sendable {
    /// Tests that were run.
    package var tests = 0
    /// Tests with another decision than expected.
    package var failed = 0
    /// Tests that could not be decided.
    package var unsupported = 0
    /// The time that they took.
    package var nanoseconds: UInt64 = 0

    /// Creates counts of no tests.
    package init() {}
  }

  /// A format that consists of one entry for each test.
  package enum Format: String, CaseIterable, Sendable {
    case json, junit, tap
  }

  /// The texts that an entry refers to.
  package struct Context: Sendable {
    /// The text of the suite.
    package var source: SourceText
    /// The rules.
    package var rules: Checked

    /// Creates the context of a suite's tests.
    package init(source: SourceText, rules: Checked) {
      self.source = source
      self.rules = rules
    }
  }

  /// Entries of a report that were written while the tests were run, to save memory: calls a function with
  /// each entry of a format, in order. False if that format was not written.
  package typealias Entries = @Sendable (Format, (String) -> Void) -> Bool

  /// The results of one suite.
  package struct Suite: Sendable {
    /// The text of the suite.
    package var source: SourceText
    /// The path with which the rules file was opened.
    package var rulesPath: String
    /// The rules.
    package var rules: Checked
    /// The counts of its tests.
    package var tally: Tally
    /// The results, in order; of a large suite only those that reports need.
    package var results: [TestResult]
    /// The time that each of these took, in nanoseconds.
    package var times: [UInt64] = []
    /// The entries that were written while the tests were run, if any.
    package var entries: Entries?
    /// The results of its claims, in order.
    package var claims: [ClaimResult] = []
    /// Warnings about the data, on the lines of the suite.
    package var warnings: [Diagnostic] = []
    /// The tests as cases of Google's test call, if they are written as such.
    package var cases = RulesTestWriter.Cases()
    /// The comparison with a running emulator, if there was one.
    package var replay: EmulatorComparison?
    /// Number of tests and claims that a filter leaves out.
    package var leftOut = 0
    /// True if the suite itself has neither a test nor a claim.
    package var isEmpty = false

    /// Creates the results of a suite's tests.
    package init(
      source: SourceText, rulesPath: String, rules: Checked, tally: Tally, results: [TestResult],
      times: [UInt64] = [], entries: Entries? = nil
    ) {
      self.source = source
      self.rulesPath = rulesPath
      self.rules = rules
      self.tally = tally
      self.results = results
      self.times = times
      self.entries = entries
    }
  }

  /// Errors of suites that could not be run, in order.
  package var refusals: [Annotation] = []
  /// Notices about rules and suites that the run leaves out, or that the project does not deploy.
  package var notices: [ProjectNotice] = []
  /// The suites that could be run, in order.
  package var suites: [Suite]
  /// The time that the run took.
  package var nanoseconds: UInt64
  /// The coverage of the tests, if it was measured.
  package var coverage: CoverageReport?
  /// The cost of requests, if it was measured.
  package var cost: CostReport?

  /// Creates the report of some suites.
  package init(suites: [Suite], nanoseconds: UInt64, coverage: CoverageReport? = nil) {
    self.suites = suites
    self.nanoseconds = nanoseconds
    self.coverage = coverage
  }

  /// The number of tests that were run.
  package var testCount: Int { suites.reduce(0) { $0 + $1.testCount } }

  /// The claims of all suites.
  package var claims: [ClaimResult] { suites.flatMap { $0.claims } }

  /// The number of requests that the emulator decided differently.
  var disagreementCount: Int {
    suites.reduce(0) { $0 + ($1.replay?.disagreements.count ?? 0) }
  }

  /// The number of tests that failed.
  var failedCount: Int { suites.reduce(0) { $0 + $1.failedCount } }

  /// The outcome of the run.
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

  /// Adds the counts of other tests.
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

  /// The warnings about the data, one a line.
  var warningLines: [String] {
    warnings.map { warning in
      let place = source.position(of: warning.range?.start ?? 0)
      return "\(source.name):\(place.line):\(place.column): warning: \(warning.message)"
    }
  }

  /// Calls a function with the entry of each test in a format, in order: the entries that were written
  /// before, or those that `make` returns for each result and its time.
  func forEachEntry(
    of format: TestReport.Format,
    made make: (TestResult, _ nanoseconds: UInt64, TestReport.Context) -> String,
    _ body: (String) -> Void
  ) {
    if let entries, entries(format, body) { return }
    let context = TestReport.Context(source: source, rules: rules)
    for (place, result) in results.enumerated() { body(make(result, time(at: place), context)) }
  }

  /// Returns the time that the test at an index took.
  func time(at place: Int) -> UInt64 { place < times.count ? times[place] : 0 }
}

extension TestResult {
  /// True if the emulator decides the request by chance, so that the test is not reliable.
  package var isByChance: Bool { decision?.isByChance == true }

  /// Notes that are shown even if the test passed, a sentence each.
  var remarks: [String] { isByChance ? decision?.notes ?? [] : [] }

  /// The request in words, `update /users/alice as mallory`; of a test with steps, that of the step that
  /// reports show.
  var request: String {
    let test = telling.test
    return "\(decision?.verb(test) ?? test.verb) \(test.path) as \(test.askerName)"
  }

  /// The range of the request in the suite.
  var place: SourceRange { telling.test.range }

  /// The result without traces, which are large and only needed for explanations.
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
