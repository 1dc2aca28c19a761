import RulesEval
import RulesHost

/// Runs the tests of one suite, some at a time.
struct TestRunner: Sendable {
  /// The tests.
  let tests: [Test]
  /// The rules.
  let engine: Engine
  /// What is stored before each test.
  let documents: Documents
  /// The time for tests that set none.
  let now: Timestamp
  /// The rules as a marked program, if every test is traced.
  let program: Program?
  /// Whether a test that fails is run once more with a trace.
  let explainsFailed: Bool

  /// How many tests are run at a time.
  static let portionSize = 32

  /// How many portions there are.
  var portionCount: Int { (tests.count + Self.portionSize - 1) / Self.portionSize }

  /// Runs the tests of a portion, and tells how long each took.
  func run(_ number: Int) -> [(result: TestResult, nanoseconds: UInt64)] {
    let first = number * Self.portionSize
    let tests = tests[first..<min(first + Self.portionSize, tests.count)]
    guard let program else { return tests.map { run($0) } }
    var machine = Machine(program, profile: engine.profile)
    var results: [(result: TestResult, nanoseconds: UInt64)] = []
    for test in tests {
      let started = Clock.nanoseconds
      let result = machine.run(test, documents: documents, now: now, tracing: true)
      results.append((result, Clock.nanoseconds - started))
    }
    return results
  }

  /// Runs a test by the reference: for few tests that takes less time than to compile the rules.
  private func run(_ test: Test) -> (result: TestResult, nanoseconds: UInt64) {
    let started = Clock.nanoseconds
    var result = engine.run(test, documents: documents, now: now)
    let nanoseconds = Clock.nanoseconds - started
    if explainsFailed, !result.isPassed {
      result = engine.run(test, documents: documents, now: now, tracing: true)
    }
    return (result, nanoseconds)
  }
}
