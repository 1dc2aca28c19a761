import FirestoreStore
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Exports over HTTP.
@Suite struct ExportCallTests {
  private static let target = "/emulator/v1/projects/demo:export"
  private static let database = "projects/demo/databases/(default)"

  /// A client of a server whose owner writes to the folder `out`, and names in answers of what it was asked.
  private static func client() -> TestClient {
    TestClient {
      $0.exportWriter = { store, folder, name in
        guard folder == "out" else { return .noFolder }
        return store.count == 1 && name == "one" || store.count == 0 && name == nil
          ? .written : .failed
      }
    }
  }

  @Test(arguments: [
    (#"{"database":"~","export_directory":"out","export_name":"one"}"#, 200, "{\n}\n"),
    (#"{"database":"~","exportDirectory":"out","exportName":"one"}"#, 200, "{\n}\n"),
    (#"{"database":"projects/none/databases/x","export_directory":"out"}"#, 200, "{\n}\n"),
    (
      #"{"database":"~","export_directory":"out","export_name":"a/b"}"#, 500,
      "failed to write export"
    ),
    (#"{"database":"~","export_directory":"none"}"#, 400, "export_directory must be a directory"),
    (#"{"database":"~"}"#, 400, "export_directory must be a directory"),
    ("{}", 400, #"Database name \"\" lacks \"projects\" at index 0."#),
    (#"{"database":"^"}"#, 400, #"Database name \"^\" lacks"#),
    (#"{"database":"~","other":"x"}"#, 400, "Payload isn't valid for request."),
    (#"{"database":1}"#, 400, "Payload isn't valid for request."),
    ("[]", 400, "Payload isn't valid for request."),
    ("no", 400, "Payload isn't valid for request."),
  ])
  func bodiesAreAnswered(_ body: String, _ status: Int, _ words: String) {
    var client = Self.client()
    client.commit(TestClient.set("a/b"))
    let answer = client.http("POST", Self.target, body.replacing("~", with: Self.database))
    #expect(answer.status == status)
    #expect(answer.body.contains(words), "\(answer.body)")
  }

  @Test func pagesOfBrowsersAreRefused() {
    var client = Self.client()
    let body = #"{"database":"~","export_directory":"out"}"#.replacing("~", with: Self.database)
    let answer = client.http(
      "POST", Self.target, body, headers: ["origin: http://localhost:8080"])
    #expect(answer.status == 403)
  }

  @Test func withoutAnOwnerThatWritesNothingIsFound() {
    var client = TestClient()
    #expect(client.http("POST", Self.target, "{}").status == 404)
    var other = Self.client()
    #expect(other.http("GET", Self.target).status == 404)
  }

  @Test func databasesThatWereChangedAreNamed() {
    var client = TestClient()
    #expect(client.server.databases.changed.isEmpty)
    _ = client.get("a/b")
    #expect(client.server.databases.changed.isEmpty)
    client.commit(TestClient.set("a/b"))
    #expect(client.server.databases.changed == [TestClient.id])
    #expect(client.server.databases[TestClient.id].count == 1)
  }
}
