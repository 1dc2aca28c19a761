/// The well-formed headers of an HTTP/2 request (RFC 9113 §8.2, §8.3).
struct StreamHead: Sendable, Equatable {
  /// The pseudo-header `:method`.
  var method = ""
  /// The pseudo-header `:path`.
  var path = ""
  /// All fields except pseudo-headers, in order.
  var fields: [HTTPHeader] = []

  /// Creates a head from a header list; nil if the stream has to be reset because of upper-case names,
  /// invalid characters, connection-specific fields, or unknown, repeated, late or missing pseudo-headers.
  init?(_ list: HeaderList) {
    guard list.isWellFormed else { return nil }
    var seen: UInt8 = 0
    fields.reserveCapacity(list.headers.count)
    for header in list.headers {
      guard header.name.utf8.first == UInt8(ascii: ":") else {
        guard !Self.isAboutConnection(header) else { return nil }
        fields.append(header)
        continue
      }
      let bit: UInt8
      switch header.name {
      case ":method":
        bit = 1
        method = header.value
      case ":path":
        bit = 2
        path = header.value
      case ":scheme": bit = 4
      case ":authority": bit = 8
      default: return nil
      }
      guard fields.isEmpty, seen & bit == 0 else { return nil }
      seen |= bit
    }
    guard !method.isEmpty, !path.isEmpty else { return nil }
  }

  private static func isAboutConnection(_ header: HTTPHeader) -> Bool {
    switch header.name {
    case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade": true
    default: false
    }
  }
}
