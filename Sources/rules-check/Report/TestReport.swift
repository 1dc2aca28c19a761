import RulesEval
import RulesHost
import RulesLang

/// Everything that a report of `test` can say.
struct TestReport {
  /// How many tests were run, and what came of them.
  struct Tally: Sendable {
    /// All of them.
    var tests = 0
    /// Those that were decided otherwise than they expect.
    var failed = 0
    /// Those that could not be decided.
    var unsupported = 0
    /// How long they took.
    var nanoseconds: UInt64 = 0
  }

  /// What came of one suite.
  struct Suite: Sendable {
    /// The text of the suite.
    var source: SourceText
    /// The rules file, as it was opened.
    var rulesPath: String
    /// The engine with the rules.
    var engine: Engine
    /// What its tests came to in all.
    var tally: Tally
    /// What came of them, in order; of a large suite only what reports cannot do without.
    var results: [TestResult]
    /// How long each of these took, in nanoseconds.
    var times: [UInt64] = []
    /// What reports say of single tests, where that was written down at once.
    var pieces: TestPieces?
    /// The claims that were examined, in order.
    var claims: [ClaimResult] = []
    /// What is to be known of the data, on the lines of the suite.
    var warnings: [Diagnostic] = []
    /// What a running emulator said to the same requests, if it was asked.
    var replay: EmulatorReplay.Result?
  }

  /// The suites that could be run, in order.
  var suites: [Suite]
  /// How long it all took.
  var nanoseconds: UInt64
  /// What the tests covered, if that was asked for.
  var coverage: CoverageReport?

  /// The number of tests that were run.
  var testCount: Int { suites.reduce(0) { $0 + $1.testCount } }

  /// The claims of all suites.
  var claims: [ClaimResult] { suites.flatMap { $0.claims } }

  /// The number of requests that the emulator decided otherwise.
  var disagreementCount: Int {
    suites.reduce(0) { $0 + ($1.replay?.disagreements.count ?? 0) }
  }

  /// The number of tests that failed.
  var failedCount: Int { suites.reduce(0) { $0 + $1.failedCount } }

  /// What the run comes to.
  var status: ExitStatus {
    let isFailure =
      failedCount > 0 || disagreementCount > 0 || coverage?.isTooLow == true
    return claims.reduce(isFailure ? .failure : .success) { $0.and($1.status) }
  }
}

extension TestReport.Tally {
  /// Counts a test.
  mutating func add(_ result: TestResult, nanoseconds: UInt64) {
    tests += 1
    self.nanoseconds += nanoseconds
    if result.isPassed { return }
    if result.decision == nil { unsupported += 1 } else { failed += 1 }
  }

  /// Counts the tests of another one.
  mutating func add(_ other: Self) {
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

  /// How long the test at a place took.
  func time(at place: Int) -> UInt64 { place < times.count ? times[place] : 0 }
}

extension TestResult {
  /// Whether the emulator decides the request by chance, so that nobody can rely on the test.
  var isByChance: Bool { decision?.isByChance == true }

  /// What is to be known even if the test passed, a sentence each.
  var remarks: [String] { isByChance ? decision?.notes ?? [] : [] }

  /// What the rules were asked: `update /users/alice as mallory`.
  var request: String {
    "\(decision?.verb(test) ?? test.verb) \(test.path) as \(test.askerName)"
  }

  /// The result without traces, which are large and belong only to what is to be explained.
  var withoutTraces: TestResult {
    var copy = self
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

extension Decision {
  /// The method that the rules were asked for; for several documents, what the test says.
  func verb(_ test: Test) -> String {
    if test.verb == "batch" { return test.verb }
    return accesses.first?.access.method.word ?? test.verb
  }
}
