import FirestoreStore
import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Endpoints over HTTP/1.1.
@Suite struct EndpointTests {
  @Test(arguments: [
    ("GET", "/", 200, "Ok\n"), ("HEAD", "/", 404, ""), ("GET", "/x", 404, "Not Found\n"),
    ("GET", "/emulator", 404, "Not Found\n"), ("PUT", "/emulators", 404, "Not Found\n"),
    ("DELETE", "/emulator/v1/projects/unknown/databases/(default)/documents", 200, "{\n}\n"),
    ("DELETE", "/emulator/v1/projects/p/databases/%28default%29/documents", 200, "{\n}\n"),
    ("DELETE", "/emulator/v1/projects/p/databases/(default)", 404, "Not Found\n"),
    ("PUT", "/functions/disableBackgroundTriggers", 200, "{\n  \"enabled\": false\n}\n"),
    ("PUT", "/functions/enableBackgroundTriggers", 200, "{\n  \"enabled\": true\n}\n"),
    ("PUT", "/functions/other", 404, "Not Found\n"),
    ("POST", "/v1/projects/p/databases/(default)/documents:write", 404, "Not Found\n"),
  ])
  func pathsAreAnswered(_ method: String, _ target: String, _ status: Int, _ body: String) {
    var client = TestClient()
    let answer = client.http(method, target)
    #expect(answer.status == status)
    #expect(answer.body == body)
  }

  @Test func shutdownIsAnsweredAndNoted() {
    var client = TestClient()
    #expect(!client.server.isShutDown)
    let answer = client.http("POST", "/shutdown")
    #expect(answer.status == 200 && answer.body == "Shutting down...\n")
    #expect(client.server.isShutDown)
  }

  @Test func theHubTellsTheAddressThatItWasAskedAt() {
    var client = TestClient { $0.address = ServerAddress(host: "localhost", port: 1, process: 7) }
    let answer = client.http("GET", "/emulators")
    let json = JSON(body: Array(answer.body.utf8))
    let firestore = json?.member("firestore")
    #expect(firestore?.member("host")?.text == Text("127.0.0.1"))
    #expect(firestore?.member("port").map { JSONText($0).compact } == "8080")
    #expect(firestore?.member("pid").map { JSONText($0).compact } == "7")
    #expect(json?.member("hub") != nil)
  }

  @Test func documentsBelowAPathAreDeleted() {
    var client = TestClient()
    client.commit(
      TestClient.set("a/b"), TestClient.set("a/b/c/d"), TestClient.set("a/x"), TestClient.set("b/b")
    )
    let root = "/emulator/v1/projects/demo/databases/(default)/documents"
    #expect(client.http("DELETE", root + "/a/b").status == 200)
    let found = client.get("a/b", "a/b/c/d", "a/x", "b/b").messages.map {
      $0[.batchGetDocumentsResponseFound] != nil
    }
    #expect(found == [false, false, true, true])
    #expect(client.http("DELETE", root + "/a").status == 200)
    #expect(client.get("a/x").messages.first?[.batchGetDocumentsResponseMissing] != nil)
    #expect(client.http("DELETE", root).status == 200)
    #expect(client.get("b/b").messages.first?[.batchGetDocumentsResponseMissing] != nil)
  }

  @Test func everyDatabaseBeginsWithTheDocumentsOfTheConfiguration() throws {
    var seed = Seed(at: Timestamp(milliseconds: 5) ?? .epoch)
    try seed.add(
      MapValue([("x", .int(1))]), at: DocumentPath(["a", "b"]), of: .standard, in: "other")
    var client = TestClient(
      rules: "match /a/{id} { allow get: if get(/databases/$(db)/documents/a/b).data.x == 1; }"
    ) { $0.documents = seed }
    #expect(client.get(as: nil, "a/b").messages.first?[.batchGetDocumentsResponseFound] != nil)
    client.commit(TestClient.set("a/c"))
    let found = client.get("a/b", "a/c").messages.map { $0[.batchGetDocumentsResponseFound] != nil }
    #expect(found == [true, true])
    let root = "/emulator/v1/projects/demo/databases/(default)/documents"
    #expect(client.http("DELETE", root).status == 200)
    #expect(client.get("a/b").messages.first?[.batchGetDocumentsResponseMissing] != nil)
  }

  @Test func documentsOfTheConfigurationAreDeletedBeforeAnythingIsAsked() throws {
    var seed = Seed(at: Timestamp(milliseconds: 5) ?? .epoch)
    try seed.add(MapValue(), at: DocumentPath(["a", "b"]), of: .standard, in: "other")
    var client = TestClient { $0.documents = seed }
    let root = "/emulator/v1/projects/demo/databases/(default)/documents"
    #expect(client.http("DELETE", root).status == 200)
    #expect(client.get("a/b").messages.first?[.batchGetDocumentsResponseMissing] != nil)
  }

  @Test func coverageIsCountedSinceTheRulesWereSet() {
    var client = TestClient(rules: "match /a/{id} { allow get: if id == 'b'; }") {
      $0.coverageReport = { _, coverage, _ in "\(coverage.decisions)\n" }
    }
    let target = "/emulator/v1/projects/demo:ruleCoverage"
    #expect(client.http("GET", target).body == "0\n")
    _ = client.get(as: nil, "a/b")
    _ = client.get(as: nil, "a/c")
    _ = client.get("a/c")
    #expect(client.http("GET", target).body == "2\n")
    client.upload(TestClient.whole("match /a/{id} { allow get; }"))
    #expect(client.http("GET", target).body == "0\n")
    client.server.replaceRules([:], general: nil)
    _ = client.get(as: nil, "a/b")
    #expect(client.http("GET", target).body == "1\n")
    #expect(client.http("GET", target + ".html").status == 404)
    #expect(client.http("GET", "/emulator/v1/projects/demo/databases/x:ruleCoverage").status == 200)
  }

  @Test func theCoveragePageOfADatabaseWithoutRulesSaysSo() {
    var client = TestClient { $0.coveragePage = { _, _, _ in "page" } }
    let target = "/emulator/v1/projects/demo:ruleCoverage.html"
    let answer = client.http("GET", target)
    #expect(answer.body == "There are no rules that compile, so nothing is counted.\n")
    client.upload(TestClient.whole("match /a/{id} { allow get; }"))
    let page = client.http("GET", target)
    #expect(page.body == "page" && page.headers.lowercased().contains("content-type: text/html"))
  }

  @Test func aServerThatEndsTellsItsClients() {
    var client = TestClient()
    let stream = client.listen(TestClient.listen(to: "a/b", as: 2))
    #expect(client.status(stream) == nil && client.server.listenerCount == 1)
    client.server.shutDown(at: client.now)
    #expect(client.server.listenerCount == 0)
  }

  @Test func browsersMayAskFromAnyOrigin() {
    var client = TestClient()
    let preflight = client.http(
      "OPTIONS", "/v1/projects/p/databases/d/documents:commit",
      headers: ["Origin: http://localhost:5000", "Access-Control-Request-Headers: x-a,x-b"])
    #expect(preflight.status == 200)
    for header in [
      "access-control-allow-origin: http://localhost:5000",
      "access-control-allow-methods: DELETE,GET,HEAD,PATCH,POST,PUT",
      "access-control-allow-credentials: true", "access-control-allow-headers: x-a,x-b",
      "content-length: 0",
    ] {
      #expect(preflight.headers.lowercased().contains(header.lowercased()))
    }
    let origins = preflight.headers.split(separator: "access-control-allow-origin")
    #expect(origins.count == 2)
    let answer = client.http("GET", "/", headers: ["Origin: http://x"])
    #expect(answer.headers.lowercased().contains("access-control-allow-origin: http://x"))
    #expect(!client.http("GET", "/").headers.lowercased().contains("access-control"))
  }
}
