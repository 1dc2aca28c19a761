import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

@Suite struct AggregationTests {
  private let b = FieldPath(["b"])

  /// Returns the aggregations over documents with these values of the field `b`, as text.
  private func aggregate(_ values: [Value?], _ kinds: [Aggregation.Kind]) throws -> [String] {
    var store = Store(Fixture.id)
    let writes = values.enumerated().map {
      Fixture.set("n/\($0.offset)", $0.element.map { ["b": $0] } ?? ["c": .int(1)])
    }
    _ = try store.commit(writes, at: Fixture.start)
    let query = StoreQuery(parent: DocumentPath([]), collection: "n")
    return try store.aggregate(query, kinds.map { Aggregation($0) }).map { "\($0.value)" }
  }

  private static let great = Double(sign: .plus, exponent: 63, significand: 1)

  @Test func sumsAndAveragesFollowTheTypesOfTheirNumbers() throws {
    let both = [Aggregation.Kind.sum(b), .average(b)]
    #expect(try aggregate([.int(1), .int(2)], both) == ["int(3)", "float(1.5)"])
    #expect(try aggregate([.int(1), .float(0.5)], both) == ["float(1.5)", "float(0.75)"])
    #expect(try aggregate([.int(1), .float(.nan)], both) == ["float(nan)", "float(nan)"])
    #expect(try aggregate([.float(1), .float(2)], both) == ["float(3.0)", "float(1.5)"])
    #expect(try aggregate([], both) == ["int(0)", "null"])
    #expect(try aggregate([.string("a"), .null], both) == ["int(0)", "null"])
    #expect(try aggregate([.int(.max), .int(1)], [.sum(b)]) == ["float(\(Self.great))"])
    #expect(try aggregate([.int(.max), .int(1), .int(-1)], [.sum(b)]) == ["int(\(Int64.max))"])
  }

  /// Sums of the official emulator that a plain addition of floats does not give.
  @Test func sumsOfFloatsLoseNothing() throws {
    let sum = [Aggregation.Kind.sum(b)]
    #expect(try aggregate([.float(1e16), .float(1), .float(-1e16)], sum) == ["float(1.0)"])
    #expect(
      try aggregate([.int(1 << 53), .int(1), .float(0), .int(1)], sum)
        == ["float(\(Double(1 << 53 + 2)))"])
    #expect(
      try aggregate([.float(1.7e308), .float(1.7e308), .float(-1.7e308)], sum)
        == ["float(1.7e+308)"])
    #expect(try aggregate([.float(0.1), .float(0.2), .float(0.3), .int(1)], sum) == ["float(1.6)"])
    #expect(try aggregate([.float(-0.0)], sum) == ["float(0.0)"])
    #expect(try aggregate([.float(.infinity), .int(1)], sum) == ["float(inf)"])
    #expect(try aggregate([.float(.infinity), .float(-.infinity)], sum) == ["float(nan)"])
  }

  /// The sums of ints and of floats are rounded each by itself.
  @Test func sumsOfBothTypesAreRoundedTwice() throws {
    let values: [Value] = [.float(-1.5), .int(-1), .float(0x1p53), .float(0x1p53)]
    #expect(
      try aggregate(values, [.sum(b), .average(b)])
        == ["float(1.801439850948198e+16)", "float(4503599627370495.0)"])
  }

  /// Limits cut in the order of the filters with inequalities, and then of the fields that are aggregated.
  @Test func aggregatedFieldsAreOrders() throws {
    var store = Store(Fixture.id)
    let rows = [(1, 9), (2, 5), (3, 7), (0, 1)]
    let writes = rows.enumerated().map { number, row in
      Fixture.set("ag/\(number)", ["b": .int(Int64(row.0)), "a": .int(Int64(row.1))])
    }
    _ = try store.commit(writes, at: Fixture.start)
    let a = FieldPath(["a"])
    func sums(
      _ fields: [FieldPath], _ change: (inout StoreQuery) -> Void = { _ in }
    ) throws -> [String] {
      var query = StoreQuery(parent: DocumentPath([]), collection: "ag")
      query.limit = 2
      change(&query)
      return try store.aggregate(query, fields.map { Aggregation(.sum($0)) }).map { "\($0.value)" }
    }
    #expect(try sums([b, a]) == ["int(2)", "int(6)"])
    #expect(try sums([a]) { $0.orders = [Query.Order(b, isDescending: false)] } == ["int(10)"])
    #expect(try sums([a]) { $0.orders = [Query.Order(b, isDescending: true)] } == ["int(12)"])
    #expect(try sums([a]) { $0.filter = .field(b, .greater, .int(0)) } == ["int(14)"])
    let name = StoreFilter.nameField
    let behind = Fixture.refusal { () throws(Refusal) in
      var query = StoreQuery(parent: DocumentPath([]), collection: "ag")
      query.orders = [Query.Order(name, isDescending: false)]
      _ = try store.aggregate(query, [Aggregation(.sum(b)), Aggregation(.sum(a))])
    }
    #expect(
      behind
        == "3 This query requires an index that has fields [a, b] after __name__ and Firestore "
        + "does not currently support such an index. Please try the query again with additional "
        + "ordering on those fields.")
    #expect(throws: Refusal.self) {
      try sums([a]) { $0.filter = .field(name, .equal, Fixture.reference("ag/1")) }
    }
  }

  @Test func documentsThatLackAFieldOfAnAggregationCountForNone() throws {
    #expect(
      try aggregate([.int(1), nil, .string("a")], [.count(upTo: nil), .sum(b)]) == [
        "int(2)", "int(1)",
      ])
    #expect(try aggregate([.int(1), nil], [.count(upTo: nil)]) == ["int(2)"])
  }

  @Test func aCountFollowsTheQuerysLimitAndItsOwn() throws {
    let store = try Fixture.store((0..<7).map { "n/\($0)" })
    var query = StoreQuery(parent: DocumentPath([]), collection: "n")
    func count(_ limit: Int64?) throws -> String {
      try "\(store.aggregate(query, [Aggregation(.count(upTo: limit))])[0].value)"
    }
    #expect(try count(2) == "int(2)")
    #expect(try count(0) == "int(0)")
    query.limit = 3
    #expect(try count(nil) == "int(3)")
    query = StoreQuery(parent: DocumentPath([]), collection: "none")
    #expect(try count(nil) == "int(0)")
  }

  @Test func resultsWithoutANameAreNumbered() throws {
    let store = Store(Fixture.id)
    let query = StoreQuery(parent: DocumentPath([]), collection: "n")
    let names = try store.aggregate(
      query,
      [
        Aggregation(.count(upTo: nil)), Aggregation(.count(upTo: nil), alias: "c"),
        Aggregation(.sum(b)),
      ]
    ).map { String($0.alias) }
    #expect(names == ["field_1", "c", "field_2"])
  }

  @Test func badAggregationsAreRefused() {
    let store = Store(Fixture.id)
    let query = StoreQuery(parent: DocumentPath([]), collection: "n")
    let one = Aggregation(.count(upTo: nil), alias: "a")
    let cases: [([Aggregation], String)] = [
      ([], "3 Aggregations can not be empty."),
      ([one, one], "3 Aggregation aliases contain duplicate alias: a."),
      (
        [Aggregation(.count(upTo: nil)), Aggregation(.count(upTo: nil), alias: "field_1")],
        "3 Aggregation aliases contain duplicate alias: field_1."
      ),
      (
        [Aggregation(.count(upTo: -1))],
        "3 The `up_to` value in a COUNT aggregation must be greater than or equal to zero."
      ),
      (
        [Aggregation(.count(upTo: nil), alias: "__x__")],
        "3 The property.name \"__x__\" is reserved."
      ),
      (
        [Aggregation(.sum(StoreFilter.nameField))],
        "3 Aggregations are not supported for the property: __key__"
      ),
      (
        Array(repeating: Aggregation(.count(upTo: nil)), count: 6),
        "3 The maximum number of aggregations allowed in an aggregation query is 5. Received: 6"
      ),
    ]
    for (aggregations, expected) in cases {
      let refusal = Fixture.refusal { () throws(Refusal) in
        _ = try store.aggregate(query, aggregations)
      }
      #expect(refusal == expected)
    }
  }

  @Test func fieldsAreNotAggregatedBesideASelection() throws {
    let (x, y, m) = (FieldPath(["x"]), FieldPath(["y"]), FieldPath(["m"]))
    let names =
      "Aggregation over non-key properties is not supported for base query that only returns "
      + "keys."
    let masks = "Cannot apply property masks when aggregation fields are present."
    let lacking = "The aggregation property y is not present in the base query's property mask."
    let cases: [([FieldPath], [Aggregation.Kind], String?)] = [
      ([], [.sum(x)], names), ([StoreFilter.nameField], [.sum(x)], names), ([x], [.sum(x)], masks),
      ([x, StoreFilter.nameField], [.average(x)], masks), ([x], [.sum(y)], lacking),
      ([x], [.sum(x), .sum(y)], lacking), ([m], [.sum(FieldPath(["m", "k"]))], masks),
      ([x], [.count(upTo: nil)], nil), ([], [.count(upTo: nil)], nil),
      ([x], [], "Aggregations can not be empty."),
    ]
    for (selection, kinds, message) in cases {
      var query = StoreQuery(parent: DocumentPath([]), collection: "n")
      query.selection = selection
      let refusal = Fixture.refusal { () throws(Refusal) in
        try query.check(kinds.map { Aggregation($0) }, in: Fixture.id)
      }
      #expect(refusal == message.map { "3 " + $0 })
    }
  }

  @Test func noFieldIsAggregatedBehindTheNameOfTheDocument() throws {
    let store = try Fixture.store(["a/1", "a/1/s/1"])
    let (x, y, name) = (FieldPath(["x"]), FieldPath(["y"]), StoreFilter.nameField)
    let behind =
      "3 This query requires an index that has fields [x] after __name__ and Firestore does not "
      + "currently support such an index. Please try the query again with additional ordering on "
      + "those fields."
    let one = StoreFilter.field(name, .equal, Fixture.reference("a/1"))
    let from = StoreFilter.field(name, .greaterEqual, Fixture.reference("a/1"))
    let cases: [(String?, (inout StoreQuery) -> Void)] = [
      (behind, { $0.filter = one }), (behind, { $0.filter = from }),
      (behind, { $0.filter = .and([one, .field(x, .equal, .int(1))]) }),
      (
        behind,
        {
          $0.filter = from
          $0.orders = [Query.Order(y, isDescending: false)]
        }
      ),
      (
        nil,
        {
          $0.filter = from
          $0.orders = [Query.Order(x, isDescending: false)]
        }
      ),
      (
        behind,
        {
          $0.parent = Fixture.path("a/1")
          $0.allDescendants = true
        }
      ),
      (nil, { $0.allDescendants = true }), (nil, { $0.parent = Fixture.path("a/1") }),
    ]
    for (message, change) in cases {
      var query = StoreQuery(parent: DocumentPath([]), collection: "a")
      change(&query)
      let refusal = Fixture.refusal { () throws(Refusal) in
        _ = try store.aggregate(query, [Aggregation(.sum(x))])
      }
      #expect(refusal == message)
    }
  }
}
