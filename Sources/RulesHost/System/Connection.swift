#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A TCP connection whose every operation ends by a deadline, whatever the other side does.
///
/// A limit on each single read would not bound the whole: a server that sends one byte a minute would
/// hold its client for ever. So the deadline is a moment, and each wait is for what is left until then.
struct Connection: ~Copyable {
  private let descriptor: Int32

  /// The moment after which nothing more is waited for.
  struct Deadline {
    /// In nanoseconds of `Clock.nanoseconds`.
    private let moment: UInt64
    /// How long after its making the deadline is, in seconds; for messages.
    let seconds: Double

    /// Makes the deadline that is `seconds` from now.
    init(seconds: Double) {
      self.seconds = seconds
      moment = Clock.nanoseconds + UInt64(max(0, seconds) * 1e9)
    }

    /// Whether the moment has come.
    var isOver: Bool { Clock.nanoseconds >= moment }

    /// What is left, in milliseconds, rounded up; 0 once it is over.
    var milliseconds: Int32 {
      let now = Clock.nanoseconds
      return now >= moment ? 0 : Int32(clamping: (moment - now + 999_999) / 1_000_000)
    }
  }

  /// Connects to the first address of a host that accepts.
  ///
  /// - Throws: `noConnection` if none does, `late` if that is not known by the deadline.
  init(host: String, port: UInt16, by deadline: Deadline) throws(HTTPProblem) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else {
      throw .noConnection("the host \(host) is not known")
    }
    defer { freeaddrinfo(found) }
    var next = found
    while let candidate = next {
      let info = candidate.pointee
      let attempt = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
      if attempt >= 0 {
        if Self.open(attempt, to: info, by: deadline) {
          descriptor = attempt
          return
        }
        close(attempt)
      }
      next = info.ai_next
    }
    // Who does not answer in time may well be there.
    if deadline.isOver { throw Self.late(deadline) }
    throw .noConnection("nothing listens on \(host):\(port)")
  }

  deinit { close(descriptor) }

  private static func open(_ attempt: Int32, to info: addrinfo, by deadline: Deadline) -> Bool {
    guard fcntl(attempt, F_SETFL, fcntl(attempt, F_GETFL) | O_NONBLOCK) == 0 else { return false }
    var flag: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    // Small requests must not wait for the answer to the one before.
    setsockopt(attempt, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, size)
    #if canImport(Glibc)
      let isOpen = Glibc.connect(attempt, info.ai_addr, info.ai_addrlen) == 0
    #elseif canImport(Musl)
      let isOpen = Musl.connect(attempt, info.ai_addr, info.ai_addrlen) == 0
    #else
      let isOpen = Darwin.connect(attempt, info.ai_addr, info.ai_addrlen) == 0
    #endif
    if isOpen { return true }
    guard errno == EINPROGRESS, wait(attempt, for: POLLOUT, by: deadline) else { return false }
    var problem: Int32 = 0
    var length = size
    return getsockopt(attempt, SOL_SOCKET, SO_ERROR, &problem, &length) == 0 && problem == 0
  }

  /// Waits until a socket is ready; false if it is not by the deadline.
  private static func wait(_ descriptor: Int32, for events: Int32, by deadline: Deadline) -> Bool {
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = poll(&waiting, 1, deadline.milliseconds)
      if count > 0 { return true }
      if count == 0 && deadline.isOver || count < 0 && errno != EINTR { return false }
    }
  }

  /// Sends all bytes.
  ///
  /// - Throws: `broken` if they are not all taken by the deadline.
  func send(_ bytes: [UInt8], by deadline: Deadline) throws(HTTPProblem) {
    var sent = 0
    while sent < bytes.count {
      guard Self.wait(descriptor, for: POLLOUT, by: deadline) else { throw Self.late(deadline) }
      // Safe: the buffer does not leave the call and is at least as long as what is sent of it.
      let count = bytes.withUnsafeBytes { buffer in
        sendSome(UnsafeRawBufferPointer(rebasing: buffer[sent...]))
      }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { throw .broken(FileSystem.lastError) }
      sent += count
    }
  }

  private func sendSome(_ bytes: UnsafeRawBufferPointer) -> Int {
    // Who hangs up while we send is an error of this connection, not the end of this process.
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    #elseif canImport(Musl)
      Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  /// Appends what has come, at least one byte.
  ///
  /// - Throws: `broken` if nothing comes by the deadline, or the other side has hung up.
  func receive(into buffer: inout [UInt8], by deadline: Deadline) throws(HTTPProblem) {
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      guard Self.wait(descriptor, for: POLLIN, by: deadline) else { throw Self.late(deadline) }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else {
        throw .broken(count == 0 ? "the connection was closed" : FileSystem.lastError)
      }
      buffer.append(contentsOf: chunk[..<count])
      // A server that always has one more byte must not make its client wait for ever, either.
      guard !deadline.isOver else { throw Self.late(deadline) }
      return
    }
  }

  private static func late(_ deadline: Deadline) -> HTTPProblem {
    .late("no whole answer within \(Self.text(deadline.seconds)) seconds")
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }
}
