import FirestoreStore
import Testing

@testable import FirestoreServer

/// Exports that scripts ask the hub for.
@Suite struct HubExportTests {
  private static let target = "/_admin/export"

  /// A client of a server whose owner writes to the folder `out`.
  private static func client() -> TestClient {
    TestClient {
      $0.hubExporter = { databases, folder in
        folder == "out"
          ? .written(["\(databases[TestClient.id].count) documents"]) : .failed("no such folder")
      }
    }
  }

  @Test(arguments: [
    (#"{"path":"out"}"#, 200, #"{"message":"OK"}"#),
    (#"{"path":"out","initiatedBy":"me"}"#, 200, #"{"message":"OK"}"#),
    (#"{"path":"none"}"#, 500, #"{"message":"no such folder"}"#),
    (#"{"path":""}"#, 500, #"{"message":"the request has no `path`"}"#),
    ("{}", 500, #"{"message":"the request has no `path`"}"#),
    ("no", 500, #"{"message":"the request has no `path`"}"#),
  ])
  func bodiesAreAnswered(_ body: String, _ status: Int, _ text: String) {
    var client = Self.client()
    client.commit(TestClient.set("a/b"))
    let answer = client.http("POST", Self.target, body)
    #expect(answer.status == status && answer.body == text)
    #expect(client.server.takeNotices() == (status == 200 ? ["1 documents"] : []))
  }

  @Test func onlyProgramsOfThisMachineMayAsk() {
    var client = Self.client()
    let answer = client.http(
      "POST", Self.target, #"{"path":"out"}"#, headers: ["origin: http://localhost:4000"])
    #expect(answer.status == 403)
    #expect(answer.body == #"{"message":"Export cannot be triggered by external callers."}"#)
    #expect(client.http("GET", Self.target).status == 404)
    #expect(client.http("POST", Self.target + "/x", "{}").status == 404)
    var other = TestClient()
    #expect(other.http("POST", Self.target, #"{"path":"out"}"#).status == 404)
  }
}
