import FirestoreTransport
import Testing

@testable import FirestoreServer

/// Requests over HTTP/1.1 that the owner of a server answers.
@Suite struct PassedRequestTests {
  private static let connection = ConnectionID(90)

  /// A server whose owner answers all that lies below `/own`, with an open connection.
  private static func client() -> TestClient {
    var client = TestClient { $0.passesOn = { $0.path.hasPrefix("/own") } }
    client.server.open(connection)
    return client
  }

  private static func send(_ target: String, _ client: inout TestClient) {
    let text = "GET \(target) HTTP/1.1\r\nhost: x\r\norigin: http://evil.example\r\n\r\n"
    client.server.receive(Array(text.utf8), on: connection, at: client.now)
  }

  private static func output(_ client: inout TestClient) -> String {
    String(decoding: client.server.takeOutput(of: connection).bytes, as: UTF8.self)
  }

  @Test func aWholeAnswerIsSentWithoutHeadersForOtherOrigins() throws {
    var client = Self.client()
    Self.send("/own/a?b=c", &client)
    #expect(Self.output(&client) == "" && !client.server.hasOutput)
    let taken = client.server.takePassedRequests()
    let passed = try #require(taken.first)
    #expect(passed.request.target == "/own/a?b=c" && client.server.isOpen(passed.id))
    #expect(client.server.takePassedRequests().isEmpty)
    client.server.send(.whole(HTTPResponse(text: "mine")), to: passed.id)
    #expect(client.server.hasOutput && !client.server.isOpen(passed.id))
    let answer = Self.output(&client)
    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\nmine"))
    #expect(!answer.lowercased().contains("access-control"))
    client.server.send(.whole(HTTPResponse(text: "again")), to: passed.id)
    #expect(Self.output(&client) == "")
  }

  @Test func anAnswerCanComeInParts() throws {
    var client = Self.client()
    Self.send("/own", &client)
    let taken = client.server.takePassedRequests()
    let id = try #require(taken.first?.id)
    client.server.send(.head(HTTPResponse()), to: id)
    client.server.send(.part(Array("one".utf8)), to: id)
    #expect(Self.output(&client).hasSuffix("\r\n\r\n3\r\none\r\n"))
    client.server.send(.part(Array("two".utf8)), to: id)
    client.server.send(.end, to: id)
    #expect(Self.output(&client) == "3\r\ntwo\r\n0\r\n\r\n")
    #expect(!client.server.isOpen(id))
  }

  @Test func aClientThatIsGoneEndsItsRequests() throws {
    var client = Self.client()
    Self.send("/own", &client)
    let taken = client.server.takePassedRequests()
    let id = try #require(taken.first?.id)
    client.server.send(.head(HTTPResponse()), to: id)
    client.server.endOfInput(on: Self.connection, at: client.now)
    #expect(!client.server.isOpen(id))
    var other = Self.client()
    Self.send("/own", &other)
    other.server.closed(Self.connection)
    #expect(other.server.takePassedRequests().isEmpty)
  }

  @Test func otherRequestsAreTheServersOwn() {
    var client = Self.client()
    #expect(client.http("GET", "/").body == "Ok\n")
    #expect(client.server.takePassedRequests().isEmpty)
  }
}
