import Testing

@testable import FirestoreTransport

@Suite struct CallTests {
  @Test(
    arguments: [
      ("1n", 1), ("1u", 1000), ("60100m", 60_100_000_000), ("301S", 301_000_000_000),
      ("1M", 60_000_000_000), ("2H", 7_200_000_000_000), ("99999999H", UInt64.max), ("0S", 0),
      ("", nil), ("S", nil), ("1", nil), ("xx", nil), ("1s", nil), ("-1S", nil), ("+1S", nil),
      ("123456789S", nil), ("1 S", nil), ("aS", nil),
    ] as [(String, UInt64?)])
  func timeoutsAreReadAsNanoseconds(text: String, nanoseconds: UInt64?) {
    #expect(CallTimeout.nanoseconds(text) == nanoseconds)
  }

  @Test(arguments: [
    ("\nfalse for 'get' @ L3", "%0Afalse for 'get' @ L3"), ("dev~demo-x", "dev%7Edemo-x"),
    ("100 %", "100 %25"), ("é€😀", "%C3%A9%E2%82%AC%F0%9F%98%80"), ("\u{7f}", "%7F"), ("", ""),
  ])
  func messagesAreEscapedAsGooglesEmulatorDoes(message: String, escaped: String) {
    #expect(PercentEncoding.statusMessage(message, limit: 100) == escaped)
    #expect(PercentEncoding.decode(escaped[...]) == message)
  }

  @Test func aLongMessageIsCutBetweenCharacters() {
    #expect(PercentEncoding.statusMessage("abé", limit: 7) == "ab")
    #expect(PercentEncoding.statusMessage("abé", limit: 8) == "ab%C3%A9")
    let long = String(repeating: "é", count: 5000)
    let block = AnswerBlocks.trailersOnly(CallStatus(.notFound, long), extra: [], limits: .standard)
    #expect(block.count < 6300 && block.count > 6100)
  }

  @Test func theHeadOfACallHasItsMetadataAndTimeout() {
    let fields = [
      HTTPHeader("content-type", "application/grpc; x"), HTTPHeader("grpc-timeout", "5m"),
      HTTPHeader("authorization", "Bearer owner"),
    ]
    let head = CallHead(path: "s.S/M", metadata: fields, timeout: 5_000_000)
    #expect(
      CallOpening(method: "POST", path: "/s.S/M", fields: fields) == .accepted(head, .identity))
    let none = CallOpening(method: "POST", path: "/s.S/M", fields: [])
    let reason = CallStatus(.internal, "Content-Type is missing from the request")
    #expect(none == .refused(httpStatus: 415, reason))
  }

  @Test func everyCodeHasItsName() {
    #expect(StatusCode.allCases.map(\.rawValue) == Array(0...16))
    #expect(StatusCode(rawValue: 7)?.name == "PERMISSION_DENIED")
    #expect(Set(StatusCode.allCases.map(\.name)).count == 17)
  }

  /// The bytes that Google's emulator sends, but for the encodings that are not promised here.
  @Test func theSmallestExchangeIsThatOfGooglesEmulator() {
    var client = TestClient()
    client.send(client.headers(1) + TestClient.data(1, TestClient.message("hello"), ends: true))
    client.connection.send(message: Array("world".utf8), on: StreamID(1))
    client.connection.finish(StreamID(1), with: .ok)
    let type = [0x0f, 0x10, 0x10] + Array("application/grpc".utf8)
    let trailers = [0, 11] + Array("grpc-status".utf8) + [1, UInt8(ascii: "0")]
    #expect(
      client.connection.takeOutput()
        == TestClient.frame(1, 4, 1, [0x88] + type)
        + TestClient.frame(0, 0, 1, TestClient.message("world"))
        + TestClient.frame(1, 5, 1, trailers))
  }

  @Test func aDenialIsTrailersOnly() {
    var client = TestClient()
    client.send(client.headers(1) + TestClient.data(1, TestClient.message("hello"), ends: true))
    let stream = StreamID(1)
    client.connection.finish(
      stream, with: CallStatus(.permissionDenied, "\nfalse for 'get' @ L3"),
      trailers: [HTTPHeader("x-rules-check-decision", "12")])
    #expect(
      client.received() == [
        "HEADERS 1 END :status=200, content-type=application/grpc, grpc-status=7, grpc-message=%0Afalse for 'get' @ L3, x-rules-check-decision=12"
      ])
    client.connection.finish(stream, with: .ok)
    client.connection.send(message: [1], on: stream)
    client.connection.reset(stream, code: 8)
    #expect(!client.connection.hasOutput)
    // The JavaScript SDK ends its direction afterwards, C-core resets the stream.
    client.send(TestClient.data(1, [], ends: true) + TestClient.frame(3, 0, 1, [0, 0, 0, 8]))
    client.send(TestClient.frame(8, 0, 1, [0, 0, 0, 8]) + TestClient.data(1, [1, 2]))
    #expect(client.received().isEmpty && !client.connection.isFinished)
  }

  @Test func anErrorBehindMessagesHasOnlyItsStatus() {
    var client = TestClient()
    client.send(client.headers(1))
    client.connection.send(message: [], on: StreamID(1))
    client.connection.finish(StreamID(1), with: CallStatus(.aborted, "100%"))
    #expect(
      client.received() == [
        "HEADERS 1 :status=200, content-type=application/grpc", "DATA 1 .....",
        "HEADERS 1 END grpc-status=10, grpc-message=100%25",
      ])
  }

  @Test func aDeadlineResetsTheStreamWithoutTrailers() {
    var client = TestClient()
    client.send(client.headers(1, [HTTPHeader("grpc-timeout", "1n")]))
    client.connection.send(message: [1, 2, 3], on: StreamID(1))
    client.connection.reset(StreamID(1), code: 8)
    #expect(
      client.received() == [
        "HEADERS 1 :status=200, content-type=application/grpc", "RST_STREAM 1 8",
      ])
    #expect(client.connection.queuedBytes == 0)
  }
}
