import Testing

@testable import FirestoreTransport

/// Attacks of hostile clients.
@Suite struct LimitTests {
  @Test func aFloodOfContinuationsEndsTheConnection() {
    var client = TestClient()
    client.send(TestClient.frame(1, 0, 1))
    for _ in 0..<257 { client.send(TestClient.frame(9, 0, 1)) }
    #expect(client.received() == ["GOAWAY 11 last 0 Header block is too long"])
    #expect(client.connection.isFinished)
  }

  @Test func aHeaderBlockWithoutEndEndsTheConnection() {
    var client = TestClient()
    let part = [UInt8](repeating: 0x82, count: 16_384)
    client.send(TestClient.frame(1, 0, 1, part))
    for _ in 0..<7 { client.send(TestClient.frame(9, 0, 1, part)) }
    #expect(!client.connection.isFinished)
    client.send(TestClient.frame(9, 0, 1, part))
    #expect(client.received() == ["GOAWAY 11 last 0 Header block is too long"])
  }

  /// One byte a field of 4 kB: the list is counted, not kept.
  @Test func aBombOfIndexedFieldsIsRefused() {
    var client = TestClient()
    let value = String(repeating: "v", count: 4000)
    client.send(client.headers(1, ends: true, [HTTPHeader("bomb", value)]))
    client.send(TestClient.frame(1, 5, 3, [UInt8](repeating: 0xbe, count: 16_000)))
    #expect(client.takeEvents() == ["call 1 s.S/M", "end 1"])
    let frames = client.received()
    #expect(frames.count == 2 && frames[0].contains(":status=431") && frames[1] == "RST_STREAM 3 1")
  }

  @Test func streamsOverTheLimitAreRefusedAndTheirHeadersDecoded() {
    var limits = TransportLimits()
    limits.concurrentStreams = 2
    var client = TestClient(limits: limits)
    client.send(client.headers(1) + client.headers(3) + client.headers(5, [HTTPHeader("new", "x")]))
    #expect(client.takeEvents() == ["call 1 s.S/M", "call 3 s.S/M"])
    #expect(client.received() == ["RST_STREAM 5 7"])
    client.connection.finish(StreamID(1), with: .ok)
    client.send(client.headers(7, [HTTPHeader("new", "x")]))
    #expect(client.takeEvents() == ["call 7 s.S/M"])
  }

  @Test func aFloodOfResetsEndsTheConnectionButAnsweredCallsCountAgainstIt() {
    var limits = TransportLimits()
    limits.unansweredResets = 10
    var client = TestClient(limits: limits)
    var number: UInt32 = 1
    for _ in 0..<100 {
      client.send(client.headers(number) + TestClient.frame(3, 0, number, [0, 0, 0, 8]))
      number += 2
      client.send(client.headers(number))
      client.connection.finish(StreamID(number), with: .ok)
      number += 2
    }
    #expect(!client.connection.isFinished)
    _ = client.received()
    for _ in 0..<11 {
      client.send(client.headers(number) + TestClient.frame(3, 0, number, [0, 0, 0, 8]))
      number += 2
    }
    #expect(
      client.received() == [
        "GOAWAY 11 last \(number - 2) Too many calls are reset before an answer"
      ])
  }

  @Test func aFloodOfPingsThatNobodyReadsTheAnswersOfEndsTheConnection() {
    var limits = TransportLimits()
    limits.controlOutput = 1000
    var client = TestClient(limits: limits)
    for _ in 0..<1000 { client.send(TestClient.frame(6, 0, 0, [UInt8](repeating: 1, count: 8))) }
    #expect(client.connection.isFinished)
    #expect(client.connection.queuedBytes < 1100)
    #expect(client.received().last == "GOAWAY 11 last 0 Answers to frames are not read")
  }

  @Test func aClientThatReadsNoAnswersIsLeft() {
    var limits = TransportLimits()
    limits.queuedMessages = 100_000
    var client = TestClient(limits: limits, settings: [(4, 0)])
    client.send(client.headers(1) + client.headers(3))
    for _ in 0..<100 where !client.connection.isFinished {
      client.connection.send(message: [UInt8](repeating: 0, count: 10_000), on: StreamID(1))
    }
    #expect(client.connection.isFinished && client.connection.queuedBytes < 200)
    #expect(client.received().last == "GOAWAY 11 last 3 Answers are not read")
    let events = client.connection.endOfInput().map(TestClient.text(of:))
    #expect(events == ["cancelled 1", "cancelled 3"])
  }

  @Test func unfinishedMessagesHaveALimitTogether() {
    var limits = TransportLimits()
    limits.partialMessages = 50_000
    var client = TestClient(limits: limits)
    let start = [0, 0, 1, 0, 0] + [UInt8](repeating: 0, count: 11_000)
    for number in [1, 3, 5, 7] as [UInt32] {
      client.send(client.headers(number) + TestClient.data(number, start))
    }
    client.send(TestClient.frame(3, 0, 1, [0, 0, 0, 8]))
    client.send(client.headers(9) + TestClient.data(9, start))
    #expect(!client.takeEvents().contains("cancelled 9"))
    client.send(client.headers(11) + TestClient.data(11, start))
    #expect(client.takeEvents() == ["call 11 s.S/M", "cancelled 11"])
    #expect(client.received().last?.contains("grpc-status=3") == true)
  }

  @Test func closedStreamsLeaveNothingBehind() {
    var connection = HTTP2Connection(limits: .standard)
    connection.append(TestClient.settings([]))
    #expect(connection.next() == nil)
    connection.sendWindow = 0
    var encoder = TestEncoder()
    for number in stride(from: UInt32(1), to: 2001, by: 2) {
      connection.append(TestClient.frame(1, 5, number, encoder.encode(TestClient.fields)))
      #expect(connection.next() != nil)
      connection.sendData([[1, 2, 3]], on: StreamID(number))
      connection.append(TestClient.frame(3, 0, number, [0, 0, 0, 8]))
      #expect(connection.next() != nil)
    }
    #expect(connection.streams.isEmpty && connection.pendingBytes == 0)
    #expect(connection.ready.count <= 17 && connection.blocked.isEmpty)
  }
}
