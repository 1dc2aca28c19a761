import RulesEval
import RulesHost
import RulesLang
import RulesReport

/// Runs the tests of a stream portion by portion, on any thread, and keeps no more than the reports
/// ask for.
struct PortionRunner: Sendable {
  /// The suite.
  let stream: SuiteStream
  /// The rules, compiled; as a marked program if every test is traced.
  let program: Program
  /// The rules.
  let engine: Engine
  /// The time for tests that set none.
  let now: Timestamp
  /// What the names of the wanted tests contain.
  let filter: String?
  /// Whether tests that failed are reported with traces.
  let explainsFailed: Bool
  /// Whether tests that passed are reported with traces, which needs a marked program.
  let explainsPassed: Bool
  /// What reports say of single tests is written down here.
  let pieces: TestPieces
  /// What the tests cover is gathered here, if it is measured.
  let coverage: CoverageCollector?
  /// Whether tests are kept that failed, or passed by chance, for reports that need all of a result.
  let keepsFailed: Bool

  /// What came of a portion.
  struct Portion: Sendable {
    /// Whether all its tests could be read.
    var isReadable = true
    /// What its tests came to.
    var tally = TestReport.Tally()
    /// What is kept, in order.
    var results: [TestResult] = []
    /// How long each of these took, in nanoseconds.
    var times: [UInt64] = []
    /// What is to be known of the data.
    var warnings: [Diagnostic] = []
  }

  /// Runs a portion.
  func run(_ number: Int) -> Portion {
    var portion = Portion()
    var batch = pieces.batch
    var traced: [TestResult] = []
    // Also after a portion that cannot be read the others have their turn.
    defer {
      pieces.add(batch, number: number)
      coverage?.add(traced, number: number)
    }
    guard let read = stream.read(number) else {
      portion.isReadable = false
      return portion
    }
    portion.warnings = read.warnings
    var machine = Machine(program, profile: engine.profile)
    for test in read.tests where filter.map({ test.displayName.contains($0) }) ?? true {
      let started = Clock.nanoseconds
      var result = machine.run(
        test, documents: stream.suite.documents, now: now, tracing: program.isMarked)
      let time = Clock.nanoseconds - started
      if coverage != nil { traced.append(result) }
      result = explained(result)
      portion.tally.add(result, nanoseconds: time)
      pieces.append(result, nanoseconds: time, to: &batch)
      if !keepsFailed || result.isPassed && !result.isByChance { continue }
      portion.results.append(result)
      portion.times.append(time)
    }
    return portion
  }

  /// The result with traces if it is to be explained, and otherwise without.
  private func explained(_ result: TestResult) -> TestResult {
    guard result.isPassed ? explainsPassed : explainsFailed else {
      return program.isMarked ? result.withoutTraces : result
    }
    return program.isMarked
      ? result
      : engine.run(result.test, documents: stream.suite.documents, now: now, tracing: true)
  }
}
