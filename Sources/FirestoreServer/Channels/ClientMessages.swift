import FirestoreTransport

/// The messages of one request of WebChannel, in the form `count=2&ofs=5&req0___data__=…&req1___data__=…`.
struct ClientMessages: Sendable {
  /// The texts by their numbers, in order; nil for a number without a message.
  private(set) var inOrder: [(number: Int, text: [UInt8]?)] = []
  /// The headers of the call, formatted as in HTTP; empty if the body has none.
  private(set) var headers = ""

  /// Maximum messages of a request, which is the most that clients send at once.
  private static let most = 1_000
  /// Number of parameters of a body besides the messages: `count`, `ofs`, `headers`.
  private static let others = 3

  /// The number of the first message; 0 without messages.
  var first: Int { inOrder.first?.number ?? 0 }

  /// Reads a body; nil if it has too many messages, or numbers that are out of range.
  init?(_ request: HTTPRequest) {
    guard let form = request.form(limit: Self.most + Self.others) else { return nil }
    var offset = 0
    var texts: [Int: [UInt8]?] = [:]
    for (key, value) in form {
      switch key {
      case "ofs":
        guard let number = ChannelRequest.number(value[...]) else { return nil }
        offset = number
      case "headers": headers = value
      default:
        guard key.hasPrefix("req"), let mark = key.firstIndex(of: "_") else { continue }
        guard let number = ChannelRequest.number(key[..<mark].dropFirst(3)) else { return nil }
        if key[mark...] == "___data__" {
          texts.updateValue(Array(value.utf8), forKey: number)
        } else if texts[number] == nil {
          texts.updateValue(nil, forKey: number)
        }
      }
    }
    // Both numbers are below 2^31.
    inOrder = texts.sorted { $0.key < $1.key }.map { (offset + $0.key, $0.value) }
  }
}
