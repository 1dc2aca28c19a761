import Testing

@testable import FirestoreTransport

/// The edges that were measured on Google's emulator, and what is different here on purpose.
@Suite struct EdgeTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    /// Sends something.
    var send: @Sendable (inout TestClient) -> Void
    var events: [String] = []
    var frames: [String] = []
    var testDescription: String { name }

    init(
      _ name: String, events: [String] = [], frames: [String] = [],
      send: @escaping @Sendable (inout TestClient) -> Void
    ) {
      self.name = name
      self.send = send
      self.events = events
      self.frames = frames
    }
  }

  static let call = ["call 1 s.S/M", "message 1 hello", "end 1"]
  static let hello = TestClient.message("hello")
  /// The message, compressed by gzip.
  static let compressedHello: [UInt8] = [
    1, 0, 0, 0, 25, 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0,
    0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0,
  ]

  static let calls: [Case] = [
    Case("headers in CONTINUATION frames", events: call) {
      let block = $0.block()
      $0.send(TestClient.frame(1, 0, 1, Array(block[..<10])))
      $0.send(TestClient.frame(9, 0, 1, Array(block[10..<12])))
      $0.send(TestClient.frame(9, 4, 1, Array(block[12...])))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case("padding and priority", events: call) {
      let block = $0.block()
      $0.send(
        TestClient.frame(
          1, 4 | 8 | 0x20, 1, [7, 0, 0, 0, 0, 15] + block + [UInt8](repeating: 0, count: 7)))
      $0.send(TestClient.frame(0, 9, 1, [5] + hello + [0, 0, 0, 0, 0]))
    },
    Case("a message in three DATA frames", events: call) {
      $0.send($0.headers(1) + TestClient.data(1, Array(hello[..<3])))
      $0.send(TestClient.data(1, Array(hello[3..<8])))
      $0.send(TestClient.data(1, Array(hello[8...]), ends: true))
    },
    Case(
      "several messages in one DATA frame",
      events: ["call 1 s.S/M", "message 1 hello", "message 1 hello", "message 1 ", "end 1"]
    ) {
      $0.send(
        $0.headers(1) + TestClient.data(1, hello + hello + TestClient.message(""), ends: true))
    },
    Case("an unknown type of frame", events: call) {
      $0.send(TestClient.frame(0xb, 0xff, 0, [1, 2, 3]) + $0.headers(1))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case("no end of the client's direction", events: ["call 1 s.S/M", "message 1 hello"]) {
      $0.send($0.headers(1) + TestClient.data(1, hello))
    },
    Case("END_STREAM without a message", events: ["call 1 s.S/M", "end 1"]) {
      $0.send($0.headers(1, ends: true))
    },
    Case("an empty DATA frame as the end", events: ["call 1 s.S/M", "message 1 hello", "end 1"]) {
      $0.send($0.headers(1) + TestClient.data(1, hello) + TestClient.data(1, [], ends: true))
    },
    Case("trailers of the client as the end", events: call) {
      $0.send($0.headers(1) + TestClient.data(1, hello))
      $0.send(TestClient.frame(1, 5, 1, $0.encoder.encode([HTTPHeader("x", "y")])))
    },
    Case("content type application/grpc+proto", events: call) {
      $0.send($0.headers(1, replacing: [HTTPHeader("content-type", "application/grpc+proto")]))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case("grpc-encoding gzip without a compressed message", events: call) {
      $0.send($0.headers(1, [HTTPHeader("grpc-encoding", "gzip")]))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case(
      "compressed messages",
      events: ["call 1 s.S/M", "message 1 hello", "message 1 hello", "end 1"]
    ) {
      $0.send($0.headers(1, [HTTPHeader("grpc-encoding", "gzip")]))
      $0.send(TestClient.data(1, hello + compressedHello, ends: true))
    },
    Case("no te", events: call) {
      let fields = TestClient.fields.filter { $0.name != "te" }
      $0.send(TestClient.frame(1, 4, 1, $0.encoder.encode(fields)))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case("a method that is not there", events: ["call 1 s.S/Nope", "message 1 hello", "end 1"]) {
      $0.send($0.headers(1, replacing: [HTTPHeader(":path", "/s.S/Nope")]))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case("the path /", events: ["call 1 ", "end 1"]) {
      $0.send($0.headers(1, ends: true, replacing: [HTTPHeader(":path", "/")]))
    },
    Case("GOAWAY of the client, then a new stream", events: call) {
      $0.send(TestClient.frame(7, 0, 0, [0, 0, 0, 0, 0, 0, 0, 0]) + $0.headers(1))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case("60 pings", events: call, frames: (0..<60).map { "PING ACK ping \($0 % 10)  " }) {
      for number in 0..<60 {
        $0.send(TestClient.frame(6, 0, 0, Array("ping \(number % 10)  ".utf8)))
      }
      $0.send($0.headers(1) + TestClient.data(1, hello, ends: true))
    },
    Case("9 kB of headers, which Google's emulator refuses", events: call) {
      $0.send($0.headers(1, [HTTPHeader("x-big", String(repeating: "v", count: 9000))]))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case("a reset, then another call", events: ["call 1 s.S/M", "cancelled 1", "call 3 s.S/M"]) {
      $0.send($0.headers(1) + TestClient.frame(3, 0, 1, [0, 0, 0, 8]) + $0.headers(3))
    },
    Case("a lower number than the last, never opened", events: ["call 5 s.S/M"]) {
      $0.send($0.headers(5) + $0.headers(3) + TestClient.data(3, hello))
    },
  ]

  static let refusals: [Case] = [
    Case(
      "content type application/json",
      frames: [
        "HEADERS 1 :status=415, content-type=text/plain; charset=utf-8, grpc-status=13, grpc-message=Content-Type 'application/json' is not supported",
        "DATA 1 END 48 bytes",
      ]
    ) {
      $0.send($0.headers(1, replacing: [HTTPHeader("content-type", "application/json")]))
      $0.send(TestClient.data(1, Array("{}".utf8), ends: true))
    },
    Case(
      "content type application/grpc-web+proto",
      frames: [
        "HEADERS 1 :status=415, content-type=text/plain; charset=utf-8, grpc-status=13, grpc-message=Content-Type 'application/grpc-web+proto' is not supported",
        "DATA 1 END 58 bytes",
      ]
    ) {
      $0.send($0.headers(1, replacing: [HTTPHeader("content-type", "application/grpc-web+proto")]))
    },
    Case(
      "method GET",
      frames: [
        "HEADERS 1 :status=405, content-type=text/plain; charset=utf-8, grpc-status=13, grpc-message=Method 'GET' is not supported",
        "DATA 1 END Method 'GET' is not supported",
      ]
    ) {
      $0.send($0.headers(1, ends: true, replacing: [HTTPHeader(":method", "GET")]))
    },
    Case(
      "a compressed message without grpc-encoding", events: ["call 1 s.S/M", "cancelled 1"],
      frames: [
        "HEADERS 1 END :status=200, content-type=application/grpc, grpc-status=13, grpc-message=Can't decode compressed gRPC message as compression not configured"
      ]
    ) {
      $0.send($0.headers(1) + TestClient.data(1, [1] + hello.dropFirst(), ends: true))
    },
    Case(
      "a compressed message that is none",
      events: ["call 1 s.S/M", "message 1 hello", "cancelled 1"],
      frames: [
        "HEADERS 1 END :status=200, content-type=application/grpc, grpc-status=3, grpc-message=Compressed gRPC message is not in gzip format"
      ]
    ) {
      $0.send($0.headers(1, [HTTPHeader("grpc-encoding", "gzip")]))
      $0.send(TestClient.data(1, hello + [1] + hello.dropFirst(), ends: true))
    },
    Case(
      "grpc-encoding snappy",
      frames: [
        "HEADERS 1 END :status=200, content-type=application/grpc, grpc-status=12, grpc-message=Can't find decompressor for snappy"
      ]
    ) {
      $0.send($0.headers(1, [HTTPHeader("grpc-encoding", "snappy")]))
      $0.send(TestClient.data(1, [1] + hello.dropFirst(), ends: true))
    },
    Case(
      "reserved bits in front of a message", events: ["call 1 s.S/M", "cancelled 1"],
      frames: [
        "HEADERS 1 END :status=200, content-type=application/grpc, grpc-status=13, grpc-message=gRPC frame header malformed: reserved bits not zero"
      ]
    ) {
      $0.send($0.headers(1) + TestClient.data(1, [2] + hello.dropFirst(), ends: true))
    },
    Case(
      "an end inside of a message", events: ["call 1 s.S/M", "cancelled 1"],
      frames: [
        "HEADERS 1 END :status=200, content-type=application/grpc, grpc-status=13, grpc-message=Encountered end-of-stream mid-frame"
      ]
    ) {
      $0.send($0.headers(1) + TestClient.data(1, Array(hello.dropLast()), ends: true))
    },
    Case(
      "a message over 17 MiB", events: ["call 1 s.S/M", "cancelled 1"],
      frames: [
        "HEADERS 1 END :status=200, content-type=application/grpc, grpc-status=3, grpc-message=gRPC message exceeds maximum size 17825792: 17825793"
      ]
    ) {
      $0.send($0.headers(1) + TestClient.data(1, [0, 1, 0x10, 0, 1]))
    },
    Case("a bad grpc-timeout", frames: ["RST_STREAM 1 2"]) {
      $0.send($0.headers(1, [HTTPHeader("grpc-timeout", "xx")]))
      $0.send(TestClient.data(1, hello, ends: true))
    },
    Case(
      "70 kB of headers, and a call behind them", events: ["call 3 s.S/M"],
      frames: [
        "HEADERS 1 END :status=431, content-type=text/plain; charset=utf-8, grpc-status=3, grpc-message=Header list of 70381 bytes exceeds maximum: 65536",
        "RST_STREAM 1 1",
      ]
    ) {
      $0.send($0.headers(1, [HTTPHeader("x-big", String(repeating: "v", count: 70_000))]))
      $0.send(TestClient.data(1, hello, ends: true) + $0.headers(3))
    },
    Case(
      "an upper-case name, DATA behind it, and another call", events: ["call 3 s.S/M"],
      frames: ["RST_STREAM 1 1"]
    ) {
      $0.send($0.headers(1, [HTTPHeader("X-Upper", "v")]))
      $0.send(TestClient.data(1, hello, ends: true) + $0.headers(3))
    },
    Case("a field about the connection", frames: ["RST_STREAM 1 1"]) {
      $0.send($0.headers(1, [HTTPHeader("connection", "close")]))
    },
    Case("a pseudo-header behind a field", frames: ["RST_STREAM 1 1"]) {
      $0.send($0.headers(1, [HTTPHeader(":method", "POST")]))
    },
    Case("a line end in a value", frames: ["RST_STREAM 1 1"]) {
      $0.send($0.headers(1, [HTTPHeader("x", "a\r\nb")]))
    },
    Case("no path", frames: ["RST_STREAM 1 1"]) {
      $0.send(TestClient.frame(1, 4, 1, $0.encoder.encode([HTTPHeader(":method", "POST")])))
    },
    Case(
      "DATA behind the client's end",
      events: ["call 1 s.S/M", "message 1 hello", "end 1", "cancelled 1"],
      frames: ["RST_STREAM 1 5"]
    ) {
      $0.send($0.headers(1) + TestClient.data(1, hello, ends: true) + TestClient.data(1, hello))
    },
    Case(
      "trailers that do not end the stream", events: ["call 1 s.S/M", "cancelled 1"],
      frames: ["RST_STREAM 1 1"]
    ) {
      $0.send($0.headers(1) + TestClient.frame(1, 4, 1))
    },
    Case(
      "a window update of nothing", events: ["call 1 s.S/M", "cancelled 1"],
      frames: ["RST_STREAM 1 1"]
    ) {
      $0.send($0.headers(1) + TestClient.frame(8, 0, 1, [0, 0, 0, 0]))
    },
    Case(
      "a window that is too large", events: ["call 1 s.S/M", "cancelled 1"],
      frames: ["RST_STREAM 1 3"]
    ) {
      $0.send($0.headers(1) + TestClient.frame(8, 0, 1, [0x7f, 0xff, 0xff, 0xff]))
    },
  ]

  static let failures: [(name: String, frame: [UInt8], goAway: String)] = [
    (
      "an even stream", TestClient.frame(1, 4, 2),
      "1 last 1 Request stream 2 is not a number of clients"
    ),
    ("DATA on an idle stream", TestClient.data(5, [1]), "1 last 1 DATA on idle stream 5"),
    ("DATA on stream 0", TestClient.data(0, [1]), "1 last 1 DATA on idle stream 0"),
    (
      "a frame over 16 kB", [0, 0x50, 0, 0, 0, 0, 0, 0, 1],
      "6 last 1 Frame length: 20480 exceeds maximum: 16384"
    ),
    (
      "a reset of an idle stream", TestClient.frame(3, 0, 5, [0, 0, 0, 8]),
      "1 last 1 RST_STREAM on idle stream 5"
    ),
    (
      "a window of an idle stream", TestClient.frame(8, 0, 5, [0, 0, 0, 8]),
      "1 last 1 WINDOW_UPDATE on idle stream 5"
    ),
    (
      "a window update of nothing", TestClient.frame(8, 0, 0, [0, 0, 0, 0]),
      "1 last 1 WINDOW_UPDATE of nothing"
    ),
    (
      "a window that is too large", TestClient.frame(8, 0, 0, [0x7f, 0xff, 0xff, 0xff]),
      "3 last 1 Window of the connection is too large"
    ),
    ("a short window update", TestClient.frame(8, 0, 0, [1]), "6 last 1 WINDOW_UPDATE of 1 bytes"),
    ("a short reset", TestClient.frame(3, 0, 1, [1]), "6 last 1 RST_STREAM of 1 bytes"),
    ("a short PING", TestClient.frame(6, 0, 0, [1]), "6 last 1 PING of 1 bytes"),
    (
      "a PING on a stream", TestClient.frame(6, 0, 1, [0, 0, 0, 0, 0, 0, 0, 0]),
      "1 last 1 PING on stream 1"
    ),
    ("a short GOAWAY", TestClient.frame(7, 0, 0, [1]), "6 last 1 GOAWAY of 1 bytes"),
    (
      "SETTINGS of five bytes", TestClient.frame(4, 0, 0, [1, 2, 3, 4, 5]),
      "6 last 1 SETTINGS of 5 bytes"
    ),
    (
      "an answer to SETTINGS with SETTINGS", TestClient.frame(4, 1, 0, [0, 4, 0, 0, 0, 0]),
      "6 last 1 SETTINGS of 6 bytes"
    ),
    ("SETTINGS on a stream", TestClient.frame(4, 0, 1), "1 last 1 SETTINGS on stream 1"),
    ("a bad ENABLE_PUSH", TestClient.settings([(2, 2)]), "1 last 1 Bad ENABLE_PUSH"),
    ("a bad window", TestClient.settings([(4, 1 << 31)]), "3 last 1 Bad INITIAL_WINDOW_SIZE"),
    ("a bad frame size", TestClient.settings([(5, 16_383)]), "1 last 1 Bad MAX_FRAME_SIZE"),
    ("a push", TestClient.frame(5, 4, 1, [0, 0, 0, 2]), "1 last 1 PUSH_PROMISE of a client"),
    ("CONTINUATION alone", TestClient.frame(9, 4, 1), "1 last 1 CONTINUATION without HEADERS"),
    (
      "a frame inside of a header block", TestClient.frame(1, 0, 3) + TestClient.frame(6, 0, 0),
      "1 last 1 Frame inside of a header block"
    ),
    (
      "CONTINUATION of another stream", TestClient.frame(1, 0, 3) + TestClient.frame(9, 4, 5),
      "1 last 1 Frame inside of a header block"
    ),
    (
      "padding over the frame", TestClient.frame(0, 8, 1, [9, 1]),
      "1 last 1 Padding exceeds the frame"
    ),
    (
      "no length of padding", TestClient.frame(0, 8, 1),
      "6 last 1 Frame without the length of its padding"
    ),
    (
      "a bad header block", TestClient.frame(1, 4, 3, [0x80]),
      "9 last 1 Header block refers to unknown field 0"
    ),
  ]

  @Test(arguments: calls + refusals)
  func aStreamGetsItsAnswer(_ given: Case) {
    var client = TestClient()
    given.send(&client)
    #expect(client.takeEvents() == given.events)
    #expect(client.received() == given.frames)
    #expect(!client.connection.isFinished)
  }

  @Test(arguments: failures)
  func aBrokenConnectionEndsWithGOAWAY(name: String, frame: [UInt8], goAway: String) {
    var client = TestClient()
    client.send(client.headers(1))
    client.send(frame + client.headers(7))
    #expect(client.takeEvents() == ["call 1 s.S/M", "cancelled 1"])
    #expect(client.received() == ["GOAWAY " + goAway])
    #expect(client.connection.isFinished)
    client.connection.send(message: [1], on: StreamID(1))
    client.send(client.headers(9))
    #expect(client.takeEvents().isEmpty && !client.connection.hasOutput)
  }

  @Test func theFirstFramesAreThoseOfGooglesEmulator() {
    var connection = ServerConnection()
    #expect(connection.receive(HTTP2Connection.preface).isEmpty)
    let settings = TestClient.settings([(3, 10_000), (4, 1_048_576), (6, 65_536)])
    #expect(
      connection.takeOutput() == settings + TestClient.frame(8, 0, 0, TestClient.number(983_041)))
    #expect(connection.receive(TestClient.settings([])).isEmpty)
    #expect(connection.takeOutput() == TestClient.frame(4, 1, 0))
  }

  @Test func theFirstFrameOfAClientIsSETTINGS() {
    var connection = ServerConnection()
    #expect(connection.receive(HTTP2Connection.preface + TestClient.frame(6, 0, 0)).isEmpty)
    #expect(connection.isFinished)
  }
}
