import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Queries that are refused, in the words of the official emulator (Docs/Emulator.md, Queries).
@Suite struct QueryRefusalTests {
  private static let v = FieldPath(["v"])
  private static let w = FieldPath(["w"])
  private static let name = StoreFilter.nameField

  private static func ints(_ range: Range<Int64>) -> Value { .list(range.map { .int($0) }) }

  private static func query(_ change: (inout StoreQuery) -> Void) -> StoreQuery {
    var query = StoreQuery(parent: DocumentPath([]), collection: "t")
    change(&query)
    return query
  }

  private static func filtered(_ filters: StoreFilter...) -> StoreQuery {
    query { $0.filter = filters.count == 1 ? filters[0] : .and(filters) }
  }

  private static func ordered(_ fields: FieldPath...) -> StoreQuery {
    query { $0.orders = fields.map { Query.Order($0, isDescending: false) } }
  }

  private static let negations =
    "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query."
  private static let contains =
    "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
  private static let disjunctions =
    "Too many disjunctions after normalization, the maximum is 30"
  private static let key =
    "Equality on key is not allowed if there are other inequality fields and key does not appear in "
    + "inequalities."
  private static let behindKey = "order by clause cannot contain more fields after the key"

  private static func many(_ filters: Int, _ orders: Int, _ parent: String) -> String {
    "The query may not have more than 100 filters + sort orders + ancestor total. "
      + "Currently there are \(filters) filters, \(orders) sort orders, and \(parent) ancestor filter."
  }

  private static func equalities(_ count: Int) -> StoreFilter {
    .and((0..<count).map { .field(FieldPath([Text("v\($0)")]), .equal, .int(1)) })
  }

  private static let nearest =
    "FindNearest.limit must be a positive integer of no more than 1000"

  private static func near(
    _ vector: Value, _ change: (inout StoreQuery) -> Void = { _ in }
  ) -> StoreQuery {
    var query = query {
      $0.nearest = NearestSearch(field: v, vector: vector, measure: .cosine, limit: 1)
    }
    change(&query)
    return query
  }

  private static let rows: [(StoreQuery, String)] = [
    (filtered(.field(v, .in, .list([]))), "'IN' requires an non-empty ArrayValue."),
    (filtered(.field(v, .in, .int(1))), "'IN' requires an ArrayValue."),
    (filtered(.field(v, .notIn, .list([]))), "'NOT_IN' requires an non-empty ArrayValue."),
    (filtered(.field(v, .notIn, .null)), "'NOT_IN' requires an ArrayValue."),
    (
      filtered(.field(v, .arrayContainsAny, .list([]))),
      "'ARRAY_CONTAINS_ANY' requires an non-empty ArrayValue."
    ),
    (
      filtered(.field(v, .arrayContainsAny, .string("a"))),
      "'ARRAY_CONTAINS_ANY' requires an ArrayValue."
    ),
    (filtered(.field(v, .in, ints(0..<31))), "'IN' supports up to 30 comparison values."),
    (filtered(.field(v, .notIn, ints(0..<11))), "'NOT_IN' supports up to 10 comparison values."),
    (filtered(.field(v, .notIn, ints(0..<1)), .field(v, .notEqual, .int(2))), negations),
    (filtered(.unary(v, .isNotNull), .unary(w, .isNotNaN)), negations),
    (
      filtered(.field(v, .arrayContains, .int(1)), .field(v, .arrayContains, .int(2))), contains
    ),
    (filtered(.field(v, .in, ints(0..<8)), .field(w, .in, ints(0..<8))), disjunctions),
    (ordered(v, v), "order by clause cannot contain duplicate fields v"),
    (ordered(name, v), behindKey),
    (
      query {
        $0.filter = .field(v, .greater, .int(0))
        $0.orders = [Query.Order(name, isDescending: false)]
      }, behindKey
    ),
    (
      query {
        $0.filter = .field(v, .notIn, .list([.null, .int(2)]))
        $0.orders = [w, name].map { Query.Order($0, isDescending: false) }
      }, behindKey
    ),
    (filtered(.field(v, .greater, .int(0)), .field(name, .equal, Fixture.reference("t/1"))), key),
    (
      filtered(
        .field(v, .greater, .int(0)), .field(FieldPath(["w"]), .equal, .null),
        .field(name, .equal, Fixture.reference("t/1"))), key
    ),
    (
      filtered(.field(v, .notEqual, .int(0)), .field(name, .in, .list([Fixture.reference("t/1")]))),
      key
    ),
    (
      query {
        $0.collection = nil
        $0.orders = [Query.Order(v, isDescending: false)]
      }, "kind is required for all orders except __key__ ascending"
    ),
    (
      query {
        $0.collection = nil
        $0.filter = .field(v, .arrayContains, .int(1))
      }, "kind is required for filter: v[*]"
    ),
    (
      query {
        $0.collection = nil
        $0.filter = .field(v, .equal, .int(1))
      }, "kind is required for filter: v"
    ),
    (query { $0.filter = equalities(101) }, many(101, 0, "no")),
    (
      query { $0.filter = .and([equalities(80), .field(v, .in, ints(0..<30))]) }, many(110, 0, "no")
    ),
    (
      query {
        $0.parent = Fixture.path("a/b")
        $0.filter = equalities(100)
      }, many(100, 0, "one")
    ),
    (
      query {
        $0.filter = equalities(99)
        $0.orders = [v, w].map { Query.Order($0, isDescending: false) }
      }, many(99, 2, "no")
    ),
    (filtered(.or([])), "Composite filter must have at least one sub-filter."),
    (
      filtered(.field(v, .notIn, ints(0..<1)), .field(w, .in, ints(0..<1))),
      "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
    ),
    (
      filtered(.field(name, .arrayContains, Fixture.reference("t/1"))),
      "the name __key__ is reserved"
    ),
    (filtered(.unary(name, .isNull)), "__key__ filter value must be a Key"),
    (
      query {
        $0.parent = Fixture.path("g/1")
        $0.allDescendants = true
        $0.filter = .field(v, .equal, .int(1))
      }, "collection group queries are only allowed at the root parent"
    ),
    (
      query {
        $0.orders = [Query.Order(name, isDescending: false)]
        $0.start = Cursor(values: [.int(1)], isBefore: true)
      }, "Cursor __key__ value is not a document reference."
    ),
    (
      query {
        $0.orders = [Query.Order(v, isDescending: false)]
        $0.start = Cursor(values: [.int(0), .int(1)], isBefore: true)
      }, "Cursor has too many values."
    ),
    (
      query { $0.end = Cursor(values: [.int(0)], isBefore: true) }, "Cursor has too many values."
    ),
    (query { $0.limit = -1 }, "limit is negative"),
    (query { $0.offset = -1 }, "offset is negative"),
    (filtered(.field(name, .equal, .string("i1"))), "__key__ filter value must be a Key"),
    (filtered(.field(name, .in, .list([.int(1)]))), "__key__ filter value must be a Key"),
    (
      StoreQuery(parent: DocumentPath([]), collection: "a/b/c"),
      "Collection id \"a/b/c\" is invalid because it contains \"/\"."
    ),
    (
      StoreQuery(parent: DocumentPath([]), collection: "__x__"),
      "Collection id \"__x__\" is invalid because it is reserved."
    ),
    (
      query {
        $0.nearest = NearestSearch(
          field: v, vector: .vector([1]), measure: .euclidean, limit: nil)
      }, nearest
    ),
    (
      query {
        $0.nearest = NearestSearch(
          field: v, vector: .vector([1]), measure: .euclidean, limit: 1001)
      }, nearest
    ),
    (near(.list([.float(1)])), "Query Value must be of type vector."),
    (near(.vector([])), "Cannot have a zero length vector."),
    (near(.vector(Array(repeating: 1, count: 2049))), "Vectors must be at most 2048 dimensions."),
    (near(.vector([1])) { $0.limit = 1 }, "A query limit cannot be used with FindNearest"),
    (near(.vector([1])) { $0.offset = 1 }, "A query offset cannot be used with FindNearest"),
    (
      near(.vector([1])) { $0.nearest?.resultField = FieldPath(["__x__"]) },
      "The distanceResultField.property.name \"__x__\" is reserved."
    ),
  ]

  @Test(arguments: rows.indices)
  func theQueryIsRefused(_ row: Int) {
    let (query, message) = Self.rows[row]
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in _ = try store.run(query) }
    #expect(refusal == "3 " + message)
  }

  private static let taken: [StoreQuery] = [
    filtered(.field(v, .in, ints(0..<30))), filtered(.field(v, .notIn, ints(0..<10))),
    filtered(.field(v, .notEqual, .int(1)), .field(w, .greater, .int(1))),
    filtered(
      .or([.field(v, .arrayContains, .int(1)), .field(v, .arrayContains, .int(2))])),
    filtered(.field(v, .equal, .list([]))), ordered(v, w, name),
    query {
      $0.parent = Fixture.path("g/1")
      $0.allDescendants = true
      $0.filter = .field(name, .greaterEqual, Fixture.reference("g/1/t/1"))
    },
    // A filter that finds nothing is no inequality.
    filtered(.field(v, .less, .null), .field(name, .equal, Fixture.reference("t/1"))),
    query {
      $0.orders = [Query.Order(v, isDescending: false), Query.Order(name, isDescending: false)]
      $0.start = Cursor(values: [.int(0)], isBefore: true)
    },
  ]

  @Test(arguments: taken.indices)
  func theQueryIsTaken(_ row: Int) throws {
    #expect(try Store(Fixture.id).run(Self.taken[row]).isEmpty)
  }

  private static let listened: [(StoreQuery, String?)] = [
    (
      query {
        $0.parent = Fixture.path("g/1")
        $0.allDescendants = true
        $0.filter = .field(v, .equal, .int(1))
      },
      "9 collection group queries are only allowed if they're at the root or they're an ascending "
        + "primary key scan"
    ),
    (
      filtered(.field(v, .arrayContains, .int(1)), .field(v, .arrayContains, .int(2))),
      "9 Only a single array-contains clause is allowed in a query"
    ),
    (
      query {
        $0.collection = nil
        $0.filter = .field(v, .equal, .int(1))
        $0.orders = [Query.Order(w, isDescending: true)]
      }, nil
    ),
    (
      query {
        $0.collection = nil
        $0.filter = .field(v, .greater, .int(1))
        $0.orders = [w, name].map { Query.Order($0, isDescending: false) }
      }, "3 " + behindKey
    ),
    (query { $0.limit = -1 }, "3 limit is negative"),
  ]

  @Test(arguments: listened.indices)
  func listenersAreRefusedInWordsOfTheirOwn(_ row: Int) {
    let (query, expected) = Self.listened[row]
    let store = Store(Fixture.id)
    let refusal = Fixture.refusal { () throws(Refusal) in _ = try store.runListening(query) }
    #expect(refusal == expected)
  }

  /// Listeners who may not read hear of that before they hear of these mistakes.
  @Test(arguments: listened.indices)
  func whatListenersAreRefusedIsFoundAfterTheRulesWereAsked(_ row: Int) throws {
    let (query, expected) = Self.listened[row]
    try query.checkListening(in: Fixture.id)
    let isFoundByRun = expected?.hasSuffix(Self.behindKey) ?? true
    #expect(query.listenersQuery(in: Fixture.id).isRefusedLater == !isFoundByRun)
    #expect(!query.rulesQuery.isRefusedLater)
  }

  @Test func documentsOfAnyCollectionAreFilteredForListeners() throws {
    let store = try Fixture.store(["a/0", "a/1", "b/1", "b/1/c/1"])
    var query = StoreQuery(parent: DocumentPath([]), collection: nil)
    query.filter = .field(FieldPath(["x"]), .greater, .int(0))
    query.orders = [Query.Order(FieldPath(["x"]), isDescending: true)]
    let found = try store.runListening(query).map { $0.path }
    #expect(found == [Fixture.path("b/1"), Fixture.path("a/1")])
  }

  @Test func aGroupBelowADocumentIsRefusedBeforeWhatAnyCollectionLacks() {
    let query = Self.query {
      $0.parent = Fixture.path("g/1")
      $0.collection = nil
      $0.allDescendants = true
      $0.orders = [Query.Order(Self.v, isDescending: false)]
    }
    let refusal = Fixture.refusal { () throws(Refusal) in try query.check(in: Fixture.id) }
    #expect(refusal == "3 collection group queries are only allowed at the root parent")
  }

  @Test func mistakesOfOrdersAreOnlyFoundAfterTheRules() throws {
    try Self.ordered(Self.v, Self.v).check(in: Fixture.id)
    try Self.ordered(Self.name, Self.v).check(in: Fixture.id)
    let named = Self.filtered(
      .field(Self.v, .greater, .int(0)), .field(Self.name, .equal, Fixture.reference("t/1")))
    try named.check(in: Fixture.id)
    #expect(throws: Refusal.self) { try Store(Fixture.id).run(named) }
  }

  /// As deep as messages are, which are read to a depth of 100.
  @Test func aDeepFilterIsAnsweredSoon() throws {
    var filter = StoreFilter.field(Self.v, .greater, .int(1))
    for level in 0..<100 {
      let other = StoreFilter.field(Self.w, .equal, .int(level.isMultiple(of: 2) ? 1 : 2))
      filter =
        level.isMultiple(of: 2)
        ? .and([filter]) : level < 40 ? .or([filter, other]) : .or([filter])
    }
    let query = Self.query { $0.filter = filter }
    var store = Store(Fixture.id)
    _ = try store.commit([Fixture.set("t/1", ["v": .int(2), "w": .int(2)])], at: Fixture.start)
    #expect(try store.run(query).count == 1)
  }

  @Test func aHugeFilterIsRefusedSoon() {
    let many = (0..<20_000 as Range<Int64>).map { StoreFilter.field(Self.v, .equal, .int($0)) }
    let store = Store(Fixture.id)
    for filter in [StoreFilter.and(many), .or(many)] {
      let query = Self.query { $0.filter = filter }
      let refusal = Fixture.refusal { () throws(Refusal) in _ = try store.run(query) }
      #expect(refusal == "3 " + Self.many(20_000, 0, "no"))
    }
  }
}
