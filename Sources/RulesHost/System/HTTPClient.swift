/// A failure of an HTTP request.
enum HTTPProblem: Error {
  /// Nothing accepts connections at the address.
  case noConnection(String)
  /// The connection ended, or the response is not HTTP.
  case broken(String)
  /// The response did not arrive in time.
  case late(String)
}

/// An HTTP/1.1 client on one persistent connection, as far as an emulator needs it.
///
/// No server can make it wait beyond its deadline or hold more than `maximumBody` bytes.
final class HTTPClient {
  /// A response.
  package struct Response {
    /// The status code.
    var status: Int
    /// The complete body.
    var body: [UInt8]
  }

  private let host: String
  private let port: UInt16
  /// Maximum seconds of an exchange, from the first byte sent to the last one received.
  private let seconds: Double
  private var connection: Connection?
  private var buffer: [UInt8] = []

  /// Maximum bytes of a body.
  private static let maximumBody = 64 << 20
  /// Maximum bytes of a head or line.
  private static let maximumHead = 1 << 16

  /// Creates a client, which connects on the first request.
  ///
  /// - Parameter seconds: Maximum seconds of an exchange.
  init(host: String, port: UInt16, seconds: Double = 60) {
    self.host = host
    self.port = port
    self.seconds = seconds
  }

  /// Sends a request and returns the response. If a kept connection turns out to be closed, connects once
  /// more.
  func send(
    _ method: String, to path: String, body: String?, bearer: String?
  ) throws(HTTPProblem) -> Response {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\n"
    if let bearer { head += "Authorization: Bearer \(bearer)\r\n" }
    let payload = Array((body ?? "").utf8)
    if body != nil { head += "Content-Type: application/json\r\n" }
    head += "Content-Length: \(payload.count)\r\n\r\n"
    let message = Array(head.utf8) + payload
    let isFresh = connection == nil
    let deadline = Connection.Deadline(seconds: seconds)
    do throws(HTTPProblem) {
      return try exchange(message, by: deadline)
    } catch {
      disconnect()
      guard !isFresh, case .broken = error else { throw error }
      return try exchange(message, by: deadline)
    }
  }

  private func exchange(
    _ message: [UInt8], by deadline: Connection.Deadline
  ) throws(HTTPProblem) -> Response {
    if connection == nil { connection = try Connection(host: host, port: port, by: deadline) }
    try connection?.send(message, by: deadline)
    return try receive(by: deadline)
  }

  private func disconnect() {
    connection = nil
    buffer = []
  }

  // MARK: Receiving

  /// The parts of a response's head that describe its body.
  private struct Head {
    var status: Int
    var length: Int?
    var isChunked = false
    var closes = false
  }

  private func receive(by deadline: Connection.Deadline) throws(HTTPProblem) -> Response {
    let head = try head(takeText(endingWith: "\r\n\r\n", by: deadline))
    let body =
      head.isChunked ? try takeChunks(by: deadline) : try take(head.length ?? 0, by: deadline)
    if head.closes { disconnect() }
    return Response(status: head.status, body: body)
  }

  private func head(_ text: String) throws(HTTPProblem) -> Head {
    let lines = text.split(separator: "\r\n").map(String.init)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw .broken("the server on \(host):\(port) does not speak HTTP")
    }
    var head = Head(status: status)
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].drop { $0 == " " }.lowercased()
      switch parts[0].lowercased() {
      case "content-length":
        guard let length = Int(value), length >= 0, head.length ?? length == length else {
          throw .broken("the answer has an invalid Content-Length: \(value.prefix(40))")
        }
        head.length = length
      case "transfer-encoding": head.isChunked = value.contains("chunked")
      case "connection": head.closes = value.contains("close")
      default: break
      }
    }
    return head
  }

  private func takeChunks(by deadline: Connection.Deadline) throws(HTTPProblem) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let line = try takeText(endingWith: "\r\n", by: deadline)
      let digits = line.split(separator: ";").first.map { $0.filter { !$0.isWhitespace } } ?? ""
      guard let size = Int(digits, radix: 16), size >= 0 else {
        throw .broken("a chunk has no size")
      }
      if size == 0 {
        while try !takeText(endingWith: "\r\n", by: deadline).isEmpty {}
        return body
      }
      body += try take(size, by: deadline)
      _ = try takeText(endingWith: "\r\n", by: deadline)
      guard body.count <= Self.maximumBody else { throw .broken("the answer is too large") }
    }
  }

  /// Takes the text up to a mark, and the mark.
  private func takeText(
    endingWith mark: String, by deadline: Connection.Deadline
  ) throws(HTTPProblem) -> String {
    let mark = Array(mark.utf8)
    // Bytes are searched once, however small the pieces are that arrive.
    var searched = 0
    while true {
      if let end = Self.find(mark, in: buffer[searched...]) {
        let text = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + mark.count)
        return text
      }
      guard buffer.count < Self.maximumHead else {
        throw .broken("the head of the answer does not end")
      }
      searched = max(0, buffer.count - mark.count + 1)
      try connection?.receive(into: &buffer, by: deadline)
    }
  }

  private func take(
    _ count: Int, by deadline: Connection.Deadline
  ) throws(HTTPProblem) -> [UInt8] {
    guard count <= Self.maximumBody else { throw .broken("the answer is too large") }
    while buffer.count < count { try connection?.receive(into: &buffer, by: deadline) }
    let taken = Array(buffer[..<count])
    buffer.removeFirst(count)
    return taken
  }

  private static func find(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= needle.count else { return nil }
    return (bytes.startIndex...(bytes.endIndex - needle.count)).first { start in
      bytes[start..<(start + needle.count)].elementsEqual(needle)
    }
  }
}
