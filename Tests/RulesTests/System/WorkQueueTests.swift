import Synchronization
import Testing

@testable import RulesHost

/// Work that is taken up while more of it is added.
@Suite struct WorkQueueTests {
  @Test(arguments: [0, 1, 3, 40])
  func everyPieceIsDoneOnceAndTheResultsAreInOrder(_ helpers: Int) {
    let runs = Mutex(Array(repeating: 0, count: 300))
    var queue = WorkQueue<Int, Int> { 0 }
    for round in 0..<100 {
      let works = (0..<3).map { place in
        { @Sendable (kept: inout Int) in
          kept += 1
          runs.withLock { $0[round * 3 + place] += 1 }
          return round * 3 + place
        }
      }
      queue.add(works, helpers: helpers)
    }
    var last = 0
    let results = queue.finish { percent in
      #expect(percent <= 100)
      last = max(last, percent)
    }
    #expect(results == Array(0..<300))
    #expect(runs.withLock { $0.allSatisfy { $0 == 1 } })
    // Without helpers it is the calling thread that comes to the end.
    if helpers == 0 { #expect(last == 100) }
  }

  @Test func eachThreadKeepsItsOwnFromPieceToPiece() {
    var queue = WorkQueue<Int, Int> { 0 }
    let works = (0..<50).map { _ in
      { @Sendable (kept: inout Int) in
        kept += 1
        return kept
      }
    }
    queue.add(works, helpers: 0)
    // The calling thread begins at the end.
    #expect(queue.finish { _ in } == Array((1...50).reversed()))
  }

  @Test func anEmptyQueueIsDoneAtOnce() {
    var queue = WorkQueue<Int, Int> { 0 }
    queue.add([], helpers: 5)
    #expect(queue.finish { _ in } == [])
  }
}
