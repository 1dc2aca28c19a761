import Synchronization
import Testing

@testable import RulesHost

/// Pieces that are made ahead of the one that is used.
@Suite struct PrefetchTests {
  @Test(arguments: [1, 2, 8])
  func everyPieceIsMadeOnceAndTakenInOrder(_ jobs: Int) {
    for count in [0, 1, 2, 5, 6, 200] {
      let runs = Mutex(Array(repeating: 0, count: count))
      var pieces = Prefetch(count, jobs: jobs) { index in
        runs.withLock { $0[index] += 1 }
        return index * 10
      }
      for index in 0..<count { #expect(pieces.take(index) == index * 10) }
      #expect(runs.withLock { $0.allSatisfy { $0 == 1 } })
    }
  }

  @Test(arguments: [1, 2])
  func noMoreAreMadeThanAFewAhead(_ jobs: Int) {
    let greatest = Mutex(0)
    var pieces = Prefetch(60, jobs: jobs) { index in
      greatest.withLock { $0 = max($0, index) }
    }
    for index in 0..<60 {
      pieces.take(index)
      let made = greatest.withLock { $0 }
      #expect(made >= index && made <= index + 4)
    }
  }
}
