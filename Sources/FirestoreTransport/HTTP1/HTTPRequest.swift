/// A complete HTTP/1 request.
public struct HTTPRequest: Sendable {
  /// The method as sent, usually in upper case.
  public var method: String
  /// The path with its query as sent, without scheme and host, which requests to proxies have.
  public var target: String
  /// The header fields in order, names in lower case.
  public var headers: [HTTPHeader]
  /// The body, without chunk framing.
  public var body: [UInt8]

  /// Creates a request.
  public init(method: String, target: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// Returns the value of the last field with a lower-case name; nil if there is none.
  public func value(of name: String) -> String? { headers.value(of: name) }

  /// The path, percent-decoded as a whole, so that escaped slashes are not distinguished.
  public var path: String { PercentEncoding.decode(rawPath) }

  /// The non-empty segments of the path, percent-decoded after splitting.
  public var segments: [String] {
    rawPath.split(separator: "/").map { PercentEncoding.decode($0) }
  }

  /// The parameters of the query in order, percent-decoded, with `+` as a space; one without `=` has an empty
  /// value.
  public var query: [(String, String)] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[target.index(after: mark)...].split(separator: "&").map { Self.parameter($0) }
  }

  /// Returns the parameters of a form-encoded body (`application/x-www-form-urlencoded`), regardless of its
  /// content type; nil if there are more than `limit`, since each takes more memory than its bytes in the
  /// body.
  public func form(limit: Int) -> [(String, String)]? {
    let text = Substring(String(decoding: body, as: UTF8.self))
    let pairs = text.split(separator: "&", maxSplits: limit)
    return pairs.count <= limit ? pairs.map { Self.parameter($0) } : nil
  }

  private var rawPath: Substring { target.prefix { $0 != "?" && $0 != "#" } }

  private static func parameter(_ pair: Substring) -> (String, String) {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count > 1 ? parts[1] : ""
    return (
      PercentEncoding.decode(parts[0], readsPlus: true),
      PercentEncoding.decode(value, readsPlus: true)
    )
  }
}

/// An HTTP/1 response.
public struct HTTPResponse: Sendable {
  /// The status code, from which the reason phrase follows.
  public var status: Int
  /// The header fields. `content-length` and `transfer-encoding` are ignored, because the connection adds
  /// them. `connection: close` ends the connection after the response.
  public var headers: [HTTPHeader]
  /// The body. The response to a HEAD request has only its length.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int = 200, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a text.
  public init(status: Int = 200, headers: [HTTPHeader] = [], text: String) {
    self.init(status: status, headers: headers, body: Array(text.utf8))
  }
}
