#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread of the operating system, for independent pieces of work.
struct WorkerThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Bytes of stack. Evaluation recurses as deep as conditions nest, up to the budget.
  private static let stackSize = 16 << 20

  private let handle: pthread_t

  /// Starts a thread; nil if the system has none left.
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
    let status = pthread_create(&handle, &attributes, { WorkerThread.main($0) }, body.toOpaque())
    guard status == 0 else {
      body.release()
      return nil
    }
    #if canImport(Darwin)
      guard let handle else { return nil }
    #endif
    self.handle = handle
  }

  /// Runs the body of a thread and releases it.
  private static func enter(_ pointer: UnsafeMutableRawPointer) {
    // Safe: the pointer is the retained body that `init` passed, once.
    Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
  }

  /// Waits until the thread has ended.
  func join() { pthread_join(handle, nil) }

  #if canImport(Darwin)
    private static func main(
      _ pointer: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer? {
      enter(pointer)
      return nil
    }
  #else
    private static func main(
      _ pointer: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
      if let pointer { enter(pointer) }
      return nil
    }
  #endif
}
