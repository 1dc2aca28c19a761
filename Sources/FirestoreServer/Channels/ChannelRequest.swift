import FirestoreTransport
import FirestoreWire

/// A request of WebChannel.
enum ChannelRequest: Sendable {
  /// The beginning of a session, with the headers of its call.
  case open(FirestoreMethod, headers: [HTTPHeader], ClientMessages)
  /// Messages of a session, with the number of the last array that the client has.
  case messages(ChannelID, FirestoreMethod, acknowledged: Int?, ClientMessages)
  /// A back channel of a session.
  case back(ChannelID, FirestoreMethod, BackRequest)
  /// The end of a session.
  case end(ChannelID, FirestoreMethod)
  /// A request that no client sends.
  case malformed

  /// The parameters of a request for a back channel.
  struct BackRequest: Sendable {
    /// The number of the last array that the client has.
    var acknowledged: Int?
    /// True if the response is to end after the first array.
    var isPolling: Bool
    /// Milliseconds after which the response has to end.
    var timeout: Int64?
  }

  /// Reads a request to `/google.firestore.v1.Firestore/METHOD/channel`; nil if its path is different.
  init?(_ request: HTTPRequest) {
    let segments = request.segments
    guard segments.count == 3, segments[0] == FirestoreMethod.service.description,
      segments[2] == "channel", let method = FirestoreMethod(name: segments[1]),
      method.isClientStreaming
    else { return nil }
    var query: [String: String] = [:]
    for (key, value) in request.query { query[key] = value }
    self = Self.read(request, of: method, query) ?? .malformed
  }

  private static func read(
    _ request: HTTPRequest, of method: FirestoreMethod, _ query: [String: String]
  ) -> ChannelRequest? {
    let id = query["SID"].map { ChannelID($0) }
    if query["TYPE"] == "terminate" {
      // Clients that cannot send a POST while a page is unloaded send a GET.
      return id.map { .end($0, method) }
    }
    var acknowledged: Int?
    if let text = query["AID"] {
      guard let number = number(text[...]) else { return nil }
      acknowledged = number
    }
    switch (request.method, id) {
    case ("GET", let id?) where query["RID"] == "rpc":
      let timeout = query["TO"].flatMap { number($0[...]) }
      return .back(
        id, method,
        BackRequest(
          acknowledged: acknowledged, isPolling: query["CI"] == "1",
          timeout: timeout.map { Int64($0) }))
    case ("POST", let id?):
      return ClientMessages(request).map {
        .messages(id, method, acknowledged: acknowledged, $0)
      }
    case ("POST", nil):
      return ClientMessages(request).map { messages in
        let more = [query["$httpHeaders"] ?? "", messages.headers].flatMap { fields(in: $0) }
        return .open(method, headers: request.headers + more, messages)
      }
    default: return nil
    }
  }

  /// Reads a number of the protocol: decimal digits, below 2^31.
  static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int32(text).map { Int($0) }
  }

  /// Reads the headers that a client puts into a parameter, since request headers would make the browser send
  /// a preflight request.
  private static func fields(in text: String) -> [HTTPHeader] {
    text.split(whereSeparator: { $0.isNewline }).compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...]
      return HTTPHeader(line[..<colon].lowercased(), String(value.drop { $0 == " " }))
    }
  }
}
