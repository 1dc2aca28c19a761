import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Masks and transforms (Docs/Emulator.md, Field paths).
@Suite struct TransformTests {
  private static let field = FieldPath(["n"])

  /// Returns the document and the results of transforms of the field `n`, which is `old` before.
  private func apply(
    _ transforms: [Transform], to old: Value?
  ) throws -> (value: Value?, results: [Value]) {
    var store = Store(Fixture.id)
    if let old { _ = try store.commit([Fixture.set("a/t", ["n": old])], at: Fixture.time(0)) }
    let write = StoreWrite(
      Fixture.path("a/t"), .set(MapValue(), mask: []),
      transforms: transforms.map { (Self.field, $0) })
    try store.check([write])
    let commit = try store.commit([write], at: Fixture.time(1))
    return (store[Fixture.path("a/t")]?.data["n"], commit.results[0].transforms)
  }

  private static let rows:
    [(transforms: [Transform], old: Value?, value: String, results: String)] = [
      ([.increment(.int(3))], nil, "int(3)", "[int(3)]"),
      ([.increment(.float(0.5))], .int(3), "float(3.5)", "[float(3.5)]"),
      ([.increment(.int(10))], .int(.max), "int(\(Int64.max))", "[int(\(Int64.max))]"),
      ([.increment(.int(-10))], .int(.min), "int(\(Int64.min))", "[int(\(Int64.min))]"),
      ([.increment(.int(1))], .string("q"), "int(1)", "[int(1)]"),
      ([.maximum(.int(10))], .float(3.5), "int(10)", "[int(10)]"),
      ([.minimum(.float(1))], .int(10), "float(1.0)", "[float(1.0)]"),
      ([.maximum(.int(1))], .string("q"), "int(1)", "[int(1)]"),
      ([.increment(.int(1)), .increment(.int(1))], .int(5), "int(7)", "[int(6), int(7)]"),
      (
        [.arrayUnion([.int(1), .float(1), .string("a"), .int(1)])], nil, "list([int(1), \"a\"])",
        "[null]"
      ),
      ([.arrayRemove([.float(1)])], .list([.int(1), .string("a")]), "list([\"a\"])", "[null]"),
      ([.arrayUnion([.int(1)])], .int(4), "list([int(1)])", "[null]"),
      ([.arrayRemove([.int(1)])], .int(4), "list([])", "[null]"),
    ]

  @Test(arguments: rows.indices)
  func transformsDoWhatTheOfficialEmulatorDoes(_ row: Int) throws {
    let (transforms, old, value, results) = Self.rows[row]
    let done = try apply(transforms, to: old)
    #expect(done.value.map { Self.text($0) } == value)
    #expect("[" + done.results.map { Self.text($0) }.joined(separator: ", ") + "]" == results)
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .string(let text): "\"\(String(text))\""
    case .list(let list): "list([" + list.map { text($0) }.joined(separator: ", ") + "])"
    default: "\(value)"
    }
  }

  @Test func serverTimesHaveMillisecondsAndCommitsMicroseconds() throws {
    var store = Store(Fixture.id)
    let write = StoreWrite(
      Fixture.path("a/t"), .transform, transforms: [(FieldPath(["k"]), .serverTimestamp)])
    let commit = try store.commit([write], at: Fixture.time(1_234_567))
    #expect(commit.time == Fixture.time(1_234_567))
    guard case .timestamp(let time)? = commit.results[0].transforms.first else {
      Issue.record("no time")
      return
    }
    #expect(time == Fixture.time(1_234_000))
    // The time that the rules saw is the one that is stored.
    _ = try store.commit([write], at: Fixture.time(9_000_000), requestTime: Fixture.time(7_000_000))
    guard case .timestamp(let asked)? = store[Fixture.path("a/t")]?.data["k"] else {
      Issue.record("no time")
      return
    }
    #expect(asked == Fixture.time(7_000_000))
  }

  private static let refused: [(StoreWrite, String)] = [
    (StoreWrite(Fixture.path("a/t"), .transform), "The list of FieldTransform must not be empty."),
    (transforming("n", .increment(.string("x"))), "Input must be int64 or double."),
    (transforming("n", .maximum(.null)), "Input must be int64 or double."),
    (transforming("__x__", .serverTimestamp), "field name __x__ is reserved"),
    (
      StoreWrite(
        Fixture.path("a/t"), .transform,
        transforms: [
          (FieldPath(["a", "b"]), .serverTimestamp), (FieldPath(["a"]), .increment(.int(1))),
        ]),
      "Cannot transform property a and its nested property at the same time."
    ),
    (transforming("n", .arrayUnion([.vector([])])), "Cannot have a zero length vector."),
    (
      transforming("n", .arrayRemove([.map(Fixture.map(["__x__": .int(1)]))])),
      "field name '__x__' is reserved."
    ),
    (
      transforming("n", .arrayUnion([.latlng(LatLng(latitude: 91, longitude: 0))])),
      "Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
    ),
    (
      StoreWrite(
        Fixture.path("a/t"), .set(MapValue(), mask: []),
        transforms: [(FieldPath(Array(repeating: "a", count: 22)), .serverTimestamp)]),
      "Property a contains an invalid nested entity."
    ),
    (
      StoreWrite(
        Fixture.path("a/t"), .set(MapValue(), mask: []),
        transforms: [(FieldPath(Array(repeating: "a", count: 21)), .arrayUnion([.int(1)]))]),
      "Property a contains an invalid nested entity."
    ),
  ]

  private static func transforming(_ field: Text, _ transform: Transform) -> StoreWrite {
    StoreWrite(
      Fixture.path("a/t"), .set(MapValue(), mask: []), transforms: [(FieldPath([field]), transform)]
    )
  }

  @Test(arguments: refused.indices)
  func aTransformWithABadArgumentIsRefused(_ row: Int) {
    let (write, message) = Self.refused[row]
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in try store.check([write]) }
    #expect(refusal == "3 " + message)
  }

  /// Elements that no list of a document has are taken by transforms of arrays, as officially.
  @Test(
    arguments: [
      .list([.int(1)]), .list([.list([])]), .vector([1]), .map(Fixture.map(["": .int(1)])),
      .map(Fixture.map(["k": .list([.list([.int(1)])])])),
    ] as [Value])
  func transformsOfArraysTakeAnyElements(_ element: Value) throws {
    var store = Store(Fixture.id)
    let writes = [
      Self.transforming("n", .arrayRemove([element])),
      Self.transforming("n", .arrayUnion([element])),
    ]
    try store.check(writes)
    #expect(try store.commit(writes, at: Fixture.start).results.count == 2)
    #expect("\(store[Fixture.path("a/t")]?.data["n"] ?? .null)" == "\(Value.list([element]))")
  }

  /// Masks, data and what is stored of `{x: 1, y: {z: 1}}`.
  private static let masks: [(mask: [String], data: [String: Value], stored: String)] = [
    (["x", "gone", "y.z"], ["x": .int(5)], "{x: int(5), y: {}}"),
    (
      ["`a.b`", "`1x`"], ["a.b": .int(1), "1x": .int(3)],
      "{1x: int(3), a.b: int(1), x: int(1), y: {z: int(1)}}"
    ),
    (
      ["y", "y.z"], ["y": .map(Fixture.map(["z": .int(2)]))], "{x: int(1), y: {z: int(2)}}"
    ),
    (["x", "x"], ["x": .int(7)], "{x: int(7), y: {z: int(1)}}"),
    (["x"], ["x": .int(7), "q": .int(2)], "{x: int(7), y: {z: int(1)}}"),
    (["__name__"], ["x": .int(7)], "{x: int(1), y: {z: int(1)}}"),
    ([], ["x": .int(7)], "{x: int(1), y: {z: int(1)}}"),
    (["x.y"], ["x": .map(Fixture.map(["y": .int(1)]))], "{x: {y: int(1)}, y: {z: int(1)}}"),
  ]

  @Test(arguments: masks.indices)
  func aMaskNamesWhatIsSetAndRemoved(_ row: Int) throws {
    let (mask, data, expected) = Self.masks[row]
    var store = Store(Fixture.id)
    let before: [String: Value] = ["x": .int(1), "y": .map(Fixture.map(["z": .int(1)]))]
    _ = try store.commit([Fixture.set("a/b", before)], at: Fixture.time(0))
    let paths = try mask.map { try FieldPath(mask: Text($0)) }
    let write = StoreWrite(Fixture.path("a/b"), .set(Fixture.map(data), mask: paths))
    try store.check([write])
    _ = try store.commit([write], at: Fixture.time(1))
    #expect(Self.sorted(.map(try #require(store[Fixture.path("a/b")]).data)) == expected)
  }

  private static func sorted(_ value: Value) -> String {
    guard case .map(let map) = value else { return text(value) }
    let fields = map.sortedKeys.compactMap { key in
      map[key].map { "\(String(key)): \(sorted($0))" }
    }
    return "{" + fields.joined(separator: ", ") + "}"
  }

  @Test func anEmptyMaskCreatesAnEmptyDocument() throws {
    var store = Store(Fixture.id)
    let write = StoreWrite(Fixture.path("a/em"), .set(Fixture.map(["x": .int(1)]), mask: []))
    _ = try store.commit([write], at: Fixture.start)
    #expect(store[Fixture.path("a/em")]?.data.count == 0)
  }
}
