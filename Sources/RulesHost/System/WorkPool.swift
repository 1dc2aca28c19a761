import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A work pool that starts while further work is still being added, and combines the results in the order in
/// which the work was added.
///
/// Work comes in runs that have much in common, and a thread stays with its run: its own state is kept within
/// a run and reset for another one. Only when all runs have started does a thread take over the second half
/// of what is left of one. Threads end when no work is left and are started again when some is added, so none
/// ever waits.
package struct WorkPool<Piece: Sendable, Own, Total: Sendable> {
  /// A piece of work with the state of its thread.
  package typealias Work = @Sendable (inout Own) -> Piece

  /// Work that one thread does in order.
  private struct Run {
    /// The numbers of the remaining work.
    var open: Range<Int>
    var isBegun = false
  }

  private struct State {
    /// The work by number; nil once it is taken.
    var works: [Work?] = []
    var runs: [Run] = []
    /// The index before which all runs have started.
    var nextRun = 0
    var taken = 0
    var done = 0
    /// The number of helper threads that are running.
    var threads = 0

    /// Adds runs and returns the number of threads to start for them.
    mutating func add(_ added: [[Work]], helpers: Int) -> Int {
      for run in added where !run.isEmpty {
        runs.append(Run(open: works.count..<works.count + run.count))
        works += run
      }
      let missing = max(0, min(helpers - threads, works.count - taken))
      threads += missing
      return missing
    }

    /// Takes the next work of a thread's run, or of another run, which becomes the thread's; nil if none is
    /// left.
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

  /// The run and the own state of a thread.
  private struct Place {
    var run: Int?
    var kept: Own
  }

  /// The state that the threads share.
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

    /// Does work until none is left, starting after `patience` nanoseconds.
    func help(after patience: UInt64) {
      wait(patience)
      var place = Place(run: nil, kept: own())
      while doNext(&place, isHelper: true) != nil {}
    }

    /// Does one piece of work and returns the percentage that is done; nil if none is left.
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

    /// Waits for `patience` nanoseconds, or until no work is left.
    private func wait(_ patience: UInt64) {
      let start = Clock.nanoseconds
      while Clock.nanoseconds - start < patience,
        state.withLock({ $0.taken < $0.works.count })
      {
        usleep(Self.nap)
      }
    }

    /// Microseconds between two looks of a waiting thread.
    private static var nap: UInt32 { 100 }
  }

  private let shared: Shared
  private var threads: [WorkerThread] = []

  /// Creates an empty pool.
  ///
  /// - Parameters:
  ///   - total: The initial total.
  ///   - own: Creates the state of a thread for a run.
  ///   - combine: Adds a piece to the total. It is never called by two threads at once.
  package init(
    _ total: Total, keeping own: @escaping @Sendable () -> Own,
    combining combine: @escaping @Sendable (inout Total, Piece) -> Void
  ) {
    shared = Shared(total, own: own, combine: combine)
  }

  /// Adds runs of work.
  ///
  /// - Parameters:
  ///   - helpers: Maximum helper threads.
  ///   - patience: Nanoseconds after which helpers start, if a thread's own state is worth more than a second
  ///     thread.
  package mutating func add(_ runs: [[Work]], helpers: Int, patience: UInt64 = 0) {
    let missing = shared.state.withLock { $0.add(runs, helpers: helpers) }
    for _ in 0..<missing {
      let thread = WorkerThread { [shared] in shared.help(after: patience) }
      if let thread { threads.append(thread) } else { shared.state.withLock { $0.threads -= 1 } }
    }
  }

  /// Does the remaining work and waits for all of it. The pool is then empty and keeps its total.
  ///
  /// - Parameter progress: Takes the percentage that is done.
  package mutating func finish(progress: (Int) -> Void = { _ in }) {
    var place = Place(run: nil, kept: shared.own())
    while let done = shared.doNext(&place, isHelper: false) { progress(done) }
    for thread in threads { thread.join() }
    threads = []
    shared.state.withLock { $0 = State() }
    shared.outcome.withLock { $0.order = ReorderBuffer() }
  }

  /// Calls a function with the current total, which it may change.
  package func withTotal<Result: Sendable>(_ body: (inout Total) -> Result) -> Result {
    shared.outcome.withLock { body(&$0.total) }
  }
}

extension WorkPool where Own == Void, Total == [Piece] {
  /// Returns the results of a function for each index below `count`, in order, on up to `jobs` threads
  /// including the calling one.
  package static func map(
    _ count: Int, jobs: Int, _ make: @escaping @Sendable (Int) -> Piece
  ) -> [Piece] {
    var pool = WorkPool([], keeping: {}, combining: { $0.append($1) })
    pool.add((0..<count).map { index in [{ _ in make(index) }] }, helpers: jobs - 1)
    pool.finish()
    return pool.withTotal { $0 }
  }
}
