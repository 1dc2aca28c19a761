import Testing

@testable import FirestoreTransport

/// The client's side of a connection, beside the server's.
@Suite struct ClientConnectionTests {
  /// A client and a server that echoes messages, with the bytes between them cut anywhere.
  private struct Pair {
    var client = ClientConnection(authority: "localhost:8080")
    var server = ServerConnection()
    var random = TrialRandom(seed: 1)
    var events: [String] = []
    var messages: [[UInt8]] = []
    var metadata: [String] = []
    var status = CallStatus.ok

    /// Carries bytes to and fro until neither side has any.
    mutating func settle() {
      while true {
        let request = client.takeOutput()
        for piece in pieces(of: request) { answer(server.receive(piece)) }
        let response = server.takeOutput()
        for piece in pieces(of: response) { note(client.receive(piece)) }
        if request.isEmpty, response.isEmpty { return }
      }
    }

    private mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
      var pieces: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = min(
          rest.count, random.onceIn(3) ? 1 + random.below(9) : 1 + random.below(9_000))
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return pieces
    }

    private mutating func answer(_ events: [ConnectionEvent]) {
      for event in events {
        switch event {
        case .request: Issue.record("HTTP/1")
        case .call(let head, _): metadata.append(head.metadata.value(of: "authorization") ?? "none")
        case .message(let message, let stream): server.send(message: message, on: stream)
        case .halfClosed(let stream): server.finish(stream, with: status)
        case .cancelled(let stream): self.events.append("cancelled \(stream.number)")
        }
      }
    }

    private mutating func note(_ events: [ClientEvent]) {
      for event in events {
        switch event {
        case .message(let message, let stream):
          messages.append(message)
          self.events.append("message \(stream.number)")
        case .ended(let status, let stream):
          self.events.append("\(stream.number) \(status.code) \(status.message)")
        case .failed(let why): self.events.append("failed \(why)")
        }
      }
    }
  }

  @Test func messagesAndStatusArrive() {
    var pair = Pair()
    pair.status = CallStatus(.permissionDenied, "\nfalse for 'get' @ L3 ~ é")
    let one = pair.client.begin(
      path: "s.S/M", metadata: [HTTPHeader("authorization", "Bearer owner")])
    let two = pair.client.begin(path: "s.S/M")
    pair.client.send(message: [1, 2], on: one)
    pair.client.send(message: [], on: one)
    pair.client.halfClose(two)
    pair.client.halfClose(one)
    pair.client.send(message: [3], on: one)
    pair.settle()
    #expect(pair.messages == [[1, 2], []])
    #expect(pair.metadata == ["Bearer owner", "none"])
    let end = "permissionDenied \nfalse for 'get' @ L3 ~ é"
    #expect(pair.events.sorted() == ["message 1", "message 1", "1 " + end, "3 " + end].sorted())
  }

  @Test func messagesLargerThanAllWindowsArrive() {
    var pair = Pair()
    let stream = pair.client.begin(path: "s.S/M")
    let message = [UInt8](repeating: 7, count: 5 << 20)
    pair.client.send(message: message, on: stream)
    pair.client.halfClose(stream)
    pair.settle()
    #expect(pair.messages == [message])
    #expect(pair.events == ["message 1", "1 ok "])
  }

  @Test func longMetadataIsContinued() {
    var pair = Pair()
    let token = String(repeating: "x", count: 40_000)
    let stream = pair.client.begin(path: "s.S/M", metadata: [HTTPHeader("authorization", token)])
    pair.client.halfClose(stream)
    pair.settle()
    #expect(pair.metadata == [token])
  }

  @Test func aCallThatIsGivenUpIsCancelledAndSilent() {
    var pair = Pair()
    let stream = pair.client.begin(path: "s.S/M")
    pair.client.send(message: [1], on: stream)
    pair.settle()
    pair.client.cancel(stream)
    pair.client.halfClose(stream)
    pair.settle()
    #expect(pair.events == ["message 1", "cancelled 1"])
  }

  @Test func resetsAndRefusalsAreStatuses() {
    var pair = Pair()
    let stream = pair.client.begin(path: "s.S/M")
    pair.settle()
    pair.server.reset(stream, code: 8)
    pair.settle()
    let other = pair.client.begin(path: "s.S/M", metadata: [HTTPHeader("grpc-encoding", "snappy")])
    pair.client.halfClose(other)
    pair.settle()
    #expect(pair.events.first == "1 cancelled reset with code 8")
    #expect(pair.events.last == "3 unimplemented Can't find decompressor for snappy")
  }

  @Test func damagedAnswersNeverTrap() {
    var random = TrialRandom(seed: 5)
    for seed in 0..<300 as Range<UInt64> {
      var client = ClientConnection(authority: "x")
      var server = ServerConnection()
      var stream = StreamID(1)
      for _ in 0..<4 {
        stream = client.begin(path: "s.S/M")
        client.send(message: [1, 2, 3], on: stream)
        client.halfClose(stream)
      }
      for event in server.receive(client.takeOutput()) {
        if case .message(let message, let stream) = event {
          server.send(message: message, on: stream)
        }
        if case .halfClosed(let stream) = event { server.finish(stream, with: .ok) }
      }
      let bytes = TrialConversation.mutated(server.takeOutput(), &random)
      var ends = 0
      for event in client.receive(bytes) + client.receive(random.bytes(200)) {
        switch event {
        case .message: break
        case .ended: ends += 1
        case .failed: #expect(client.isFailed)
        }
      }
      #expect(ends <= 4, "seed \(seed)")
      #expect(client.takeOutput().count < 100_000)
    }
  }
}
