import FirestoreTransport
import FirestoreWire
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// The message of a denial.
@Suite struct DenialTests {
  /// A request of a client that is not signed in.
  enum Asked: Sendable {
    case get(String)
    case list(Text)
    case set(String)
    case create(String)
    case update(String)
    case delete(String)
  }

  private static func ask(_ asked: Asked, _ client: inout TestClient) -> CallStatus? {
    switch asked {
    case .get(let path): client.get(as: nil, path).status
    case .list(let collection): client.run(as: nil, TestClient.query(collection)).status
    case .set(let path): client.commit(as: nil, TestClient.set(path)).status
    case .create(let path):
      client.commit(as: nil, TestClient.ifExists(false, TestClient.set(path))).status
    case .update(let path):
      client.commit(as: nil, TestClient.ifExists(true, TestClient.set(path))).status
    case .delete(let path): client.commit(as: nil, TestClient.delete(path)).status
    }
  }

  @Test(arguments: [
    (Asked.get("c/1"), "allow get: if false;", "\nfalse for 'get' @ L2"),
    (.get("d/1"), "allow get;", "No matching allow statements"),
    (.get("c/1"), "allow list;", "No matching allow statements"),
    (
      .get("c/1"), "allow get: if request.auth.uid == 'a';\nallow read: if 1 == 2;",
      "\nNull value error. for 'get' @ L2, false for 'get' @ L3, "
        + "Null value error. for 'get' @ L2, false for 'get' @ L3"
    ),
    (
      .get("c/stored"), "allow get: if resource.data.owner == 'a';",
      "\nevaluation error at L2:31 for 'get' @ L2, "
        + "Property owner is undefined on object. for 'get' @ L2"
    ),
    (.list("c"), "allow list: if request.query.limit < 10;", "*"),
    (
      .list("c"), "allow list: if resource.data.owner == 'a';",
      "\nProperty owner is undefined on object. for 'list' @ L2"
    ),
    (
      .set("c/1"), "allow write: if false;",
      "\nfalse for 'create' @ L2, false for 'update' @ L2"
    ),
    (
      .set("c/stored"), "allow create: if false;\nallow update: if false;",
      "\nfalse for 'create' @ L2, false for 'update' @ L3"
    ),
    (
      .set("c/stored"), "allow create;\nallow update: if false;",
      "\nfalse for 'create' @ L2, false for 'update' @ L3, false for 'update' @ L3"
    ),
    (.set("c/stored"), "allow create: if true;", "\nfalse for 'create' @ L2"),
    (
      .set("c/1"), "allow create: if false;\nallow update: if true;",
      "\nfalse for 'create' @ L2, false for 'update' @ L3, false for 'create' @ L2"
    ),
    (
      .set("c/1"), "allow create: if request.resource.data.x == 2;",
      "\nfalse for 'create' @ L2"
    ),
    (
      .set("c/1"), "allow write: if request.auth.uid == 'a';",
      "\nNull value error. for 'create' @ L2, Null value error. for 'update' @ L2, "
        + "Null value error. for 'create' @ L2"
    ),
    (.create("c/1"), "allow write: if false;", "\nfalse for 'create' @ L2"),
    (.create("c/stored"), "allow write: if false;", "\nfalse for 'create' @ L2"),
    (.update("c/1"), "allow write: if false;", "\nfalse for 'update' @ L2"),
    (.delete("c/1"), "allow write: if false;", "\nfalse for 'delete' @ L2"),
    (.delete("c/1"), "allow create, update;", "No matching allow statements"),
  ])
  func itNamesTheStatementsThatWereTried(_ asked: Asked, _ rules: String, _ text: String) {
    var client = TestClient(rules: "match /c/{id} { \(rules) }")
    client.commit(TestClient.set("c/stored"))
    let status = Self.ask(asked, &client)
    #expect(status?.code == .permissionDenied)
    if text != "*" { #expect(status?.message == text) }
  }

  @Test func theDocumentThatIsDeniedIsNamedInABatch() {
    var client = TestClient(rules: "match /c/{id} { allow create: if id == 'good'; }")
    let status = client.commit(
      as: nil, TestClient.ifExists(false, TestClient.set("c/good")),
      TestClient.ifExists(false, TestClient.set("c/bad"))
    ).status
    #expect(status == CallStatus(.permissionDenied, "\nfalse for 'create' @ L2"))
    #expect(client.get("c/good").messages.first?[.batchGetDocumentsResponseFound] == nil)
  }

  @Test func oneDeniedDocumentDeniesABatchGetWithoutAnAnswerBefore() {
    var client = TestClient(rules: "match /c/{id} { allow get: if id == 'good'; }")
    let (messages, status) = client.get(as: nil, "c/good", "c/bad")
    #expect(messages.isEmpty)
    #expect(status == CallStatus(.permissionDenied, "\nfalse for 'get' @ L2"))
  }

  /// Documents that are read together, with the statements that the official emulator names besides those of
  /// documents that it allows.
  @Test(arguments: [
    (["open", "no"], "\nfalse for 'get' @ L3"),
    (
      ["own", "no", "other"],
      "\nevaluation error at L4:32 for 'get' @ L4, false for 'get' @ L3"
    ),
    (["no", "own"], "\nfalse for 'get' @ L3"),
    (["nowhere", "own"], "No matching allow statements"),
    (["own", "nowhere"], "\nevaluation error at L4:32 for 'get' @ L4"),
    (
      ["own", "other"],
      "\nevaluation error at L4:32 for 'get' @ L4, evaluation error at L5:34 for 'get' @ L5, "
        + "false for 'get' @ L5"
    ),
  ])
  func aDocumentThatIsDeniedUnreadDeniesTheOthers(_ names: [String], _ text: String) {
    var client = TestClient(
      rules: """
        match /open/{d} { allow get; }
        match /no/{d} { allow get: if false; }
        match /own/{d} { allow get: if resource.data.x == 1; }
        match /other/{d} { allow get: if resource.data.x == 2; }
        """)
    for name in names { client.commit(TestClient.set(name + "/1")) }
    let status = client.unary(
      .batchGetDocuments, as: nil,
      WireMessage(.batchGetDocumentsRequest) {
        $0[.batchGetDocumentsRequestDatabase] = TestClient.database
        $0[.batchGetDocumentsRequestDocuments] = names.map { TestClient.name($0 + "/1") }
      }
    ).status
    #expect(status == CallStatus(.permissionDenied, text))
  }

  @Test func anExplanationFollowsTheOfficialLineIfItIsAskedFor() throws {
    var client = TestClient(
      rules: "match /c/{id} { allow get: if id == 'a' && request.auth != null; }"
    ) { $0.explainsDenials = true }
    let message = try #require(client.get(as: nil, "c/b").status?.message)
    #expect(message.hasPrefix("\nfalse for 'get' @ L2\ntest.rules:2: `id == 'a'` is false"))
  }

  @Test func whatRulesLookUpIsTheStateOfTheStore() {
    var client = TestClient(
      rules: """
        match /c/{id} {
          allow create: if exists(/databases/$(db)/documents/roles/$(id))
            && existsAfter(/databases/$(db)/documents/log/$(id));
        }
        match /log/{id} { allow create; }
        """)
    let write = TestClient.set("c/1")
    #expect(client.commit(as: nil, write).status?.code == .permissionDenied)
    client.commit(TestClient.set("roles/1"))
    #expect(client.commit(as: nil, write).status?.code == .permissionDenied)
    #expect(client.commit(as: nil, write, TestClient.set("log/1")).status == .ok)
  }
}
