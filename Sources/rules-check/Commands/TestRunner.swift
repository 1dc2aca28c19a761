import RulesEval

/// Runs the tests of one suite by their numbers, each by itself.
struct TestRunner: Sendable {
  /// The tests.
  let tests: [Test]
  /// The rules.
  let engine: Engine
  /// What is stored before each test.
  let documents: Documents
  /// The time for tests that set none.
  let now: Timestamp
  /// Whether every test is traced.
  let isTraced: Bool
  /// Whether a test that fails is run once more with a trace.
  let explainsFailed: Bool

  /// Runs a test and tells how long it took.
  func run(_ number: Int) -> (result: TestResult, nanoseconds: UInt64) {
    let started = Clock.nanoseconds
    var result = engine.run(
      tests[number], documents: documents, now: now, tracing: isTraced)
    let nanoseconds = Clock.nanoseconds - started
    if !isTraced, explainsFailed, !result.isPassed {
      result = engine.run(tests[number], documents: documents, now: now, tracing: true)
    }
    return (result, nanoseconds)
  }
}
