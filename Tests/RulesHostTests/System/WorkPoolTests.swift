import Synchronization
import Testing

@testable import RulesHost

/// Work that is taken up while more of it is added, and combined in order.
@Suite struct WorkPoolTests {
  /// A pool whose threads count the works that they do without changing to another run.
  private static func pool() -> WorkPool<Int, Int, [Int]> {
    WorkPool([], keeping: { 0 }, combining: { $0.append($1) })
  }

  @Test(arguments: [0, 1, 3, 40])
  func everyPieceIsDoneOnceAndTheResultsAreInOrder(_ helpers: Int) {
    let runs = Mutex(Array(repeating: 0, count: 300))
    var pool = Self.pool()
    for round in 0..<100 {
      let works = (0..<3).map { place in
        { @Sendable (kept: inout Int) in
          kept += 1
          runs.withLock { $0[round * 3 + place] += 1 }
          return round * 3 + place
        }
      }
      pool.add([works], helpers: helpers)
    }
    var last = 0
    pool.finish { percent in
      #expect(percent <= 100)
      last = max(last, percent)
    }
    #expect(pool.withTotal { $0 } == Array(0..<300))
    #expect(runs.withLock { $0.allSatisfy { $0 == 1 } })
    // Without helpers it is the calling thread that comes to the end.
    if helpers == 0 { #expect(last == 100) }
  }

  @Test func whatAThreadKeepsBeginsAnewWithEachRun() {
    var pool = Self.pool()
    let run = (0..<4).map { _ in
      { @Sendable (kept: inout Int) in
        kept += 1
        return kept
      }
    }
    pool.add([run, run, []], helpers: 0)
    pool.finish()
    #expect(pool.withTotal { $0 } == [1, 2, 3, 4, 1, 2, 3, 4])
  }

  @Test func aPoolGoesOnAfterItsEnd() {
    var pool = Self.pool()
    pool.add([[{ _ in 1 }]], helpers: 2)
    pool.finish()
    pool.add([[{ _ in 2 }], [{ _ in 3 }]], helpers: 2)
    pool.finish()
    #expect(pool.withTotal { $0 } == [1, 2, 3])
  }

  @Test func aPieceWaitsForThoseBeforeIt() {
    let seen = Mutex<[Int]>([])
    var pool = Self.pool()
    // Of two threads the one that is at the first work cannot end it before the second has been done.
    let isSecondDone = Mutex(false)
    pool.add(
      [
        [
          { _ in
            while !isSecondDone.withLock({ $0 }) {}
            seen.withLock { $0.append(1) }
            return 1
          }
        ],
        [
          { _ in
            seen.withLock { $0.append(2) }
            isSecondDone.withLock { $0 = true }
            return 2
          }
        ],
      ], helpers: 1)
    pool.finish()
    #expect(seen.withLock { $0 } == [2, 1])
    #expect(pool.withTotal { $0 } == [1, 2])
  }

  @Test func whoIsLateTakesOverTheSecondHalfOfARun() {
    let isJoined = Mutex(false)
    var pool = Self.pool()
    // The first work ends only when another thread has begun: that one is at the middle of the run.
    let run = (0..<10).map { place in
      { @Sendable (kept: inout Int) in
        if place == 0 {
          while !isJoined.withLock({ $0 }) {}
        } else {
          isJoined.withLock { $0 = true }
        }
        kept += 1
        return kept
      }
    }
    pool.add([run], helpers: 1)
    pool.finish()
    let kept = pool.withTotal { $0 }
    // Nine were left, of which the first four stay where they are.
    #expect(kept[0] == 1 && kept[5] == 1)
  }

  @Test func aHelperThatIsPatientIsNotNeeded() {
    var pool = Self.pool()
    let run = (0..<50).map { _ in
      { @Sendable (kept: inout Int) in
        kept += 1
        return kept
      }
    }
    pool.add([run], helpers: 3, patience: 1 << 40)
    pool.finish()
    #expect(pool.withTotal { $0 } == Array(1...50))
  }

  @Test func anEmptyPoolIsDoneAtOnce() {
    var pool = Self.pool()
    pool.add([], helpers: 5)
    pool.add([[]], helpers: 5)
    pool.finish()
    #expect(pool.withTotal { $0 } == [])
  }

  @Test(arguments: [1, 2, 9])
  func mapGivesResultsInOrder(_ jobs: Int) {
    #expect(WorkPool.map(100, jobs: jobs) { $0 * 2 } == (0..<100).map { $0 * 2 })
  }
}
