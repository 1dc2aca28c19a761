import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A work pool with a reorder buffer: takes up work while more of it is still being found, and combines
/// what comes of it in the order in which the work was added.
///
/// Works come in runs that have much in common, and a thread stays with its run: what it keeps of its own
/// from one work to the next begins anew with another run. Only when all runs have been begun does a
/// thread join another one, and takes over the second half of what that one has left. Threads end
/// when there is nothing left to do, and are started again when there is: so nobody ever waits for
/// work.
package struct WorkPool<Piece: Sendable, Own, Total: Sendable> {
  /// A piece of work. Each thread keeps something of its own from one piece to the next.
  package typealias Work = @Sendable (inout Own) -> Piece

  /// Works that one thread does after each other.
  private struct Run {
    /// The numbers of those that are left.
    var open: Range<Int>
    var isBegun = false
  }

  private struct State {
    /// The works by their numbers; nil for those that were taken.
    var works: [Work?] = []
    var runs: [Run] = []
    /// All runs before this one were begun.
    var nextRun = 0
    var taken = 0
    var done = 0
    /// How many threads are at work, the calling one aside.
    var threads = 0

    /// Adds runs; how many threads are to be started for them.
    mutating func add(_ added: [[Work]], helpers: Int) -> Int {
      for run in added where !run.isEmpty {
        runs.append(Run(open: works.count..<works.count + run.count))
        works += run
      }
      let missing = max(0, min(helpers - threads, works.count - taken))
      threads += missing
      return missing
    }

    /// The next work of a thread's run, or of another run that it goes to.
    mutating func take(from run: inout Int?) -> (number: Int, work: Work)? {
      guard let place = place(after: run), let number = runs[place].open.popFirst() else {
        return nil
      }
      run = place
      runs[place].isBegun = true
      taken += 1
      defer { works[number] = nil }
      return works[number].map { (number, $0) }
    }

    private mutating func place(after run: Int?) -> Int? {
      if let run, !runs[run].open.isEmpty { return run }
      while nextRun < runs.count, runs[nextRun].isBegun { nextRun += 1 }
      if nextRun < runs.count { return nextRun }
      guard taken < works.count, let joined = runs.firstIndex(where: { !$0.open.isEmpty }) else {
        return nil
      }
      let open = runs[joined].open
      let middle = open.lowerBound + open.count / 2
      runs[joined].open = open.lowerBound..<middle
      runs.append(Run(open: middle..<open.upperBound))
      return runs.count - 1
    }
  }

  private struct Outcome: Sendable {
    var order = ReorderBuffer<Piece>()
    var total: Total
  }

  /// What a thread is at.
  private struct Place {
    var run: Int?
    var kept: Own
  }

  /// What the threads share.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let outcome: Mutex<Outcome>
    let own: @Sendable () -> Own
    let combine: @Sendable (inout Total, Piece) -> Void

    init(
      _ total: Total, own: @escaping @Sendable () -> Own,
      combine: @escaping @Sendable (inout Total, Piece) -> Void
    ) {
      outcome = Mutex(Outcome(total: total))
      self.own = own
      self.combine = combine
    }

    /// Does works until there are none.
    func help(after patience: UInt64) {
      wait(patience)
      var place = Place(run: nil, kept: own())
      while doNext(&place, isHelper: true) != nil {}
    }

    /// Does a work and tells how much of a hundred is done; nil, if there is none.
    func doNext(_ place: inout Place, isHelper: Bool) -> Int? {
      let before = place.run
      let taken = state.withLock { state -> (number: Int, work: Work)? in
        let taken = state.take(from: &place.run)
        if taken == nil, isHelper { state.threads -= 1 }
        return taken
      }
      guard let taken else { return nil }
      if before != nil, place.run != before { place.kept = own() }
      let piece = taken.work(&place.kept)
      outcome.withLock { outcome in
        for piece in outcome.order.take(piece, number: taken.number) {
          combine(&outcome.total, piece)
        }
      }
      return state.withLock { state in
        state.done += 1
        return state.done * 100 / state.works.count
      }
    }

    /// Waits so many nanoseconds, or until there is nothing left to do.
    private func wait(_ patience: UInt64) {
      let start = Clock.nanoseconds
      while Clock.nanoseconds - start < patience,
        state.withLock({ $0.taken < $0.works.count })
      {
        usleep(Self.nap)
      }
    }

    /// How long, in microseconds, a thread that waits does not look.
    private static var nap: UInt32 { 100 }
  }

  private let shared: Shared
  private var threads: [WorkerThread] = []

  /// Makes an empty pool. What a thread keeps begins as what `own` gives; `combine` adds a piece to what
  /// the pieces come to, and is never called by two threads at once.
  package init(
    _ total: Total, keeping own: @escaping @Sendable () -> Own,
    combining combine: @escaping @Sendable (inout Total, Piece) -> Void
  ) {
    shared = Shared(total, own: own, combine: combine)
  }

  /// Adds runs of works that have much in common. Up to `helpers` other threads begin at once; or only
  /// after so many nanoseconds of `patience`, if what one thread keeps is worth more than a second thread.
  package mutating func add(_ runs: [[Work]], helpers: Int, patience: UInt64 = 0) {
    let missing = shared.state.withLock { $0.add(runs, helpers: helpers) }
    for _ in 0..<missing {
      let thread = WorkerThread { [shared] in shared.help(after: patience) }
      if let thread { threads.append(thread) } else { shared.state.withLock { $0.threads -= 1 } }
    }
  }

  /// Does what is left, and waits until everything is done. `progress` is told how much of a hundred is
  /// done. Then the pool is empty, and keeps what the pieces have come to.
  package mutating func finish(progress: (Int) -> Void = { _ in }) {
    var place = Place(run: nil, kept: shared.own())
    while let done = shared.doNext(&place, isHelper: false) { progress(done) }
    for thread in threads { thread.join() }
    threads = []
    shared.state.withLock { $0 = State() }
    shared.outcome.withLock { $0.order = ReorderBuffer() }
  }

  /// Looks at what the pieces have come to so far, or changes it.
  package func withTotal<Result: Sendable>(_ body: (inout Total) -> Result) -> Result {
    shared.outcome.withLock { body(&$0.total) }
  }
}

extension WorkPool where Own == Void, Total == [Piece] {
  /// What a function gives for each index below `count`, in order, on up to `jobs` threads of which the
  /// calling one is the first.
  package static func map(
    _ count: Int, jobs: Int, _ make: @escaping @Sendable (Int) -> Piece
  ) -> [Piece] {
    var pool = WorkPool([], keeping: {}, combining: { $0.append($1) })
    pool.add((0..<count).map { index in [{ _ in make(index) }] }, helpers: jobs - 1)
    pool.finish()
    return pool.withTotal { $0 }
  }
}
