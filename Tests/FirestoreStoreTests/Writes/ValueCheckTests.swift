import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Values and names of fields that no document has (Docs/Emulator.md, Field paths).
@Suite struct ValueCheckTests {
  private static func deep(_ levels: Int) -> Value {
    (0..<levels).reduce(.int(1)) { inner, _ in .map(Fixture.map(["a": inner])) }
  }

  private static let long = Value.string(Text(String(repeating: "a", count: 1_048_488)))

  private static let refused: [([String: Value], String)] = [
    (["x": .list([.list([.int(1)])])], "Cannot convert an array value in an array value."),
    (["": .int(1)], "The property.name is the empty string."),
    (["__x__": .int(1)], "field name __x__ is reserved"),
    (["x": .map(Fixture.map(["__x__": .int(1)]))], "field name '__x__' is reserved."),
    (["x": .list([.map(Fixture.map(["__x__": .int(1)]))])], "field name '__x__' is reserved."),
    (["_____": .int(1)], "field name _____ is reserved"),
    (["x": .map(Fixture.map(["": .int(1)]))], "Property x contains an invalid nested entity."),
    (["x": .map(Fixture.map(["y": long]))], "Property x contains an invalid nested entity."),
    (["x": .list([long])], "The value of property \"x\" is longer than 1048487 bytes."),
    (["x": .vector([])], "Cannot have a zero length vector."),
    (["x": .vector([1, .nan])], "Vector cannot contain NaN values."),
    (
      ["x": .vector(Array(repeating: 1, count: 2049))], "Vectors must be at most 2048 dimensions."
    ),
    (["x": .list([.vector([1])])], "Cannot convert a vector value in an array value."),
    (
      ["x": .latlng(LatLng(latitude: .nan, longitude: 0))],
      "Geo point latitude 'NaN' outside permitted range -90.0 to 90.0."
    ),
    (
      [String(repeating: "a", count: 1501): .int(1)],
      "The property.name is longer than 1500 bytes."
    ),
    (["x": deep(21)], "Property x contains an invalid nested entity."),
    (["x": deep(95)], "Property x contains an invalid nested entity."),
    (["x": long], "The value of property \"x\" is longer than 1048487 bytes."),
    (
      ["x": .bytes([UInt8](repeating: 0, count: 1_048_488))],
      "The value of property \"x\" is longer than 1048487 bytes."
    ),
    (
      ["x": .latlng(LatLng(latitude: 91, longitude: 0))],
      "Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
    ),
    (
      ["x": .list([.latlng(LatLng(latitude: 0, longitude: -180.5))])],
      "Geo point longitude '-180.5' outside permitted range -180.0 to 180.0."
    ),
  ]

  @Test(arguments: refused.indices)
  func dataThatNoDocumentHasAreRefused(_ row: Int) {
    let (fields, message) = Self.refused[row]
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in
      try store.check([Fixture.set("a/good"), Fixture.set("a/v", fields)])
    }
    #expect(refusal == "3 " + message)
  }

  @Test func dataThatADocumentCanHaveAreTaken() throws {
    let store = Store(Fixture.id)
    let taken: [[String: Value]] = [
      ["x": .list([.map(Fixture.map(["y": .list([.int(1)])]))])], ["__a": .int(1)],
      [String(repeating: "a", count: 1500): .int(1)], ["x": Self.deep(20)],
      ["x": .string(Text(String(repeating: "a", count: 1_048_487)))],
      ["x": .float(.nan), "y": .float(.infinity), "z": .float(-0.0)], ["x": .vector([1, 2])],
      ["x": .latlng(LatLng(latitude: -90, longitude: 180))],
      ["x": .path(PathValue(plain: ["projects", "o", "databases", "d", "documents", "a", "b"]))],
      Dictionary(uniqueKeysWithValues: (0..<5000).map { ("f\($0)", .int(1)) }),
    ]
    for fields in taken { try store.check([Fixture.set("a/v", fields)]) }
  }

  @Test func timesAreCutToTheMicrosecond() throws {
    var store = Store(Fixture.id)
    let time = try #require(Timestamp(epochSeconds: 1_577_836_800, nanos: 123_456_789))
    _ = try store.commit([Fixture.set("a/v", ["x": .timestamp(time)])], at: Fixture.start)
    guard case .timestamp(let stored)? = store[Fixture.path("a/v")]?.data["x"] else {
      Issue.record("no time")
      return
    }
    #expect(stored.nanos == 123_456_000)
  }

  private static let delete = StoreWrite(Fixture.path("a/b"), .delete)

  private static func deletion(_ precondition: StoreWrite.Precondition) -> StoreWrite {
    StoreWrite(Fixture.path("a/b"), .delete, precondition: precondition)
  }

  private static func set(_ precondition: StoreWrite.Precondition = .none) -> StoreWrite {
    Fixture.set("a/b", precondition: precondition)
  }

  private static let sequences: [([StoreWrite], String?)] = [
    ([set(), set(.missing)], "upsert then insert"),
    ([set(.exists), set(.missing)], "update then insert"),
    ([set(.missing), set(.missing)], "insert then insert"),
    ([delete, set(.exists)], "delete then update"),
    ([delete, deletion(.exists)], "delete then delete"),
    ([set(), deletion(.missing)], "upsert then delete"),
    ([delete, set()], nil), ([delete, set(.missing)], nil), ([set(.missing), delete], nil),
    ([delete, delete], nil), ([set(.missing), set(.exists)], nil), ([delete, set(), delete], nil),
  ]

  @Test(arguments: sequences.indices)
  func writesThatCanOnlyFailAfterEarlierOnesAreRefused(_ row: Int) {
    let (writes, words) = Self.sequences[row]
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in try store.check(writes) }
    #expect(refusal == words.map { "3 Cannot \($0) an entity in the same request." })
  }

  /// References that name no document, and what the official emulator says of them.
  private static let references: [([Text], String)] = [
    (["databases", "(default)"], "Non-document resource reference value not supported."),
    (
      ["databases", "(default)", "documents"],
      "Resource name \"~\" is invalid: Omit \"/documents\" when referencing a database "
        + "(except as the parent of a document)."
    ),
    (
      ["databases", "(default)", "x"],
      "Resource \"projects/demo-sem/databases/(default)/x\" is not recognized."
    ),
    (
      ["databases", "(default)", "documents", "a"], "Resource name \"~/a\" lacks \"/\" at index 49."
    ),
    (
      ["databases", "(default)", "documents", "a", ""],
      "Resource name \"~/a/\" has invalid trailing \"/\"."
    ),
    (
      ["databases", "(default)", "documents", "a", "", "b", "c"],
      "Resource name \"~/a//b/c\" lacks a resource id at index 50."
    ),
    (
      ["databases", "(default)", "documents", "a", "."],
      "Resource name \"~/a/.\" contains a resource id \".\" at index 50."
    ),
    (
      ["databases", "(default)", "documents", "a", "__x__"],
      "Resource id \"__x__\" is invalid because it is reserved."
    ),
    (["projects", "o"], "Resource name \"projects/o\" lacks \"/\" at index 10."),
    (
      ["projects", "o", "databases", "d", "documents", "a"],
      "Resource name \"projects/o/databases/d/documents/a\" lacks \"/\" at index 34."
    ),
  ]

  @Test(arguments: references.indices)
  func referencesNameDocuments(_ row: Int) {
    let (segments, message) = Self.references[row]
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in
      try store.check([Fixture.set("a/b", ["x": .list([.path(PathValue(plain: segments))])])])
    }
    #expect(refusal == "3 " + String(Fixture.name(message)))
    let other = PathValue(plain: ["projects", "o", "databases", "d", "documents", "a", "b"])
    let accepted = Fixture.refusal { () throws(Refusal) in
      try store.check([
        Fixture.set("a/b", ["x": .path(other), "y": Fixture.reference("a/b/c/d")])
      ])
    }
    #expect(accepted == nil)
  }
}
