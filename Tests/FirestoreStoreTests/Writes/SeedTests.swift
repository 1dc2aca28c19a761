import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Documents that databases begin with.
@Suite struct SeedTests {
  private static func reference(_ segments: Text...) -> Value { .path(PathValue(plain: segments)) }

  private static let own = reference(
    "projects", "mine", "databases", "(default)", "documents", "a", "b")
  private static let other = reference(
    "projects", "other", "databases", "x", "documents", "a", "b")

  private static func seed() throws -> Seed {
    var seed = Seed(at: Fixture.start)
    let data = Fixture.map(["own": .list([own]), "far": .map(Fixture.map(["x": other]))])
    try seed.add(data, at: Fixture.path("a/b"), of: .standard, in: "mine")
    try seed.add(MapValue(), at: Fixture.path("c/d/e/f"), of: DatabaseName("named"), in: "mine")
    return seed
  }

  /// The segments of the two references of `a/b`.
  private static func references(_ store: Store) -> [PathValue] {
    guard let data = store[Fixture.path("a/b")]?.data, case .list(let list)? = data["own"],
      case .path(let own)? = list.first, case .map(let map)? = data["far"],
      case .path(let far)? = map["x"]
    else { return [] }
    return [own, far]
  }

  @Test func everyProjectBeginsWithTheDocuments() throws {
    let seed = try Self.seed()
    for project in ["mine", "other", "third"] as [Text] {
      let store = seed.store(DatabaseID(project: project, database: .standard))
      #expect(store.id.project == project)
      #expect(store.count == 1)
      #expect(store[Fixture.path("a/b")]?.created == Fixture.start)
      #expect(store.documents[Fixture.path("a/b")] != nil)
      let named = seed.store(DatabaseID(project: project, database: DatabaseName("named")))
      #expect(named.count == 1)
      #expect(named[Fixture.path("c/d/e/f")] != nil)
    }
    #expect(seed.store(DatabaseID(project: "mine", database: DatabaseName("none"))).count == 0)
    #expect(seed.counts.map { $0.documents } == [1, 1])
  }

  @Test func referencesToAProjectAreItsOwnThere() throws {
    let seed = try Self.seed()
    let cases: [(project: Text, own: Text, far: Text)] = [
      ("mine", "databases", "projects"), ("other", "projects", "databases"),
      ("third", "projects", "projects"),
    ]
    for (project, own, far) in cases {
      let paths = Self.references(seed.store(DatabaseID(project: project, database: .standard)))
      #expect(paths.map { $0.segments.first } == [.plain(own), .plain(far)], "\(String(project))")
    }
  }

  @Test func documentsThatNoDatabaseHasAreRefused() throws {
    var seed = try Self.seed()
    let cases: [(path: String, data: [String: Value], project: Text)] = [
      ("a", [:], "mine"), ("a/__b__", [:], "mine"), ("__a__/b", [:], "mine"),
      ("a/b", [:], "another"), ("a/..", [:], "mine"),
      ("a/b", ["x": .list([.list([])])], "mine"),
      ("a/b", ["x": .latlng(LatLng(latitude: 91, longitude: 0))], "mine"),
      ("a/b", ["__x__": .null], "mine"),
      (
        "a/b",
        [
          "x": .string(Text(String(repeating: "x", count: 600_000))),
          "y": .string(Text(String(repeating: "x", count: 600_000))),
        ], "mine"
      ),
    ]
    for (path, data, project) in cases {
      #expect(throws: Refusal.self, "\(path) \(data.keys)") {
        try seed.add(
          Fixture.map(data), at: Fixture.path(path), of: .standard, in: project)
      }
    }
    let slash = DocumentPath(["a", "b/c/d"])
    #expect(throws: Refusal.self) { try seed.add(MapValue(), at: slash, of: .standard, in: "mine") }
  }

  @Test func aDatabaseThatBeginsWithDocumentsIsWrittenToLikeAnyOther() throws {
    let seed = try Self.seed()
    var store = seed.store(DatabaseID(project: "mine", database: .standard))
    let commit = try store.commit([Fixture.set("a/b")], at: .epoch)
    #expect(try #require(commit.time) > Fixture.start)
    #expect(store[Fixture.path("a/b")]?.created == Fixture.start)
    #expect(seed.store(store.id)[Fixture.path("a/b")]?.data.count == 2)
  }
}
