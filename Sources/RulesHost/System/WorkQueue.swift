import Synchronization

/// Work that is taken up by other threads while more of it is still being found.
///
/// Threads end when there is nothing left to do, and are started again when there is: so nobody ever
/// waits for work. In the end the calling thread helps, from the other end: neighbouring pieces have
/// much in common, and two threads that share them would do that part twice.
public struct WorkQueue<Piece: Sendable, Own> {
  /// A piece of work. Each thread keeps something of its own from one piece to the next.
  public typealias Work = @Sendable (inout Own) -> Piece

  private struct State {
    var works: [Work] = []
    var results: [Piece?] = []
    /// The pieces that nobody has taken.
    var open = 0..<0
    var done = 0
    /// How many threads are at work, the calling one aside.
    var threads = 0
  }

  /// What the threads share.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let own: @Sendable () -> Own

    init(_ own: @escaping @Sendable () -> Own) { self.own = own }

    /// Does pieces from the front until there are none.
    func help() {
      var kept = own()
      while doNext(&kept, fromBack: false) != nil {}
    }

    /// Does a piece and tells how much of a hundred is done; nil, if there is none.
    func doNext(_ kept: inout Own, fromBack: Bool) -> Int? {
      let taken = state.withLock { state -> (number: Int, work: Work)? in
        guard let first = state.open.first, let last = state.open.last else {
          if !fromBack { state.threads -= 1 }
          return nil
        }
        let number = fromBack ? last : first
        state.open = fromBack ? first..<last : first + 1..<last + 1
        return (number, state.works[number])
      }
      guard let taken else { return nil }
      let result = taken.work(&kept)
      return state.withLock { state in
        state.results[taken.number] = result
        state.done += 1
        return state.done * 100 / state.works.count
      }
    }
  }

  private let shared: Shared
  private var threads: [Workers.Thread] = []

  /// Makes an empty queue; what a thread keeps begins as what `own` gives.
  public init(keeping own: @escaping @Sendable () -> Own) { shared = Shared(own) }

  /// Adds work, which up to `helpers` other threads begin at once.
  public mutating func add(_ works: [Work], helpers: Int) {
    let missing = shared.state.withLock { state in
      state.works += works
      state.results += works.map { _ in nil }
      state.open =
        state.open.isEmpty
        ? state.works.count - works.count..<state.works.count
        : state.open.lowerBound..<state.works.count
      let missing = max(0, min(helpers - state.threads, state.open.count))
      state.threads += missing
      return missing
    }
    for _ in 0..<missing {
      let shared = shared
      if let thread = Workers.Thread({ shared.help() }) {
        threads.append(thread)
      } else {
        shared.state.withLock { $0.threads -= 1 }
      }
    }
  }

  /// Does what is left, and gives what came of all work, in order. `progress` is told how much of a
  /// hundred is done.
  public func finish(progress: (Int) -> Void) -> [Piece] {
    var kept = shared.own()
    while let done = shared.doNext(&kept, fromBack: true) { progress(done) }
    for thread in threads { thread.join() }
    return shared.state.withLock { $0.results.compactMap { $0 } }
  }
}
