/// The static table of HPACK (RFC 7541 appendix A).
enum StaticTable {
  /// The fields, beginning with index 1.
  static let entries: [TableEntry] =
    pairs.map { TableEntry(HTTPHeader($0.0, $0.1)) }

  /// The lowest index of each name.
  private static let indices: [String: Int] = {
    var indices: [String: Int] = [:]
    for (place, pair) in pairs.enumerated() where indices[pair.0] == nil {
      indices[pair.0] = place + 1
    }
    return indices
  }()

  /// Returns the lowest index of a field with a name; nil if there is none.
  static func index(ofName name: String) -> Int? { indices[name] }

  private static let pairs: [(String, String)] = [
    (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"),
    (":path", "/index.html"), (":scheme", "http"), (":scheme", "https"), (":status", "200"),
    (":status", "204"), (":status", "206"), (":status", "304"), (":status", "400"),
    (":status", "404"), (":status", "500"), ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"), ("accept-language", ""), ("accept-ranges", ""),
    ("accept", ""), ("access-control-allow-origin", ""), ("age", ""), ("allow", ""),
    ("authorization", ""), ("cache-control", ""), ("content-disposition", ""),
    ("content-encoding", ""), ("content-language", ""), ("content-length", ""),
    ("content-location", ""), ("content-range", ""), ("content-type", ""), ("cookie", ""),
    ("date", ""), ("etag", ""), ("expect", ""), ("expires", ""), ("from", ""), ("host", ""),
    ("if-match", ""), ("if-modified-since", ""), ("if-none-match", ""), ("if-range", ""),
    ("if-unmodified-since", ""), ("last-modified", ""), ("link", ""), ("location", ""),
    ("max-forwards", ""), ("proxy-authenticate", ""), ("proxy-authorization", ""), ("range", ""),
    ("referer", ""), ("refresh", ""), ("retry-after", ""), ("server", ""), ("set-cookie", ""),
    ("strict-transport-security", ""), ("transfer-encoding", ""), ("user-agent", ""), ("vary", ""),
    ("via", ""), ("www-authenticate", ""),
  ]
}
