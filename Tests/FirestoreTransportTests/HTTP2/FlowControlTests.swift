import Testing

@testable import FirestoreTransport

@Suite struct FlowControlTests {
  /// Google's emulator sends 20 bytes of DATA into a window of 20 bytes, and then nothing until there is
  /// more.
  @Test func anAnswerWaitsForTheWindowOfItsStream() {
    var client = TestClient(settings: [(4, 20)])
    client.send(client.headers(1, ends: true))
    client.connection.send(message: Array("0123456789abcdefghijklmnopqrst".utf8), on: StreamID(1))
    client.connection.finish(StreamID(1), with: .ok, trailers: [HTTPHeader("x-id", "7")])
    #expect(client.connection.queuedBytes > 35)
    #expect(
      client.received() == [
        "HEADERS 1 :status=200, content-type=application/grpc", "DATA 1 ....\u{1e}0123456789abcde",
      ])
    #expect(!client.connection.hasOutput)
    #expect(client.connection.queuedBytes == 15)
    client.send(TestClient.frame(8, 0, 1, TestClient.number(5)))
    #expect(client.received() == ["DATA 1 fghij"])
    client.send(TestClient.settings([(4, 25)]))
    #expect(client.received() == ["SETTINGS ACK", "DATA 1 klmno"])
    client.send(TestClient.settings([(4, 0)]) + TestClient.frame(8, 0, 1, TestClient.number(24)))
    #expect(client.received() == ["SETTINGS ACK"])
    client.send(TestClient.frame(8, 0, 1, TestClient.number(100)))
    #expect(client.received() == ["DATA 1 pqrst", "HEADERS 1 END grpc-status=0, x-id=7"])
    #expect(client.connection.queuedBytes == 0)
  }

  @Test func anAnswerWaitsForTheWindowOfTheConnection() {
    var client = TestClient(settings: [(4, 1 << 20)])
    client.send(client.headers(1, ends: true) + client.headers(3, ends: true))
    client.connection.send(message: [UInt8](repeating: 7, count: 65_525), on: StreamID(1))
    client.connection.finish(StreamID(3), with: CallStatus(.notFound, "no"))
    let frames = client.received()
    #expect(frames.count == 2 + 4)
    #expect(frames[0].hasPrefix("HEADERS 1 ") && frames[1].hasPrefix("HEADERS 3 END "))
    #expect(frames.last == "DATA 1 16378 bytes")
    client.connection.send(message: Array("more".utf8), on: StreamID(1))
    #expect(client.received() == ["DATA 1 ....\u{4}"])
    client.send(TestClient.frame(8, 0, 0, TestClient.number(6)))
    #expect(client.received() == ["DATA 1 more"])
  }

  @Test func streamsShareAConnectionInTurn() {
    var client = TestClient(settings: [(4, 1 << 20)])
    for number in [1, 3, 5] as [UInt32] {
      client.send(client.headers(number))
      client.connection.send(message: [UInt8](repeating: 0, count: 30_000), on: StreamID(number))
    }
    let frames = client.received().filter { $0.hasPrefix("DATA") }
    let streams = frames.map { $0.dropFirst(5).prefix(1) }
    #expect(streams == ["1", "3", "5", "1", "3"])
    client.send(
      TestClient.frame(3, 0, 1, [0, 0, 0, 8]) + TestClient.frame(8, 0, 0, TestClient.number(60_000))
    )
    let rest = client.received()
    #expect(rest == ["DATA 3 10859 bytes", "DATA 5 13621 bytes"])
    #expect(client.connection.queuedBytes == 0)
  }

  @Test func whatWasReadIsGivenBackAtHalfOfTheWindow() {
    var limits = TransportLimits()
    limits.receiveWindow = 100_000
    var client = TestClient(limits: limits)
    client.send(client.headers(1) + client.headers(3))
    let part = [UInt8](repeating: 0, count: 10_000)
    var frames: [String] = []
    for number in [1, 3, 1, 1, 1, 3, 1, 3, 3, 3] as [UInt32] {
      client.send(TestClient.data(number, part))
      frames += client.received()
    }
    #expect(
      frames == [
        "WINDOW_UPDATE 0 50000", "WINDOW_UPDATE 1 50000", "WINDOW_UPDATE 0 50000",
        "WINDOW_UPDATE 3 50000",
      ])
    // Padding counts, and DATA on closed streams gives the connection's window back.
    client.send(TestClient.frame(3, 0, 1, [0, 0, 0, 8]))
    for _ in 0..<5 { client.send(TestClient.frame(0, 8, 1, [255] + part.dropLast())) }
    #expect(client.received() == ["WINDOW_UPDATE 0 50000"])
  }

  @Test func aClientThatSendsBeyondAWindowIsStopped() {
    var limits = TransportLimits()
    limits.receiveWindow = 20_000
    // The connection's window cannot be below the default: the stream's ends first.
    var connection = HTTP2Connection(limits: limits)
    connection.receiveWindow = ReceiveWindow(size: 32_000)
    var encoder = TestEncoder()
    connection.append(TestClient.settings([]))
    connection.append(TestClient.frame(1, 4, 1, encoder.encode(TestClient.fields)))
    connection.append(TestClient.frame(0, 0, 1, [UInt8](repeating: 0, count: 9000)))
    #expect(connection.next() != nil && connection.next() != nil && connection.next() == nil)
    var window = ReceiveWindow(size: 10)
    #expect(window.receive(4) && window.takeIncrement() == nil)
    #expect(!window.receive(7) && window.receive(6) && window.takeIncrement() == 10)
    #expect(window.receive(10) && !window.receive(1))
  }

  @Test func largeMessagesGoThroughBothWays() {
    var client = TestClient(settings: [(4, 0x7fff_ffff)])
    client.send(TestClient.frame(8, 0, 0, TestClient.number(0x7fff_0000)))
    client.send(client.headers(1))
    let message = [UInt8](repeating: 9, count: 5 << 20)
    let whole = MessageReader.prefix(of: message) + message
    var place = 0
    var echoed = false
    while place < whole.count {
      let end = min(whole.count, place + 16_384)
      for event in client.connection.receive(
        TestClient.data(1, Array(whole[place..<end]), ends: end == whole.count))
      {
        if case .message(let bytes, let stream) = event {
          #expect(bytes == message)
          client.connection.send(message: bytes, on: stream)
          echoed = true
        }
      }
      place = end
    }
    #expect(echoed)
    client.connection.finish(StreamID(1), with: .ok)
    let frames = client.connection.takeOutput().count
    #expect(frames > whole.count && frames < whole.count + 5000)
    #expect(client.connection.queuedBytes == 0)
  }

  @Test func aClientWithASmallerTableIsToldThatTheServersIsEmpty() {
    var client = TestClient(settings: [(1, 0)])
    client.send(client.headers(1, ends: true) + client.headers(3, ends: true))
    client.connection.finish(StreamID(1), with: .ok)
    client.connection.finish(StreamID(3), with: .ok)
    let output = client.connection.takeOutput()
    #expect(output[9...].prefix(2) == [0x20, 0x88])
    let second = 9 + Int(output[2])
    #expect(output[second + 9] == 0x88)
  }

  @Test func aLongHeaderBlockIsContinued() {
    var client = TestClient()
    client.send(client.headers(1, ends: true))
    let value = String(repeating: "x", count: 20_000)
    client.connection.finish(StreamID(1), with: .ok, trailers: [HTTPHeader("x-long", value)])
    let output = client.connection.takeOutput()
    #expect(output[3] == 1 && output[4] == 1)
    #expect(output[9 + 16_384 + 3] == 9 && output[9 + 16_384 + 4] == 4)
  }
}
