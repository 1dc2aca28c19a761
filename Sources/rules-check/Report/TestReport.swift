import RulesEval
import RulesLang

/// Everything that a report of `test` can say.
struct TestReport {
  /// What came of one suite.
  struct Suite {
    /// The text of the suite.
    var source: SourceText
    /// The rules file, as it was opened.
    var rulesPath: String
    /// The engine with the rules.
    var engine: Engine
    /// The tests that were run, in order.
    var results: [TestResult]
    /// What a running emulator said to the same requests, if it was asked.
    var replay: EmulatorReplay.Result?
  }

  /// The suites that could be run, in order.
  var suites: [Suite]
  /// How long it all took.
  var nanoseconds: UInt64

  /// The number of tests that were run.
  var testCount: Int { suites.reduce(0) { $0 + $1.results.count } }

  /// The number of requests that the emulator decided otherwise.
  var disagreementCount: Int {
    suites.reduce(0) { $0 + ($1.replay?.disagreements.count ?? 0) }
  }

  /// The number of tests that failed.
  var failedCount: Int {
    suites.reduce(0) { $0 + $1.results.filter { !$0.isPassed }.count }
  }
}

extension Test {
  /// The name with its groups and, where the test has a name of its own, who asks.
  var displayName: String { (groups + [name]).joined(separator: " > ") }
}
