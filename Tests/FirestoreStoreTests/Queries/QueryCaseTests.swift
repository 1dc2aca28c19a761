import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Queries with what the official emulator finds (Docs/Emulator.md, Queries).
@Suite struct QueryCaseTests {
  /// A document a value of each kind, as `t/NAME`, the names in the order of the values.
  private static let values: [(String, Value)] = [
    ("null", .null), ("false", .bool(false)), ("true", .bool(true)), ("nan", .float(.nan)),
    ("ninf", .float(-.infinity)), ("i-1", .int(-1)), ("d-0", .float(-0.0)), ("i0", .int(0)),
    ("d0.5", .float(0.5)), ("d1", .float(1)), ("i1", .int(1)), ("inf", .float(.infinity)),
    ("ts", .timestamp(Fixture.start)), ("s-empty", .string("")), ("s-A", .string("A")),
    ("s-a", .string("a")), ("s-é", .string("é")), ("s-ffff", .string("\u{FFFF}")),
    ("s-emoji", .string("😀")), ("b-empty", .bytes([])), ("b-1", .bytes([1])),
    ("ref-b", Fixture.reference("a/b")), ("geo", .latlng(LatLng(latitude: 1, longitude: 2))),
    ("arr0", .list([])), ("arr1", .list([.int(1)])), ("arr12", .list([.int(1), .int(2)])),
    ("arr2", .list([.int(2)])), ("vec1", .vector([9])), ("vec12", .vector([1, 2])),
    ("map0", .map(MapValue())), ("map-a1", .map(Fixture.map(["a": .int(1)]))),
    ("map-ab", .map(Fixture.map(["a": .int(1), "b": .int(0)]))),
    ("map-a2", .map(Fixture.map(["a": .int(2)]))),
  ]

  private static let v = FieldPath(["v"])

  private static let store: Store = {
    var store = Store(Fixture.id)
    let writes = values.map { Fixture.set("t/\($0.0)", ["v": $0.1]) }
    _ = try? store.commit(writes + [Fixture.set("t/missing", ["w": .int(1)])], at: Fixture.start)
    return store
  }()

  /// The names of what a query finds.
  private static func names(_ query: StoreQuery, in store: Store) throws -> [String] {
    try store.run(query).map { String($0.path.id) }
  }

  private static func all(where filter: StoreFilter?) -> StoreQuery {
    var query = StoreQuery(parent: DocumentPath([]), collection: "t")
    query.filter = filter
    return query
  }

  /// The names of the values that a filter does not leave out, in the order of values.
  private static func found(_ filter: StoreFilter) throws -> [String] {
    var query = all(where: filter)
    query.orders = [Query.Order(v, isDescending: false)]
    return try names(query, in: store)
  }

  private static func between(_ first: String, _ last: String) -> [String] {
    let names = values.map { $0.0 }
    guard let low = names.firstIndex(of: first), let high = names.firstIndex(of: last) else {
      return []
    }
    return Array(names[low...high])
  }

  private static func but(_ left: String...) -> [String] {
    values.map { $0.0 }.filter { !left.contains($0) }
  }

  private static let filters: [(StoreFilter, [String])] = [
    (.field(v, .equal, .int(1)), ["d1", "i1"]), (.field(v, .equal, .int(0)), ["d-0", "i0"]),
    (.field(v, .equal, .null), []), (.field(v, .equal, .float(.nan)), []),
    (.unary(v, .isNull), ["null"]), (.unary(v, .isNaN), ["nan"]),
    (.unary(v, .isNotNull), but("null")), (.unary(v, .isNotNaN), but("null", "nan")),
    (.field(v, .notEqual, .int(1)), but("null", "d1", "i1")),
    (.field(v, .notEqual, .null), []), (.field(v, .notEqual, .float(.nan)), but("null")),
    (.field(v, .less, .int(1)), between("ninf", "d0.5")),
    (.field(v, .lessEqual, .int(0)), between("ninf", "i0")),
    (.field(v, .greater, .int(0)), between("d0.5", "inf")),
    (.field(v, .greater, .null), []), (.field(v, .greaterEqual, .null), []),
    (.field(v, .greaterEqual, .float(.nan)), []),
    (.field(v, .greater, .string("a")), between("s-é", "s-emoji")),
    (.field(v, .less, .bool(true)), ["false"]),
    (.field(v, .less, .list([.int(1), .int(2)])), ["arr0", "arr1"]),
    (.field(v, .greater, .map(Fixture.map(["a": .int(1)]))), ["map-ab", "map-a2"]),
    (.field(v, .greaterEqual, Fixture.reference("a/a")), ["ref-b"]),
    (.field(v, .less, .vector([1, 2])), ["vec1"]),
    (
      .field(v, .in, .list([.int(1), .string("a"), .null, .float(.nan)])), ["d1", "i1", "s-a"]
    ),
    (.field(v, .notIn, .list([.int(1), .string("a")])), but("null", "d1", "i1", "s-a")),
    (.field(v, .notIn, .list([.null])), []),
    (.field(v, .arrayContains, .int(1)), ["arr1", "arr12"]),
    (.field(v, .arrayContains, .float(2)), ["arr12", "arr2"]),
    (.field(v, .arrayContainsAny, .list([.int(1), .int(9)])), ["arr1", "arr12"]),
    (.field(v, .equal, .list([.int(1)])), ["arr1"]),
    (.field(v, .in, .list([.latlng(LatLng(latitude: 1, longitude: 2))])), ["geo"]),
    (.field(v, .equal, .map(Fixture.map(["a": .int(1)]))), ["map-a1"]),
    (.field(FieldPath(["v", "a"]), .equal, .int(1)), ["map-a1", "map-ab"]),
    (
      .or([.field(v, .equal, .int(1)), .field(v, .equal, .string("a"))]), ["d1", "i1", "s-a"]
    ),
    (
      .or([.field(v, .greater, .string("a")), .field(v, .less, .int(0))]),
      ["ninf", "i-1", "s-é", "s-ffff", "s-emoji"]
    ),
    (.and([.field(v, .equal, .int(1))]), ["d1", "i1"]), (.and([]), but()),
    (
      .and([.field(v, .greater, .int(0)), .field(FieldPath(["w"]), .greater, .int(0))]), []
    ),
  ]

  @Test(arguments: filters.indices)
  func aFilterFindsWhatItFindsOnTheOfficialEmulator(_ row: Int) throws {
    let (filter, expected) = Self.filters[row]
    #expect(try Self.found(filter) == expected)
  }

  @Test func resultsComeInTheOrderOfValuesAndOfNames() throws {
    var query = Self.all(where: nil)
    #expect(try Self.names(query, in: Self.store).count == Self.values.count + 1)
    query.orders = [Query.Order(Self.v, isDescending: false)]
    #expect(try Self.names(query, in: Self.store) == Self.values.map { $0.0 })
    query.orders = [Query.Order(Self.v, isDescending: true)]
    #expect(try Self.names(query, in: Self.store) == Self.values.map { $0.0 }.reversed())
  }

  @Test func namesAreOrderedByBytesAndNumbersFirst() throws {
    let store = try Fixture.store(
      ["10", "9", "1", "a", "B", "__id7__", "__id10__", "é", "\u{FFFF}", "😀"].map { "n/\($0)" })
    let ascending = ["__id7__", "__id10__", "1", "10", "9", "B", "a", "é", "\u{FFFF}", "😀"]
    var query = StoreQuery(parent: DocumentPath([]), collection: "n")
    #expect(try Self.names(query, in: store) == ascending)
    query.orders = [Query.Order(StoreFilter.nameField, isDescending: true)]
    query.limit = 3
    #expect(try Self.names(query, in: store) == Array(ascending.reversed().prefix(3)))
    query.limit = 0
    #expect(try Self.names(query, in: store) == [])
    query.limit = nil
    query.offset = 8
    #expect(try Self.names(query, in: store) == ["__id10__", "__id7__"])
  }

  @Test func namesAreFilteredAsReferences() throws {
    let name = StoreFilter.nameField
    let cases: [(StoreFilter, [String])] = [
      (.field(name, .equal, Fixture.reference("t/i1")), ["i1"]),
      (.field(name, .equal, Fixture.reference("u/i1")), []),
      (.field(name, .greater, Fixture.reference("t/true")), ["ts", "vec1", "vec12"]),
      (.field(name, .less, Fixture.reference("t/arr12")), ["arr0", "arr1"]),
      (
        .field(name, .in, .list([Fixture.reference("t/i1"), Fixture.reference("t/zz")])), ["i1"]
      ),
      (
        .and([
          .field(name, .greaterEqual, Fixture.reference("t/i")),
          .field(name, .lessEqual, Fixture.reference("t/i0")),
        ]), ["i-1", "i0"]
      ),
    ]
    for (filter, expected) in cases {
      #expect(try Self.names(Self.all(where: filter), in: Self.store) == expected)
    }
  }

  @Test func cursorsStandBeforeOrBehindTheirValues() throws {
    let zero = Value.int(0)
    func found(_ start: Cursor?, _ end: Cursor?, limit: Int64?) throws -> [String] {
      var query = Self.all(where: nil)
      query.orders = [Query.Order(Self.v, isDescending: false)]
      (query.start, query.end, query.limit) = (start, end, limit)
      return try Self.names(query, in: Self.store)
    }
    let before = Cursor(values: [zero], isBefore: true)
    let behind = Cursor(values: [zero], isBefore: false)
    #expect(try found(before, nil, limit: 4) == ["d-0", "i0", "d0.5", "d1"])
    #expect(try found(behind, nil, limit: 4) == ["d0.5", "d1", "i1", "inf"])
    let no = Value.bool(false)
    #expect(try found(nil, Cursor(values: [no], isBefore: true), limit: nil) == ["null"])
    #expect(try found(nil, Cursor(values: [no], isBefore: false), limit: nil) == ["null", "false"])
    var query = Self.all(where: nil)
    query.orders = [
      Query.Order(Self.v, isDescending: false),
      Query.Order(StoreFilter.nameField, isDescending: false),
    ]
    query.start = Cursor(values: [.int(1), Fixture.reference("t/d1")], isBefore: false)
    query.limit = 2
    #expect(try Self.names(query, in: Self.store) == ["i1", "inf"])
  }

  private static let groups = try? Fixture.store([
    "g/1/t2/a", "g/2/t2/b", "t2/c", "h/1/t2/d", "g/1/t2/a/t2/e",
  ])

  @Test func groupsAndKindlessQueriesFindDocumentsOfManyCollections() throws {
    let store = try #require(Self.groups)
    let root = DocumentPath([])
    let below = Fixture.path("g/1")
    let cases: [(StoreQuery, String)] = [
      (StoreQuery(parent: root, collection: "t2", allDescendants: true), "aebdc"),
      (StoreQuery(parent: below, collection: "t2", allDescendants: true), "ae"),
      (StoreQuery(parent: below, collection: "t2"), "a"),
      (StoreQuery(parent: root, collection: nil, allDescendants: true), "aebdc"),
      (StoreQuery(parent: root, collection: ""), "c"),
      (StoreQuery(parent: below, collection: nil), "a"),
      (StoreQuery(parent: below, collection: nil, allDescendants: true), "ae"),
    ]
    for (query, expected) in cases {
      #expect(try Self.names(query, in: store).joined() == expected)
    }
    var descending = cases[0].0
    descending.orders = [Query.Order(FieldPath(["x"]), isDescending: true)]
    #expect(try Self.names(descending, in: store).joined() == "edcba")
    var named = cases[0].0
    named.filter = .field(StoreFilter.nameField, .equal, Fixture.reference("t2/c"))
    #expect(try Self.names(named, in: store).joined() == "c")
    var range = cases[3].0
    range.filter = .and([
      .field(StoreFilter.nameField, .greaterEqual, Fixture.reference("g/1/t2/a/t2/e")),
      .field(StoreFilter.nameField, .less, Fixture.reference("h/1/t2/d")),
    ])
    range.limit = 5000
    #expect(try Self.names(range, in: store).joined() == "eb")
  }

  @Test func inequalitiesImplyOrders() throws {
    var store = Store(Fixture.id)
    let rows = [(1, 9), (2, 4), (1, 5), (0, 8), (2, 3)]
    let writes = rows.enumerated().map {
      Fixture.set(
        "n/\($0.offset)",
        ["a": .int(Int64($0.element.0)), "b": .int(Int64($0.element.1))])
    }
    _ = try store.commit(writes, at: Fixture.start)
    let (a, b) = (FieldPath(["a"]), FieldPath(["b"]))
    var query = StoreQuery(parent: DocumentPath([]), collection: "n")
    query.filter = .and([.field(b, .greater, .int(3)), .field(a, .greater, .int(0))])
    #expect(try Self.names(query, in: store) == ["2", "0", "1"])
    query.orders = [Query.Order(b, isDescending: false)]
    #expect(try Self.names(query, in: store) == ["1", "2", "0"])
    query.filter = .field(a, .notEqual, .int(0))
    query.orders = [Query.Order(a, isDescending: true)]
    #expect(try Self.names(query, in: store) == ["4", "1", "2", "0"])
    query.filter = .field(a, .in, .list([.int(2), .int(1)]))
    query.orders = []
    #expect(try Self.names(query, in: store) == ["0", "1", "2", "4"])
  }

  /// Answers of the official emulator 1.19.9. A comparison that finds nothing implies no order; those
  /// beside it in a conjunction do.
  private static let alternatives: [(StoreFilter, [Text])] = {
    let (x, y, z) = (FieldPath(["x"]), FieldPath(["y"]), FieldPath(["z"]))
    let first = StoreFilter.field(x, .greater, .int(0))
    func other(_ condition: StoreFilter) -> StoreFilter {
      .or([first, .and([.field(y, .greater, .int(0)), condition])])
    }
    let (both, all): ([Text], [Text]) = (["xy", "xyz"], ["x", "xy", "xyz", "xz"])
    return [
      (.or([first, .field(y, .greater, .int(0))]), both),
      (.or([first, .field(y, .equal, .int(1))]), all),
      (.or([first, .field(y, .lessEqual, .null)]), all),
      (.or([first, .field(y, .lessEqual, .float(.nan))]), all),
      (.or([first, .field(y, .notEqual, .null)]), all),
      (.or([first, .field(y, .notEqual, .float(.nan))]), both),
      (.or([first, .and([.field(y, .lessEqual, .null), .field(z, .equal, .int(1))])]), all),
      (other(.field(z, .lessEqual, .null)), both),
      (other(.field(z, .equal, .null)), both),
      (other(.field(z, .equal, .float(.nan))), both),
      (other(.field(z, .in, .list([.null]))), both),
    ]
  }()

  @Test(arguments: alternatives)
  func alternativesImplyOrders(_ filter: StoreFilter, _ expected: [Text]) throws {
    var store = Store(Fixture.id)
    let writes = ["x", "y", "z", "xy", "xz", "yz", "xyz"].map { name in
      Fixture.set("a/\(name)", Dictionary(uniqueKeysWithValues: name.map { ("\($0)", .int(1)) }))
    }
    _ = try store.commit(writes, at: Fixture.start)
    var query = StoreQuery(parent: DocumentPath([]), collection: "a")
    query.filter = filter
    #expect(try Self.names(query, in: store) == expected.map { String($0) })
  }

  @Test func aSelectionLeavesTheOtherFieldsOut() throws {
    var store = Store(Fixture.id)
    let data: [String: Value] = [
      "a": .map(Fixture.map(["b": .int(1), "c": .int(2)])), "d": .int(3),
    ]
    _ = try store.commit([Fixture.set("s/1", data)], at: Fixture.start)
    var query = StoreQuery(parent: DocumentPath([]), collection: "s")
    for (paths, expected) in [
      ([["a", "b"]], ["a"]), ([["d"], ["a"]], ["d", "a"]), ([], []), ([["__name__"]], []),
      ([["nope"]], []),
    ] as [([[Text]], [Text])] {
      query.selection = paths.map { FieldPath($0) }
      let found = try store.run(query)
      #expect(found.count == 1 && found[0].data.keys == expected)
    }
  }
}
