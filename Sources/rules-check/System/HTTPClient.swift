#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a request over HTTP got no answer.
enum HTTPProblem: Error {
  /// Nothing accepts connections there.
  case noConnection(String)
  /// The connection ended or gave something that is no HTTP.
  case broken(String)
}

/// A client for plain HTTP/1.1 on one connection that is kept open: enough to talk to an emulator.
final class HTTPClient {
  /// An answer.
  struct Response {
    /// The status code.
    var status: Int
    /// The body, whole.
    var body: [UInt8]
  }

  private let host: String
  private let port: UInt16
  private var descriptor: Int32 = -1
  private var buffer: [UInt8] = []

  /// Answers larger than this are not read.
  private static let maximumBody = 64 << 20

  /// Makes a client; the connection is made by the first request.
  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  deinit { disconnect() }

  /// Sends a request and waits for the answer. A kept connection that turns out to be closed is made
  /// anew once.
  func send(
    _ method: String, _ path: String, body: String?, bearer: String?
  ) throws(HTTPProblem) -> Response {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\n"
    if let bearer { head += "Authorization: Bearer \(bearer)\r\n" }
    let payload = Array((body ?? "").utf8)
    if body != nil { head += "Content-Type: application/json\r\n" }
    head += "Content-Length: \(payload.count)\r\n\r\n"
    let message = Array(head.utf8) + payload
    let isFresh = descriptor < 0
    do throws(HTTPProblem) {
      return try exchange(message)
    } catch {
      disconnect()
      guard !isFresh, case .broken = error else { throw error }
      return try exchange(message)
    }
  }

  private func exchange(_ message: [UInt8]) throws(HTTPProblem) -> Response {
    if descriptor < 0 { try connect() }
    guard FileSystem.write(message, descriptor: descriptor) else {
      throw .broken(FileSystem.lastError)
    }
    return try receive()
  }

  private func disconnect() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    buffer = []
  }

  // MARK: Connecting

  private func connect() throws(HTTPProblem) {
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
        if open(attempt, info) { return descriptor = attempt }
        close(attempt)
      }
      next = info.ai_next
    }
    throw .noConnection("nothing listens on \(host):\(port)")
  }

  private func open(_ attempt: Int32, _ info: addrinfo) -> Bool {
    var limit = timeval()
    limit.tv_sec = 60
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(attempt, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(attempt, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var flag: Int32 = 1
    // Small requests must not wait for the answer to the one before.
    setsockopt(
      attempt, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Glibc)
      return Glibc.connect(attempt, info.ai_addr, info.ai_addrlen) == 0
    #elseif canImport(Musl)
      return Musl.connect(attempt, info.ai_addr, info.ai_addrlen) == 0
    #else
      return Darwin.connect(attempt, info.ai_addr, info.ai_addrlen) == 0
    #endif
  }

  // MARK: Receiving

  private func receive() throws(HTTPProblem) -> Response {
    let head = try takeHead()
    let lines = head.split(separator: "\r\n").map(String.init)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw .broken("what answers on \(host):\(port) does not speak HTTP")
    }
    var length: Int?
    var isChunked = false
    var closes = false
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].drop { $0 == " " }.lowercased()
      switch parts[0].lowercased() {
      case "content-length": length = Int(value)
      case "transfer-encoding": isChunked = value.contains("chunked")
      case "connection": closes = value.contains("close")
      default: break
      }
    }
    let body = isChunked ? try takeChunks() : try take(length ?? 0)
    if closes { disconnect() }
    return Response(status: status, body: body)
  }

  private func takeHead() throws(HTTPProblem) -> String {
    while true {
      if let end = Self.find(Array("\r\n\r\n".utf8), in: buffer) {
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 4)
        return head
      }
      guard buffer.count < 1 << 16 else { throw .broken("the answer has no end of its head") }
      try fill()
    }
  }

  private func takeChunks() throws(HTTPProblem) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let line = try takeLine()
      let digits = line.split(separator: ";").first.map { $0.filter { !$0.isWhitespace } } ?? ""
      guard let size = Int(digits, radix: 16), size >= 0 else {
        throw .broken("a chunk has no size")
      }
      if size == 0 {
        while try !takeLine().isEmpty {}
        return body
      }
      body += try take(size)
      _ = try takeLine()
      guard body.count <= Self.maximumBody else { throw .broken("the answer is too large") }
    }
  }

  private func takeLine() throws(HTTPProblem) -> String {
    while true {
      if let end = Self.find(Array("\r\n".utf8), in: buffer) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 2)
        return line
      }
      try fill()
    }
  }

  private func take(_ count: Int) throws(HTTPProblem) -> [UInt8] {
    guard count <= Self.maximumBody else { throw .broken("the answer is too large") }
    while buffer.count < count { try fill() }
    let taken = Array(buffer[..<count])
    buffer.removeFirst(count)
    return taken
  }

  private func fill() throws(HTTPProblem) {
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else {
      throw .broken(count == 0 ? "the connection was closed" : FileSystem.lastError)
    }
    buffer.append(contentsOf: chunk[..<count])
  }

  private static func find(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= needle.count else { return nil }
    return (0...(bytes.count - needle.count)).first { start in
      bytes[start..<(start + needle.count)].elementsEqual(needle)
    }
  }
}
