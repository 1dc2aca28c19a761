#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A TCP connection whose operations all have a deadline.
///
/// A limit on each read would not bound an operation: a server that sends one byte a minute would hold its
/// client forever. So the deadline is a moment, and each wait lasts at most until then.
struct Connection: ~Copyable {
  private let descriptor: Int32

  /// The moment at which waiting ends.
  struct Deadline {
    /// The moment, in `Clock.nanoseconds`.
    private let moment: UInt64
    /// The seconds from creation to the deadline, for messages.
    let seconds: Double

    /// Creates the deadline that is `seconds` from now.
    init(seconds: Double) {
      self.seconds = seconds
      moment = Clock.nanoseconds + UInt64(max(0, seconds) * 1e9)
    }

    /// True if the moment has passed.
    var isOver: Bool { Clock.nanoseconds >= moment }

    /// The remaining milliseconds, rounded up; 0 after the deadline.
    var milliseconds: Int32 {
      let now = Clock.nanoseconds
      return now >= moment ? 0 : Int32(clamping: (moment - now + 999_999) / 1_000_000)
    }
  }

  /// Connects to the first address of a host that accepts.
  ///
  /// - Throws: `HTTPProblem.noConnection` if none accepts, `late` at the deadline.
  init(host: String, port: UInt16, by deadline: Deadline) throws(HTTPProblem) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    if Confinement.isActive { throw .noConnection("no connection is opened here") }
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else {
      throw .noConnection("the host \(host) is not known")
    }
    defer { freeaddrinfo(found) }
    var next = found
    while let candidate = next {
      let info = candidate.pointee
      let attempt = PrivateDescriptors.socket(
        family: info.ai_family, kind: info.ai_socktype, protocol: info.ai_protocol)
      if attempt >= 0 {
        if Self.open(attempt, to: info, by: deadline) {
          descriptor = attempt
          return
        }
        close(attempt)
      }
      next = info.ai_next
    }
    // A host that did not answer in time may still exist.
    if deadline.isOver { throw Self.late(deadline) }
    throw .noConnection("nothing listens on \(host):\(port)")
  }

  deinit { close(descriptor) }

  private static func open(_ attempt: Int32, to info: addrinfo, by deadline: Deadline) -> Bool {
    guard fcntl(attempt, F_SETFL, fcntl(attempt, F_GETFL) | O_NONBLOCK) == 0 else { return false }
    var flag: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    // A small request must not wait for the answer to the one before.
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

  /// Waits until a socket is ready; returns false at the deadline.
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
  /// - Throws: `HTTPProblem.late` at the deadline, `broken` if the connection fails.
  func send(_ bytes: [UInt8], by deadline: Deadline) throws(HTTPProblem) {
    var sent = 0
    while sent < bytes.count {
      guard Self.wait(descriptor, for: POLLOUT, by: deadline) else { throw Self.late(deadline) }
      // Safe: the buffer does not leave the call and has at least the bytes that are sent.
      let count = bytes.withUnsafeBytes { buffer in
        sendSome(UnsafeRawBufferPointer(rebasing: buffer[sent...]))
      }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { throw .broken(FileSystem.lastError) }
      sent += count
    }
  }

  private func sendSome(_ bytes: UnsafeRawBufferPointer) -> Int {
    // A peer that hangs up is an error of this connection, not the end of this process.
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    #elseif canImport(Musl)
      Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  /// Appends the available bytes, at least one.
  ///
  /// - Throws: `HTTPProblem.late` at the deadline, `broken` if the peer has hung up or the connection fails.
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
      // A server that always sends one more byte must not hold its client forever, either.
      guard !deadline.isOver else { throw Self.late(deadline) }
      return
    }
  }

  private static func late(_ deadline: Deadline) -> HTTPProblem {
    .late("no complete answer within \(Self.text(deadline.seconds)) seconds")
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }
}
