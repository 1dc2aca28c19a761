import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// A client of WebChannel: one session, each request on a connection of its own.
struct ChannelClient {
  /// An answer as far as it has come.
  struct Answer {
    /// The status.
    var status: Int
    /// The head, in lower case.
    var head: String
    /// The chunks of WebChannel.
    var chunks: [String]
    /// True if the answer is whole.
    var isWhole: Bool
  }

  /// The server with another client, over gRPC.
  var other: TestClient
  /// The method of the session.
  let method: FirestoreMethod
  /// The parameter `SID`.
  private(set) var session = ""
  private var nextConnection: UInt64 = 10_000
  private var nextMessage = 0
  /// Bytes of answers so far.
  private var answers: [ConnectionID: String] = [:]
  /// Chunks that were taken.
  private var taken: [ConnectionID: Int] = [:]

  /// Opens a session of a method with some messages.
  init(
    _ method: FirestoreMethod, rules: String? = nil, as token: String? = nil,
    _ messages: WireMessage..., change: (inout ServerConfiguration) -> Void = { _ in }
  ) {
    other = TestClient(rules: rules, change)
    self.method = method
    open(as: token, messages)
  }

  /// Opens a session; returns the answer.
  @discardableResult
  mutating func open(as token: String?, _ messages: [WireMessage]) -> Answer {
    nextMessage = 0
    let headers = token.map { "headers=" + Self.escaped("Authorization:Bearer \($0)\r\n") + "&" }
    let answer = take(
      send("POST", "RID=1&CVER=22&zx=a&t=1", (headers ?? "") + body(messages.map { Self.json($0) }))
    )
    let parts = (answer.chunks.first ?? "").split(separator: "\"")
    session = parts.count > 3 ? String(parts[3]) : ""
    return answer
  }

  /// Sends messages; returns the answer.
  mutating func post(acknowledging number: Int = 0, _ messages: WireMessage...) -> Answer {
    post(acknowledging: number, texts: messages.map { Self.json($0) })
  }

  /// Sends texts of messages.
  mutating func post(acknowledging number: Int = 0, texts: [String]) -> Answer {
    take(send("POST", "SID=\(session)&RID=2&AID=\(number)", body(texts)))
  }

  /// Opens a back channel.
  mutating func back(acknowledging number: Int = 0, polling: Bool = false) -> ConnectionID {
    send("GET", "SID=\(session)&RID=rpc&AID=\(number)&CI=\(polling ? 1 : 0)&TYPE=xmlhttp")
  }

  /// Ends the session.
  mutating func terminate() -> Answer { take(send("POST", "SID=\(session)&TYPE=terminate", "")) }

  /// Takes the chunks that came since the last time.
  mutating func chunks(_ connection: ConnectionID) -> [String] { take(connection).chunks }

  /// Makes a request on a new connection.
  mutating func send(_ method: String, _ query: String, _ body: String = "") -> ConnectionID {
    let connection = ConnectionID(nextConnection)
    nextConnection += 1
    other.now = Timestamp(milliseconds: other.now.milliseconds + 1)!
    other.server.open(connection)
    let lines = [
      "\(method) /google.firestore.v1.Firestore/\(self.method.name)/channel?VER=8&\(query) HTTP/1.1",
      "Host: localhost", "Origin: http://app", "Content-Length: \(body.utf8.count)",
      "Content-Type: application/x-www-form-urlencoded",
    ]
    let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    other.server.receive(Array(text.utf8), on: connection, at: other.now)
    return connection
  }

  /// The client's end of a connection breaks.
  mutating func close(_ connection: ConnectionID) { other.server.closed(connection) }

  /// Takes what came on a connection.
  mutating func take(_ connection: ConnectionID) -> Answer {
    let bytes = other.server.takeOutput(of: connection).bytes
    answers[connection, default: ""] += String(decoding: bytes, as: UTF8.self)
    let text = answers[connection] ?? ""
    guard let end = text.firstRange(of: "\r\n\r\n") else {
      return Answer(status: 0, head: text, chunks: [], isWhole: false)
    }
    let head = text[..<end.lowerBound].lowercased()
    var body = String(text[end.upperBound...])
    var isWhole = true
    if head.contains("transfer-encoding: chunked") {
      isWhole = body.hasSuffix("0\r\n\r\n")
      body = Self.unchunked(body)
    }
    let chunks = Self.chunks(of: body)
    defer { taken[connection] = chunks.count }
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(
      status: status, head: head, chunks: Array(chunks[(taken[connection] ?? 0)...]),
      isWhole: isWhole)
  }

  /// Removes the chunks of HTTP.
  private static func unchunked(_ body: String) -> String {
    var rest = Array(body.utf8)[...]
    var result: [UInt8] = []
    while let mark = rest.firstIndex(of: 0x0D),
      let size = Int(String(decoding: rest[..<mark], as: UTF8.self), radix: 16), size > 0
    {
      result += rest[(mark + 2)..<(mark + 2 + size)]
      rest = rest[(mark + 4 + size)...]
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Cuts a text into chunks as browsers do, by units of UTF-16.
  private static func chunks(of body: String) -> [String] {
    var rest = Array(body.utf16)[...]
    var chunks: [String] = []
    while let mark = rest.firstIndex(of: 0x0A),
      let size = Int(String(decoding: rest[..<mark], as: UTF16.self)),
      mark + 1 + size <= rest.endIndex
    {
      chunks.append(String(decoding: rest[(mark + 1)..<(mark + 1 + size)], as: UTF16.self))
      rest = rest[(mark + 1 + size)...]
    }
    if !chunks.isEmpty { #expect(rest.isEmpty) }
    return chunks
  }

  private mutating func body(_ texts: [String]) -> String {
    var parts = ["count=\(texts.count)", "ofs=\(nextMessage)"]
    for (number, text) in texts.enumerated() {
      parts.append("req\(number)___data__=" + Self.escaped(text))
    }
    nextMessage += texts.count
    return parts.joined(separator: "&")
  }

  private static func json(_ message: WireMessage) -> String {
    String(decoding: message.json(project: "demo", layout: .compact), as: UTF8.self)
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
