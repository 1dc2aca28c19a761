import RulesEval
import RulesLang

/// Runs the tests of a stream portion by portion, on any thread, and keeps no more than the reports
/// ask for.
struct PortionRunner: Sendable {
  /// The suite.
  let stream: SuiteStream
  /// The rules, compiled.
  let program: Program
  /// The rules.
  let engine: Engine
  /// The time for tests that set none.
  let now: Timestamp
  /// What the names of the wanted tests contain.
  let filter: String?
  /// Whether a test that fails is run once more with a trace.
  let explainsFailed: Bool
  /// Whether tests that passed are reported one by one.
  let keepsPassed: Bool

  /// What came of a portion.
  struct Portion: Sendable {
    /// Whether all its tests could be read.
    var isReadable = true
    /// What is kept, in order.
    var results: [TestResult] = []
    /// How long each of these took, in nanoseconds.
    var times: [UInt64] = []
    /// How many passed and were not kept.
    var unkeptCount = 0
  }

  /// Runs a portion.
  func run(_ number: Int) -> Portion {
    var portion = Portion()
    guard let tests = stream.tests(number) else {
      portion.isReadable = false
      return portion
    }
    var machine = Machine(program, profile: engine.profile)
    for test in tests where filter.map({ test.displayName.contains($0) }) ?? true {
      let started = Clock.nanoseconds
      var result = machine.run(test, documents: stream.suite.documents, now: now)
      let time = Clock.nanoseconds - started
      if result.isPassed {
        guard keepsPassed else {
          portion.unkeptCount += 1
          continue
        }
        result = result.withoutValues
      } else if explainsFailed {
        result = engine.run(test, documents: stream.suite.documents, now: now, tracing: true)
      }
      portion.results.append(result)
      portion.times.append(time)
    }
    return portion
  }
}

extension TestResult {
  /// The result without the documents, which no report of a test that passed shows.
  fileprivate var withoutValues: TestResult {
    var copy = self
    copy.test.documents = []
    copy.test.principal = nil
    copy.test.subject = .operation(.get([]))
    guard var decision else { return copy }
    for place in decision.accesses.indices {
      decision.accesses[place].access.request = .null
      decision.accesses[place].access.resource = .success(.null)
    }
    copy.decision = decision
    return copy
  }
}
