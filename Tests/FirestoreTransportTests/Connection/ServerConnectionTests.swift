import Testing

@testable import FirestoreTransport

@Suite struct ServerConnectionTests {
  @Test func aPrefaceInPiecesIsHTTP2AndAnythingElseHTTP1() {
    var connection = ServerConnection()
    for byte in HTTP2Connection.preface {
      #expect(!connection.hasOutput)
      #expect(connection.receive([byte]).isEmpty)
    }
    #expect(connection.takeOutput().prefix(4) == [0, 0, 18, 4])
    connection = ServerConnection()
    #expect(connection.receive(Array("PR".utf8)).isEmpty)
    let events = connection.receive(Array("OPFIND / HTTP/1.1\r\n\r\n".utf8))
    #expect(events.map(TestClient.text(of:)) == ["PROPFIND / 1"])
    connection.respond(HTTPResponse(status: 404, text: "Not Found\n"), to: StreamID(1))
    let text = String(decoding: connection.takeOutput(), as: UTF8.self)
    #expect(text == "HTTP/1.1 404 Not Found\r\ncontent-length: 10\r\n\r\nNot Found\n")
  }

  @Test func anUpgradeToHTTP2IsIgnored() {
    var connection = ServerConnection()
    let request =
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
    #expect(connection.receive(Array(request.utf8)).map(TestClient.text(of:)) == ["GET / 1"])
    connection.respond(HTTPResponse(text: "Ok\n"), to: StreamID(1))
    #expect(connection.hasOutput && !connection.isFinished)
  }

  @Test func theEndOfAnHTTP2ClientCancelsItsCalls() {
    var client = TestClient(settings: [(4, 0)])
    client.send(client.headers(1) + client.headers(3, ends: true) + client.headers(5))
    client.connection.send(message: [1, 2, 3], on: StreamID(3))
    client.connection.finish(StreamID(1), with: .ok)
    let events = client.connection.endOfInput().map(TestClient.text(of:))
    #expect(events == ["cancelled 3", "cancelled 5"])
    #expect(client.connection.isFinished)
    #expect(client.received().count == 2 && client.connection.queuedBytes == 0)
    #expect(client.connection.receive(client.headers(7)).isEmpty)
  }

  @Test func theServerCanEndAConnection() {
    var client = TestClient()
    client.send(client.headers(1))
    #expect(client.connection.shutDown().map(TestClient.text(of:)) == ["cancelled 1"])
    #expect(client.received() == ["GOAWAY 0 last 1 "] && client.connection.isFinished)
    var silent = ServerConnection()
    #expect(silent.shutDown().isEmpty && silent.isFinished && silent.receive([1]).isEmpty)
  }

  @Test func endsOfHTTP1ConnectionsCancelAnswersInParts() {
    var connection = ServerConnection()
    #expect(connection.receive(Array("GET / HTTP/1.1\r\n\r\n".utf8)).count == 1)
    connection.begin(HTTPResponse(), to: StreamID(1))
    let events = connection.endOfInput().map(TestClient.text(of:))
    #expect(events == ["cancelled 1"] && connection.isFinished)
    connection = ServerConnection()
    #expect(connection.receive(Array("GET / HTTP/1.1\r\n\r\n".utf8)).count == 1)
    connection.begin(HTTPResponse(), to: StreamID(1))
    connection.reset(StreamID(1), code: 8)
    #expect(connection.isFinished)
  }

  @Test func manyCallsOfManyUsersShareAConnection() {
    var client = TestClient()
    var expected: [String] = []
    for user in 0..<500 {
      let stream = UInt32(2 * user + 1)
      let token = HTTPHeader("authorization", "Bearer \(user)")
      let events = client.send(
        client.headers(stream, replacing: [token])
          + TestClient.data(stream, TestClient.message("m\(user)"), ends: true))
      guard case .call(let head, let id) = events.first else {
        Issue.record("no call \(user)")
        return
      }
      #expect(head.metadata.value(of: "authorization") == "Bearer \(user)")
      client.connection.finish(id, with: CallStatus(.permissionDenied))
      expected += ["call \(stream) s.S/M", "message \(stream) m\(user)", "end \(stream)"]
    }
    #expect(client.takeEvents() == expected)
    #expect(client.received().count == 500)
  }
}
