/// An error in an HTTP/1 request. It is answered with a status, and the connection ends, because the start of
/// the next request is unknown.
struct RequestProblem: Error, Equatable {
  /// The status of the response.
  let status: Int
  /// The body of the response.
  let message: String

  /// Creates a problem.
  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// The request line and headers of an HTTP/1 request (RFC 9112 §3, §5).
struct RequestHead: Sendable {
  /// The framing of a request's body.
  enum Body: Equatable {
    /// A number of bytes; 0 if neither header is present.
    case length(Int)
    /// Chunks.
    case chunked
  }

  /// The request with an empty body.
  var request: HTTPRequest
  /// The framing of the body.
  var body: Body
  /// True for HTTP/1.0, in which responses have no chunks.
  var isOld: Bool
  /// True if the client wants to keep the connection open.
  var keepsAlive: Bool
  /// True if the client waits for `100 Continue` before it sends the body.
  var expectsContinue: Bool

  /// Reads lines that end in CR LF or LF, up to the empty line.
  init(_ bytes: ArraySlice<UInt8>, limits: TransportLimits) throws(RequestProblem) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)[...]
    guard let first = lines.popFirst() else { throw RequestProblem(400, "Empty request") }
    let (method, target, isOld) = try Self.requestLine(Self.withoutReturn(first))
    guard lines.count <= limits.headerCount else {
      throw RequestProblem(431, "Too many header fields")
    }
    var headers: [HTTPHeader] = []
    headers.reserveCapacity(lines.count)
    for line in lines { headers.append(try Self.field(Self.withoutReturn(line))) }
    request = HTTPRequest(method: method, target: target, headers: headers)
    body = try Self.body(headers, limit: limits.bodySize)
    self.isOld = isOld
    let options = headers.filter { $0.name == "connection" }
      .flatMap { $0.value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }) }
    keepsAlive = isOld ? options.contains("keep-alive") : !options.contains("close")
    expectsContinue = !isOld && request.value(of: "expect")?.lowercased() == "100-continue"
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(RequestProblem) -> (method: String, target: String, isOld: Bool) {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty,
      parts[0].allSatisfy({ $0.isTokenCharacter }), parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { throw RequestProblem(400, "Bad request line") }
    let version = parts[2].text
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw RequestProblem(version.hasPrefix("HTTP/") ? 505 : 400, "Bad HTTP version")
    }
    return (parts[0].text, origin(parts[1]), version == "HTTP/1.0")
  }

  /// Returns a target without `http://host`, which clients send to proxies.
  private static func origin(_ target: ArraySlice<UInt8>) -> String {
    let text = target.text
    let lowered = text.prefix(8).lowercased()
    let scheme = lowered.hasPrefix("http://") ? 7 : lowered.hasPrefix("https://") ? 8 : 0
    guard scheme > 0 else { return text }
    let rest = text.dropFirst(scheme)
    guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
    return rest[start] == "/" ? String(rest[start...]) : "/" + rest[start...]
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(RequestProblem) -> HTTPHeader {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy({ $0.isTokenCharacter })
    else { throw RequestProblem(400, "Bad header field") }
    let value = line[(colon + 1)...].trimmed
    guard value.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }) else {
      throw RequestProblem(400, "Bad header field")
    }
    return HTTPHeader(
      String(decoding: line[..<colon].map { $0.lowerCased }, as: UTF8.self), value.text)
  }

  /// Returns the framing of the body (RFC 9112 §6). Throws if both headers are present or two lengths differ,
  /// because other readers might then see different requests.
  private static func body(
    _ headers: [HTTPHeader], limit: Int
  ) throws(RequestProblem) -> Body {
    let codings = headers.filter { $0.name == "transfer-encoding" }.map { $0.value }
    let lengths = headers.filter { $0.name == "content-length" }.map { $0.value }
    if !codings.isEmpty {
      guard lengths.isEmpty else { throw RequestProblem(400, "Two lengths of the body") }
      guard codings.count == 1, codings[0].lowercased() == "chunked" else {
        throw RequestProblem(501, "Unknown transfer encoding")
      }
      return .chunked
    }
    guard let length = lengths.first else { return .length(0) }
    guard lengths.allSatisfy({ $0 == length }), length.utf8.allSatisfy({ $0.isDigit }),
      !length.isEmpty
    else { throw RequestProblem(400, "Bad content-length") }
    guard let size = Array(length.utf8)[...].number(base: 10, limit: limit) else {
      throw RequestProblem(413, "Request body exceeds \(limit) bytes")
    }
    return .length(size)
  }
}
