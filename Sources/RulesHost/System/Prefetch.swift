import Synchronization

/// A prefetch: one thread uses pieces in order, while another one already makes those that come next.
package struct Prefetch<Piece: Sendable> {
  private struct State {
    /// The first piece that nobody has begun.
    var next = 0
    /// The pieces before this one may be begun.
    var limit = 0
    /// The pieces that are made and not used yet.
    var made: [Int: Piece] = [:]
    /// Whether there is a thread that helps.
    var isHelped = false
  }

  /// What the threads share.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let make: @Sendable (Int) -> Piece

    init(_ make: @escaping @Sendable (Int) -> Piece) { self.make = make }

    /// Makes the next piece; false if there is none to be made now.
    func makeNext(isHelper: Bool) -> Bool {
      let index = state.withLock { state -> Int? in
        guard state.next < state.limit else {
          if isHelper { state.isHelped = false }
          return nil
        }
        state.next += 1
        return state.next - 1
      }
      guard let index else { return false }
      let piece = make(index)
      state.withLock { $0.made[index] = piece }
      return true
    }
  }

  private let shared: Shared
  private let count: Int
  private let isHelped: Bool
  private var helper: WorkerThread?

  /// So many pieces are made before the first of them is used: what they take stays bounded.
  private static var lead: Int { 4 }

  /// Prepares so many pieces, to be made by `make` in any order; by one more thread if there may be
  /// several `jobs`.
  package init(_ count: Int, jobs: Int, make: @escaping @Sendable (Int) -> Piece) {
    self.count = count
    isHelped = jobs > 1
    shared = Shared(make)
  }

  /// The piece at an index. Each is to be taken once, in order.
  package mutating func take(_ index: Int) -> Piece {
    allow(upTo: min(count, index + 1 + Self.lead))
    while true {
      if let piece = shared.state.withLock({ $0.made.removeValue(forKey: index) }) { return piece }
      // If there is nothing left to begin, the helper is at this very piece.
      if !shared.makeNext(isHelper: false) { join() }
    }
  }

  private mutating func allow(upTo limit: Int) {
    let needsHelper = shared.state.withLock { state in
      state.limit = limit
      // One piece this thread makes by itself.
      guard isHelped, !state.isHelped, state.limit - state.next > 1 else { return false }
      state.isHelped = true
      return true
    }
    guard needsHelper else { return }
    join()
    let shared = shared
    helper = WorkerThread { while shared.makeNext(isHelper: true) {} }
    if helper == nil { shared.state.withLock { $0.isHelped = false } }
  }

  private mutating func join() {
    helper?.join()
    helper = nil
  }
}
