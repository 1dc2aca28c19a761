import FirestoreWire
import RulesLang
import Testing

@testable import FirestoreServer

/// Random conversations.
@Suite struct ServerTrialTests {
  @Test func aClientThatDoesNotReadIsCutOff() {
    var client = TestClient(rules: nil) { $0.queuedBytes = 10_000 }
    let id = ConnectionID(99)
    client.server.open(id)
    // A window of 0 bytes for each stream.
    var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    bytes += TestClient.frame(4, 0, 0, [0, 4, 0, 0, 0, 0])
    bytes += TestClient.frame(1, 4, 1, TestClient.head(of: "Listen", as: "owner", []))
    let message = TestClient.listen(toQuery: TestClient.query("a"), as: 2)
    bytes += TestClient.frame(0, 0, 1, TestClient.framed(message.protobuf(project: "demo")))
    client.server.receive(bytes, on: id, at: client.now)
    #expect(!client.server.takeOutput(of: id).closes)
    var isCut = false
    for number in 0..<100 where !isCut {
      client.commit(TestClient.set("a/\(number)"))
      isCut = client.server.takeOutput(of: id).closes
    }
    #expect(isCut)
    client.server.closed(id)
    #expect(client.server.listenerCount == 0)
  }

  @Test func nothingThatClientsDoTrapsOrStays() {
    for seed in UInt64(0)..<150 {
      #expect(ServerTrial.play(seed: seed) == nil, "seed \(seed)")
    }
  }
}
