import FirestoreStore
import RulesEval
import RulesLang
import Testing

@testable import FirestoreServer

/// Imports over HTTP.
@Suite struct ImportCallTests {
  private static let target = "/emulator/v1/projects/demo:import"
  private static let database = "projects/demo/databases/(default)"

  /// A client of a server whose owner reads `file`: `a/b`, and `n/1` of the database `named`, of another
  /// project.
  private static func client(rules: String? = nil) throws -> TestClient {
    var seed = Seed(at: Timestamp(milliseconds: 5) ?? .epoch)
    let link = PathValue(plain: [
      "projects", "source", "databases", "(default)", "documents", "a", "b",
    ])
    let data = MapValue([("x", .int(1)), ("link", .path(link))])
    try seed.add(data, at: DocumentPath(["a", "b"]), of: .standard, in: "source")
    try seed.add(MapValue(), at: DocumentPath(["n", "1"]), of: DatabaseName("named"), in: "source")
    return TestClient(rules: rules) { [seed] in
      $0.importReader = { $0 == "file" ? .read(seed) : .refused("damaged at byte 7") }
    }
  }

  private static func body(_ database: String = database, _ file: String = "file") -> String {
    #"{"database":"\#(database)","export_directory":"\#(file)"}"#
  }

  @Test(arguments: [
    (#"{"database":"~","export_directory":"file"}"#, 200, "{\n}\n"),
    (#"{"database":"~","exportDirectory":"file"}"#, 200, "{\n}\n"),
    (#"{"database":"~","export_directory":"other"}"#, 400, "damaged at byte 7"),
    (#"{"database":"~"}"#, 400, "damaged at byte 7"),
    (#"{"export_directory":"file"}"#, 400, #"Database name \"\" lacks \"projects\" at index 0."#),
    (#"{"database":"^","export_directory":"file"}"#, 400, #"Database name \"^\" lacks"#),
    (
      #"{"database":"~","export_directory":"file","export_name":"x"}"#, 400,
      "Payload isn't valid for request."
    ),
    (#"{"database":"~","export_directory":1}"#, 400, "Payload isn't valid for request."),
    ("[1]", 400, "Payload isn't valid for request."),
    ("no", 400, "Payload isn't valid for request."),
  ])
  func bodiesAreAnswered(_ body: String, _ status: Int, _ words: String) throws {
    var client = try Self.client()
    let answer = client.http("POST", Self.target, body.replacing("~", with: Self.database))
    #expect(answer.status == status)
    #expect(answer.body.contains(words), "\(answer.body)")
  }

  @Test func documentsAreAddedAtOneMomentToThoseThatAreThere() throws {
    // Rules are not asked.
    var client = try Self.client(rules: "match /{d=**} { allow read, write: if false; }")
    client.commit(TestClient.set("a/b", [("old", .bool(true))]), TestClient.set("a/c"))
    let before = client.server.databases[TestClient.id]
    let stream = client.listen(TestClient.listen(to: "a/b", as: 2))
    _ = client.heard(stream)
    #expect(client.http("POST", Self.target, Self.body()).status == 200)
    let after = client.server.databases[TestClient.id]
    let (old, new) = (before[DocumentPath(["a", "b"])], after[DocumentPath(["a", "b"])])
    #expect(after.count == 2 && after[DocumentPath(["a", "c"])] != nil)
    #expect(new?.data.contains { $0.0 == "x" } == true && new?.data["old"] == nil)
    #expect(new?.created == old?.created && new?.updated == after.lastTime)
    #expect(client.heard(stream).contains("DOCUMENT 2 a/b"))
  }

  @Test func ofAnExportOfSeveralDatabasesTheNamedOneIsTaken() throws {
    var client = try Self.client()
    for (database, path) in [("named", ["n", "1"]), ("(default)", ["a", "b"]), ("none", [])] {
      let id = DatabaseID(project: "other", database: DatabaseName(Text(database)))
      // The project of the path does not matter, as the official emulator has it.
      let answer = client.http(
        "POST", Self.target, Self.body("projects/other/databases/\(database)"))
      #expect(answer.status == 200)
      let store = client.server.databases[id]
      #expect(store.count == (path.isEmpty ? 0 : 1))
      #expect(path.isEmpty || store[DocumentPath(path.map { Text($0) })] != nil)
    }
  }

  @Test func referencesKeepTheirProject() throws {
    var client = try Self.client()
    for project in ["source", "other"] {
      _ = client.http("POST", Self.target, Self.body("projects/\(project)/databases/(default)"))
      let id = DatabaseID(project: Text(project), database: .standard)
      guard
        case .path(let path)? = client.server.databases[id][DocumentPath(["a", "b"])]?.data["link"]
      else {
        Issue.record("no reference")
        continue
      }
      // References of a database's own project have none in a store.
      let isOwn = path.segments.count == 5
      #expect(isOwn == (project == "source"))
    }
  }

  @Test func pagesOfBrowsersAreRefused() throws {
    var client = try Self.client()
    let answer = client.http(
      "POST", Self.target, Self.body(), headers: ["origin: http://localhost:8080"])
    #expect(answer.status == 403)
    #expect(client.server.databases.changed.isEmpty)
  }

  @Test func withoutAnOwnerThatReadsNothingIsFound() throws {
    var client = TestClient()
    #expect(client.http("POST", Self.target, Self.body()).status == 404)
    var other = try Self.client()
    #expect(other.http("GET", Self.target).status == 404)
  }
}
