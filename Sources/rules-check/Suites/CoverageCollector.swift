import RulesEval
import RulesHost
import RulesReport
import Synchronization

/// Gathers the coverage of one rules file from many threads, with the same result as from one.
final class CoverageCollector: Sendable {
  private struct State {
    var file: CoverageReport.File
    var order = ReorderBuffer<[TestResult]>()
  }

  private let state: Mutex<State>

  /// Goes on from what is known of the file.
  init(_ file: CoverageReport.File) { state = Mutex(State(file: file)) }

  /// Adds the traced results of a part of the tests. Parts are numbered from 0 without gaps; which
  /// values of an expression are listed depends on their order, so a part waits for those before it.
  func add(_ results: [TestResult], number: Int) {
    state.withLock { state in
      for results in state.order.take(results, number: number) { state.file.add(results) }
    }
  }

  /// What is known once all parts were added.
  var file: CoverageReport.File { state.withLock { $0.file } }
}
