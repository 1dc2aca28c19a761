import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads for work that falls into independent pieces.
public enum Workers {
  /// What a piece of work gives for each index below `count`, in order, on up to `jobs` threads of
  /// which the calling one is the first. `progress` is called on that one with the number of pieces
  /// that are done.
  public static func map<Piece: Sendable>(
    _ count: Int, jobs: Int, work: @escaping @Sendable (Int) -> Piece,
    progress: (Int) -> Void = { _ in }
  ) -> [Piece] {
    map(
      count, jobs: jobs, keeping: {}, work: { (index, _: inout Void) in work(index) },
      progress: progress)
  }

  /// The same where each thread keeps something of its own from one piece of work to the next, which
  /// begins as what `own` gives. The other threads help only after so many nanoseconds of `patience`:
  /// what one thread has kept is often worth more than a second thread.
  public static func map<Piece: Sendable, Own>(
    _ count: Int, jobs: Int, patience: UInt64 = 0, keeping own: @escaping @Sendable () -> Own,
    work: @escaping @Sendable (Int, inout Own) -> Piece, progress: (Int) -> Void = { _ in }
  ) -> [Piece] {
    let queue = Queue(count, work: work)
    let threads = (1..<max(1, min(jobs, count))).compactMap { _ in
      Thread {
        guard queue.isLeft(after: patience) else { return }
        var kept = own()
        while queue.doNext(&kept) != nil {}
      }
    }
    var kept = own()
    while let done = queue.doNext(&kept) { progress(done) }
    for thread in threads { thread.join() }
    return queue.results
  }

  /// Indices that are still to be done, and what came of the others.
  private final class Queue<Piece: Sendable, Own>: Sendable {
    private struct State {
      var next = 0
      var done = 0
      var results: [Piece?]
    }

    private let state: Mutex<State>
    private let work: @Sendable (Int, inout Own) -> Piece

    init(_ count: Int, work: @escaping @Sendable (Int, inout Own) -> Piece) {
      state = Mutex(State(results: Array(repeating: nil, count: count)))
      self.work = work
    }

    /// Does the next piece and tells how many are done; nil if all are taken.
    func doNext(_ kept: inout Own) -> Int? {
      let index = state.withLock { state -> Int? in
        guard state.next < state.results.count else { return nil }
        state.next += 1
        return state.next - 1
      }
      guard let index else { return nil }
      let result = work(index, &kept)
      return state.withLock { state in
        state.results[index] = result
        state.done += 1
        return state.done
      }
    }

    /// Waits, and tells whether there is still something to do then.
    func isLeft(after patience: UInt64) -> Bool {
      let start = Clock.nanoseconds
      while state.withLock({ $0.next < $0.results.count }) {
        if Clock.nanoseconds - start >= patience { return true }
        usleep(Self.nap)
      }
      return false
    }

    /// How long, in microseconds, a thread that waits does not look.
    private static var nap: UInt32 { 100 }

    var results: [Piece] { state.withLock { $0.results.compactMap { $0 } } }
  }

  /// A thread.
  struct Thread {
    private final class Body: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// As deep as the stack of the first thread: conditions nest up to the budget.
    private static let stackSize = 16 << 20

    private let handle: pthread_t

    /// Starts a thread; nil if the system has none to spare, and then the others do its work.
    init?(_ run: @escaping @Sendable () -> Void) {
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setstacksize(&attributes, Self.stackSize)
      #if canImport(Darwin)
        var handle: pthread_t?
      #else
        var handle = pthread_t()
      #endif
      let body = Unmanaged.passRetained(Body(run))
      let status = pthread_create(&handle, &attributes, { Workers.workerMain($0) }, body.toOpaque())
      guard status == 0 else {
        body.release()
        return nil
      }
      #if canImport(Darwin)
        guard let handle else { return nil }
      #endif
      self.handle = handle
    }

    /// Runs the body that a thread was started with, and gives it up.
    fileprivate static func enter(_ pointer: UnsafeMutableRawPointer) {
      // Safe: the pointer is the retained body that `init` has passed, once.
      Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
    }

    /// Waits until the thread has ended.
    func join() { pthread_join(handle, nil) }
  }

  #if canImport(Darwin)
    private static func workerMain(
      _ pointer: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer? {
      Thread.enter(pointer)
      return nil
    }
  #else
    private static func workerMain(
      _ pointer: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
      if let pointer { Thread.enter(pointer) }
      return nil
    }
  #endif
}
