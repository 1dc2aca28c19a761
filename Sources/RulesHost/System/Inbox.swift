import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The events of one thread that waits for both an open file and work of other threads.
package final class Inbox<Result: Sendable>: Sendable {
  /// An event.
  package enum Event: Sendable {
    /// Bytes read from the file.
    case input([UInt8])
    /// The result of a piece of work.
    case result(Result)
    /// The end of the file.
    case end
  }

  private let descriptor: Int32
  /// A pipe; a byte in it ends the wait.
  private let wake: (read: Int32, write: Int32)
  private let results = Mutex<[Result]>([])

  /// Maximum bytes of a read.
  private static var portion: Int { 1 << 16 }

  /// Creates an inbox for standard input, or another file; a closed standard input counts as empty.
  ///
  /// - Throws: `FileProblem` if the system gives no pipe.
  package init(reading descriptor: Int32 = 0) throws(FileProblem) {
    self.descriptor = descriptor
    // If the file is closed, the pipe would take its number, and the wait would never end.
    if fcntl(descriptor, F_GETFD) == -1 { _ = open("/dev/null", O_RDONLY) }
    let ends = try PrivateDescriptors.pipe()
    wake = (ends.reading, ends.writing)
  }

  deinit {
    close(wake.read)
    close(wake.write)
  }

  /// Runs work on a thread of its own; its result is an event. If the system has no thread left, the work is
  /// done before this returns.
  package func start(_ work: @escaping @Sendable () -> Result) {
    let body: @Sendable () -> Void = { [self] in add(work()) }
    if WorkerThread(body) == nil { body() }
  }

  /// Adds a result, from any thread.
  package func add(_ result: Result) {
    results.withLock { $0.append(result) }
    _ = FileSystem.write([0], descriptor: wake.write)
  }

  /// Waits for events and returns them; empty if none comes in time. Nil waits without limit. After the end
  /// of the file, pass false for `isReading` to wait for work alone.
  package func wait(milliseconds: Int?, isReading: Bool = true) -> [Event] {
    var files = [
      // The system ignores a negative descriptor.
      pollfd(fd: isReading ? descriptor : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
    ]
    // Safe: the buffer does not leave the call.
    let count = files.withUnsafeMutableBufferPointer { buffer in
      poll(buffer.baseAddress, nfds_t(buffer.count), Int32(milliseconds ?? -1))
    }
    guard count > 0 else { return [] }
    var events: [Event] = []
    if files[1].revents != 0 {
      var bytes: [UInt8] = []
      _ = try? FileSystem.read(wake.read, of: "pipe", upTo: Self.portion, into: &bytes)
      let done = results.withLock { results in
        defer { results = [] }
        return results
      }
      events += done.map { .result($0) }
    }
    if files[0].revents != 0 { events.append(read()) }
    return events
  }

  private func read() -> Event {
    var bytes: [UInt8] = []
    let count = try? FileSystem.read(
      descriptor, of: "standard input", upTo: Self.portion, into: &bytes)
    return (count ?? 0) > 0 ? .input(bytes) : .end
  }
}
