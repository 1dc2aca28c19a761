/// A whole HTTP/1 request.
public struct HTTPRequest: Sendable {
  /// The method as sent, in upper case as a rule.
  public var method: String
  /// The path with its query as sent; without scheme and host, if a proxy's form had them.
  public var target: String
  /// The header fields in order, names in lower case.
  public var headers: [HTTPHeader]
  /// The body; chunks are joined.
  public var body: [UInt8]

  /// Creates a request.
  public init(method: String, target: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// Returns the value of the last field of a name in lower case, or nil.
  public func value(of name: String) -> String? { headers.value(of: name) }

  /// The path, percent-decoded as a whole: an escaped slash cannot be told from a plain one.
  public var path: String { PercentEncoding.decode(rawPath) }

  /// The segments of the path between its slashes, each percent-decoded by itself. Empty ones are left out.
  public var segments: [String] {
    rawPath.split(separator: "/").map { PercentEncoding.decode($0) }
  }

  /// The parameters of the query in order, percent-decoded, `+` as a space; one without `=` has an empty
  /// value.
  public var query: [(String, String)] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[target.index(after: mark)...].split(separator: "&").map { Self.parameter($0) }
  }

  /// Reads the parameters of a form-encoded body (`application/x-www-form-urlencoded`), ignoring its content
  /// type; nil if there are more than `limit`, each of which takes more memory than its bytes in the body.
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

/// An answer over HTTP/1.
public struct HTTPResponse: Sendable {
  /// The status code; the reason is added.
  public var status: Int
  /// The header fields, but for `content-length` and `transfer-encoding`, which are added, and which are
  /// left out if they are here. `connection: close` ends the connection after the answer.
  public var headers: [HTTPHeader]
  /// The body. Its length is sent to HEAD requests, too, but not the body.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int = 200, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates an answer with a text.
  public init(status: Int = 200, headers: [HTTPHeader] = [], text: String) {
    self.init(status: status, headers: headers, body: Array(text.utf8))
  }
}
