import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// The log of decided requests.
@Suite struct DecisionTests {
  private static let rules = """
    match /a/{id} {
      allow read;
      allow create: if get(/databases/$(db)/documents/roles/$(request.auth.uid)).data.x == 1;
    }
    """

  @Test func eachRequestIsLoggedWithWhoAskedAndWhatTheRulesSaw() throws {
    var client = TestClient(rules: Self.rules)
    client.commit(TestClient.set("roles/alice"), TestClient.set("other/doc"))
    _ = client.server.takeDecisions()
    client.commit(as: TestClient.user("alice"), TestClient.ifExists(false, TestClient.set("a/1")))
    client.commit(as: TestClient.user("bob"), TestClient.ifExists(false, TestClient.set("a/2")))
    let log = client.server.takeDecisions()
    #expect(log.map { $0.outcome } == [.allowed, .denied])
    #expect(log.map { $0.method } == ["Commit", "Commit"])
    #expect(log.map { $0.documents.all.map { String($0.path.text) } } == [["/roles/alice"], []])
    #expect(log[0].decision?.isAllowed == true && log[0].rules != nil && log[0].message == nil)
    #expect(log[1].message?.hasPrefix("\n") == true)
    #expect(log[0].id == TestClient.id)
    #expect(log[0].request.time.nanos % 1_000_000 == 0)
    #expect(client.server.takeDecisions().isEmpty)
    // The logged request decides as before.
    let rules = try #require(log[0].rules)
    #expect(try Engine(rules).decide(log[0].request, on: log[0].documents).isAllowed)
    #expect(try !Engine(rules).decide(log[1].request, on: log[1].documents).isAllowed)
  }

  @Test func administratorsAndOpenDatabasesAreLoggedAsSuch() {
    var client = TestClient(rules: Self.rules)
    client.commit(TestClient.set("a/1"))
    #expect(client.server.takeDecisions().map { $0.outcome } == [.admin])
    var open = TestClient()
    open.commit(as: nil, TestClient.set("a/1"))
    #expect(open.server.takeDecisions().map { $0.outcome } == [.open])
  }

  @Test func aListenerCountsOnceUntilItIsDenied() {
    var client = TestClient(rules: "match /a/{id} { allow get: if !('secret' in resource.data); }")
    client.commit(TestClient.set("a/b"))
    _ = client.server.takeDecisions()
    let stream = client.listen(as: nil, TestClient.listen(to: "a/b", as: 2))
    client.commit(TestClient.set("a/b"))
    client.commit(TestClient.set("a/b", [("secret", .int(1))]))
    #expect(client.heard(stream).last?.hasSuffix("false for 'get' @ L2") == true)
    let heard = client.server.takeDecisions().filter { $0.method == "Listen" }
    #expect(heard.map { $0.outcome } == [.allowed, .denied])
    #expect(heard.last?.documents.all.count == 1)
  }

  @Test func requestsAreCountedEvenIfTheyAreNotKept() {
    var client = TestClient(rules: Self.rules) { $0.keepsDecisions = false }
    client.commit(TestClient.set("a/1"))
    _ = client.get(as: nil, "a/1")
    _ = client.get(as: nil, "b/1")
    #expect(client.server.takeDecisions().isEmpty)
    #expect(client.server.decisionCounts == DecisionCounts(admin: 1, allowed: 1, denied: 1))
  }
}
