import Synchronization

/// A sequence of pieces that one thread uses in order while another one makes the next ones.
package struct Prefetch<Piece: Sendable> {
  private struct State {
    /// The first piece that is not begun.
    var next = 0
    /// The end of the pieces that may be begun.
    var limit = 0
    /// The pieces that are made and not used.
    var made: [Int: Piece] = [:]
    /// True if a helper thread is running.
    var isHelped = false
  }

  /// The state that the threads share.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let make: @Sendable (Int) -> Piece

    init(_ make: @escaping @Sendable (Int) -> Piece) { self.make = make }

    /// Makes the next piece; returns false if none may be begun now.
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

  /// Maximum pieces that are made ahead of the one in use, which bounds memory.
  private static var lead: Int { 4 }

  /// Creates a sequence of `count` pieces, which `make` makes in any order. A second thread helps if `jobs`
  /// is greater than 1.
  package init(_ count: Int, jobs: Int, make: @escaping @Sendable (Int) -> Piece) {
    self.count = count
    isHelped = jobs > 1
    shared = Shared(make)
  }

  /// Returns the piece at an index.
  ///
  /// - Requires: Each piece is taken once, in order.
  package mutating func take(_ index: Int) -> Piece {
    allow(upTo: min(count, index + 1 + Self.lead))
    while true {
      if let piece = shared.state.withLock({ $0.made.removeValue(forKey: index) }) { return piece }
      // If no piece is left to start, the helper is making this one.
      if !shared.makeNext(isHelper: false) { join() }
    }
  }

  private mutating func allow(upTo limit: Int) {
    let needsHelper = shared.state.withLock { state in
      state.limit = limit
      // A single piece is made by this thread itself.
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
