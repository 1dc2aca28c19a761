#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Work on several cores at once.
enum Workers {
  /// How many cores there are.
  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// A piece of work and its result.
  private final class Job<Result: Sendable>: @unchecked Sendable {
    // Safe: one thread runs the job, and the result is read after that thread has ended.
    private let work: @Sendable () -> Result
    private(set) var result: Result?

    init(_ work: @escaping @Sendable () -> Result) { self.work = work }

    func run() { result = work() }
  }

  /// Does every piece of work, each on a thread of its own; the results are in the order of the work.
  static func run<Result: Sendable>(_ work: [@Sendable () -> Result]) -> [Result] {
    let jobs = work.map { Job($0) }
    var threads: [Thread] = []
    // This thread takes the first piece, and whatever the system gives no thread for.
    var own: [Job<Result>] = []
    for (place, job) in jobs.enumerated() {
      if place > 0, let thread = Thread({ job.run() }) {
        threads.append(thread)
      } else {
        own.append(job)
      }
    }
    for job in own { job.run() }
    for thread in threads { thread.join() }
    return jobs.compactMap { $0.result }
  }
}

/// A thread of the system.
private struct Thread {
  private let handle: pthread_t

  /// Deep enough for the deepest expression, whatever the system's own default is.
  private static let stackSize = 16 << 20

  /// What a thread is to do.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread; nil if the system has none.
  init?(_ run: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    let body = Unmanaged.passRetained(Body(run))
    // Safe: the new thread takes over the one reference that was retained for it.
    #if canImport(Darwin)
      var handle: pthread_t?
      let status = pthread_create(
        &handle, &attributes,
        { argument in
          Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, body.toOpaque())
      guard status == 0, let handle else {
        body.release()
        return nil
      }
    #else
      var handle = pthread_t()
      let status = pthread_create(
        &handle, &attributes,
        { argument in
          if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
          return nil
        }, body.toOpaque())
      guard status == 0 else {
        body.release()
        return nil
      }
    #endif
    self.handle = handle
  }

  /// Waits for its end.
  func join() { pthread_join(handle, nil) }
}
