import FirestoreStore
import FirestoreWire
import RulesEval
import RulesLang

@testable import FirestoreServer
@testable import FirestoreTransport

/// Clients of a server in memory: gRPC over one HTTP/2 connection and HTTP/1.1 over another, in bytes.
struct TestClient {
  /// The frames of a stream.
  struct Stream {
    /// The messages that came since they were last taken.
    var messages: [[UInt8]] = []
    /// The status; nil while the stream goes on.
    var status: CallStatus?
    /// The error code of a reset.
    var reset: UInt32?
  }

  private static let grpc = ConnectionID(1)

  /// The server.
  var server: EmulatorServer
  /// The system's time; a millisecond later at each step.
  var now = Timestamp(epochSeconds: 1_800_000_000)!
  private(set) var streams: [UInt32: Stream] = [:]
  /// The streams of messages, in the order in which these came.
  var arrivals: [UInt32] = []
  private var nextStream: UInt32 = 1
  private var nextConnection: UInt64 = 2
  private var input: [UInt8] = []
  private var decoder = HPACKDecoder()

  /// The database that most tests use.
  static let database: Text = "projects/demo/databases/(default)"
  /// The ID of that database.
  static let id = DatabaseID(project: "demo", database: .standard)
  /// The name of a document of that database.
  static func name(_ path: String) -> Text { database + "/documents/" + Text(path) }

  /// Starts a server and connects.
  init(rules: String? = nil, _ change: (inout ServerConfiguration) -> Void = { _ in }) {
    var configuration = ServerConfiguration()
    if let rules {
      configuration.generalRules = RulesFile(name: "test.rules", content: Self.whole(rules))
    }
    change(&configuration)
    server = EmulatorServer(configuration)
    server.open(Self.grpc)
    // Windows that no test fills.
    var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    bytes += Self.frame(4, 0, 0, [0, 4, 0x7f, 0xff, 0xff, 0xff])
    bytes += Self.frame(8, 0, 0, [0x3f, 0, 0, 0])
    server.receive(bytes, on: Self.grpc, at: now)
    read()
  }

  /// Rules with some blocks for documents.
  static func whole(_ blocks: String) -> String {
    "rules_version = '2'; service cloud.firestore { match /databases/{db}/documents {\n\(blocks)\n} }"
  }

  // MARK: Time

  /// Lets time pass.
  mutating func pass(milliseconds: Int64) {
    now = Timestamp(milliseconds: now.milliseconds + milliseconds)!
    server.tick(at: now)
    read()
  }

  // MARK: gRPC

  /// Begins a call.
  mutating func call(
    _ method: String, as token: String? = "owner", _ more: [HTTPHeader] = []
  ) -> UInt32 {
    let stream = nextStream
    nextStream += 2
    streams[stream] = Stream()
    write(Self.frame(1, 4, stream, Self.head(of: method, as: token, more)))
    return stream
  }

  /// The header block of a call.
  static func head(of method: String, as token: String?, _ more: [HTTPHeader]) -> [UInt8] {
    var block: [UInt8] = []
    var fields = [
      HTTPHeader(":method", "POST"), HTTPHeader(":scheme", "http"),
      HTTPHeader(":path", "/google.firestore.v1.Firestore/\(method)"),
      HTTPHeader(":authority", "localhost"), HTTPHeader("content-type", "application/grpc"),
      HTTPHeader("te", "trailers"),
    ]
    if let token { fields.append(HTTPHeader("authorization", "Bearer \(token)")) }
    for field in fields + more { HPACKEncoder.append(field, to: &block) }
    return block
  }

  /// A message of gRPC.
  static func framed(_ bytes: [UInt8]) -> [UInt8] { [0] + big(UInt32(bytes.count)) + bytes }

  /// Sends a message on a stream.
  mutating func send(_ message: WireMessage, on stream: UInt32) {
    send(bytes: message.protobuf(project: "demo"), on: stream)
  }

  /// Sends the bytes of a message on a stream.
  mutating func send(bytes: [UInt8], on stream: UInt32) {
    write(Self.frame(0, 0, stream, Self.framed(bytes)))
  }

  /// Ends the client's side of a stream.
  mutating func halfClose(_ stream: UInt32) { write(Self.frame(0, 1, stream, [])) }

  /// Gives a stream up.
  mutating func cancel(_ stream: UInt32) { write(Self.frame(3, 0, stream, Self.big(8))) }

  /// Makes a call with one message and takes all of its answer.
  mutating func unary(
    _ method: FirestoreMethod, as token: String? = "owner", _ message: WireMessage
  ) -> (messages: [WireMessage], status: CallStatus?) {
    let stream = call(method.name.description, as: token)
    send(message, on: stream)
    halfClose(stream)
    return (take(stream, as: method.response), streams[stream]?.status)
  }

  /// Takes the messages that came on a stream.
  mutating func take(_ stream: UInt32, as type: MessageType) -> [WireMessage] {
    let taken = streams[stream]?.messages ?? []
    streams[stream]?.messages = []
    return taken.compactMap { try? WireMessage(protobuf: $0, as: type, project: "demo") }
  }

  /// The status of a stream.
  func status(_ stream: UInt32) -> CallStatus? { streams[stream]?.status }

  private mutating func write(_ bytes: [UInt8]) {
    now = Timestamp(milliseconds: now.milliseconds + 1)!
    server.receive(bytes, on: Self.grpc, at: now)
    read()
  }

  private mutating func read() {
    input += server.takeOutput(of: Self.grpc).bytes
    while input.count >= 9 {
      let length = Int(input[0]) << 16 | Int(input[1]) << 8 | Int(input[2])
      guard input.count >= 9 + length else { return }
      let type = input[3]
      let stream = Self.number(input[5..<9])
      let payload = Array(input[9..<(9 + length)])
      input.removeFirst(9 + length)
      take(type, stream, payload)
    }
  }

  private var partial: [UInt32: [UInt8]] = [:]

  private mutating func take(_ type: UInt8, _ stream: UInt32, _ payload: [UInt8]) {
    switch type {
    case 0:
      partial[stream, default: []] += payload
      while let bytes = partial[stream], bytes.count >= 5 {
        let length = Int(Self.number(bytes[1..<5]))
        guard bytes.count >= 5 + length else { break }
        arrivals.append(stream)
        streams[stream]?.messages.append(Array(bytes[5..<(5 + length)]))
        partial[stream] = Array(bytes[(5 + length)...])
      }
    case 1:
      guard let list = try? decoder.decode(payload[...], limit: 1 << 20) else { return }
      guard let code = list.headers.value(of: "grpc-status").flatMap({ Int($0) }) else { return }
      let text = list.headers.value(of: "grpc-message") ?? ""
      streams[stream]?.status = CallStatus(
        StatusCode(rawValue: code) ?? .unknown, PercentEncoding.decode(text[...]))
    case 3: streams[stream]?.reset = Self.number(payload[...])
    default: break
    }
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// A frame of HTTP/2.
  static func frame(
    _ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    Array(big(UInt32(payload.count))[1...]) + [type, flags] + big(stream) + payload
  }

  // MARK: HTTP/1.1

  /// Makes a request on a connection of its own; returns the status, the headers and the body.
  mutating func http(
    _ method: String, _ target: String, _ body: String = "", headers: [String] = []
  ) -> (status: Int, headers: String, body: String) {
    let connection = ConnectionID(nextConnection)
    nextConnection += 1
    now = Timestamp(milliseconds: now.milliseconds + 1)!
    server.open(connection)
    let lines =
      [
        "\(method) \(target) HTTP/1.1", "host: 127.0.0.1:8080",
        "content-length: \(body.utf8.count)",
      ]
      + headers
    let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    server.receive(Array(text.utf8), on: connection, at: now)
    let answer = String(decoding: server.takeOutput(of: connection).bytes, as: UTF8.self)
    server.closed(connection)
    read()
    guard let end = answer.firstRange(of: "\r\n\r\n") else { return (0, answer, "") }
    let head = String(answer[..<end.lowerBound])
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return (status, head, String(answer[end.upperBound...]))
  }

  // MARK: Tokens

  /// An unsigned token as test libraries make them.
  static func token(_ claims: String) -> String {
    let header = Base64.urlSafe.text(of: Array(#"{"alg":"none","type":"JWT"}"#.utf8))
    let payload = Base64.urlSafe.text(of: Array(claims.utf8))
    return "\(String(header)).\(String(payload))."
  }

  /// The token of a user.
  static func user(_ uid: String) -> String {
    token(#"{"iss":"x","exp":3600,"sub":"\#(uid)","user_id":"\#(uid)"}"#)
  }
}
