/// A writer of the heads of HTTP/1 responses (RFC 9112 §4).
enum ResponseWriter {
  /// The framing of a response's body.
  enum Framing: Equatable {
    /// The number of bytes.
    case length(Int)
    /// Chunks.
    case chunked
    /// The end of the connection, which replaces chunks for HTTP/1.0 clients.
    case close
    /// No body, and no header about it.
    case nothing
  }

  /// Returns the status line and headers including the empty line.
  static func head(
    _ response: HTTPResponse, framing: Framing, keepsAlive: Bool, isOld: Bool
  ) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \(reason(response.status))\r\n"
    for header in response.headers where !added.contains(header.name) {
      text += "\(clean(header.name)): \(clean(header.value))\r\n"
    }
    switch framing {
    case .length(let size): text += "content-length: \(size)\r\n"
    case .chunked: text += "transfer-encoding: chunked\r\n"
    case .close, .nothing: break
    }
    if !keepsAlive {
      text += "connection: close\r\n"
    } else if isOld {
      text += "connection: keep-alive\r\n"
    }
    text += "\r\n"
    return Array(text.utf8)
  }

  /// Returns a chunk; an empty one would end the body.
  ///
  /// - Requires: `bytes` is not empty.
  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    var result = Array("\(String(bytes.count, radix: 16))\r\n".utf8)
    result.reserveCapacity(result.count + bytes.count + 2)
    result += bytes
    result += [0x0d, 0x0a]
    return result
  }

  /// The end of a chunked body.
  static let lastChunk = Array("0\r\n\r\n".utf8)
  /// The interim response to a client that waits before it sends the body.
  static let proceed = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private static let added: Set<String> = ["content-length", "transfer-encoding", "connection"]

  /// Returns a text without line ends, after which the rest would be another header.
  private static func clean(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}
