import RulesEval
import RulesLang
import Testing

@testable import FirestoreStore

/// Queries against a plain list of documents, which is filtered, sorted and cut.
@Suite struct ReferenceTests {
  /// A plain list of documents, and queries over it that are as they are defined.
  private struct PlainStore {
    /// The documents in no order.
    var documents: [DocumentPath: MapValue] = [:]

    /// The paths that a query finds. Filters are the evaluator's; they and the orders are over fields, whose
    /// values are ints, floats and texts of ASCII.
    func run(_ query: StoreQuery, _ rules: Query) -> [DocumentPath] {
      var fields = query.orders
      let isDescending = query.orders.last?.isDescending ?? false
      let named = Set(fields.map { $0.field })
      for field in ["a", "b", "c"].map({ FieldPath([Text($0)]) })
      where !named.contains(field) && Self.hasInequality(query.filter, on: field) {
        fields.append(Query.Order(field, isDescending: isDescending))
      }
      var found = documents.filter { path, data in
        rules.returns(path, with: data, in: .standard)
          && fields.allSatisfy { data.value(at: $0.field) != nil }
      }.map { ($0.key, $0.value) }
      found.sort { one, other in
        let order = Self.compare(one, other, by: fields)
        if order != 0 { return order < 0 }
        let isLess = Self.name(one.0) < Self.name(other.0)
        return isLess != isDescending
      }
      if let start = query.start {
        found = found.filter {
          let order = Self.compare($0, start.values, by: fields)
          return order > 0 || order == 0 && start.isBefore
        }
      }
      if let end = query.end {
        found = found.filter {
          let order = Self.compare($0, end.values, by: fields)
          return order < 0 || order == 0 && !end.isBefore
        }
      }
      let rest = found.dropFirst(Int(query.offset))
      return (query.limit.map { rest.prefix(Int($0)) } ?? rest).map { $0.0 }
    }

    private static func hasInequality(_ filter: StoreFilter?, on field: FieldPath) -> Bool {
      switch filter {
      case .and(let parts)?, .or(let parts)?: parts.contains { hasInequality($0, on: field) }
      case .field(let own, .notEqual, let value)?: own == field && key(value).0 != 0
      case .field(let own, .notIn, .list(let values))?:
        own == field && !values.contains { key($0).0 == 0 }
      case .field(let own, .less, let value)?, .field(let own, .lessEqual, let value)?,
        .field(let own, .greater, let value)?, .field(let own, .greaterEqual, let value)?:
        own == field && key(value).0 > 1
      case .field?: false
      case .unary(let own, let test)?: own == field && (test == .isNotNull || test == .isNotNaN)
      case nil: false
      }
    }

    private static func name(_ path: DocumentPath) -> String { String(path.text) }

    /// The place of a value among all: by kind, number, text.
    private static func key(_ value: Value) -> (Int, Double, String) {
      switch value {
      case .null: (0, 0, "")
      case .float(let number) where number.isNaN: (1, 0, "")
      case .int(let number): (2, Double(number), "")
      case .float(let number): (2, number, "")
      case .string(let text): (3, 0, String(text))
      default: (4, 0, "\(value)")
      }
    }

    private static func compare(_ one: Value, _ other: Value) -> Int {
      let (left, right) = (key(one), key(other))
      return left < right ? -1 : left > right ? 1 : 0
    }

    private static func compare(
      _ one: (DocumentPath, MapValue), _ other: (DocumentPath, MapValue), by fields: [Query.Order]
    ) -> Int {
      compare(one, fields.map { other.1.value(at: $0.field) ?? .null }, by: fields)
    }

    private static func compare(
      _ one: (DocumentPath, MapValue), _ values: [Value], by fields: [Query.Order]
    ) -> Int {
      for (field, value) in zip(fields, values) {
        let order = compare(one.1.value(at: field.field) ?? .null, value)
        if order != 0 { return field.isDescending ? -order : order }
      }
      return 0
    }
  }

  private static func value(_ numbers: inout FixedNumbers) -> Value {
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0: .null
    case 1: .float(.nan)
    case 2: .float(Double(Int.random(in: -2...2, using: &numbers)) / 2)
    case 3, 4: .string(["", "x", "y", "xy"].randomElement(using: &numbers) ?? "")
    default: .int(Int64.random(in: -2...2, using: &numbers))
    }
  }

  private static func field(_ numbers: inout FixedNumbers) -> FieldPath {
    FieldPath([["a", "b", "c"].randomElement(using: &numbers) ?? "a"])
  }

  private static func filter(_ numbers: inout FixedNumbers, depth: Int = 0) -> StoreFilter {
    let field = field(&numbers)
    switch Int.random(in: 0..<(depth < 2 ? 12 : 8), using: &numbers) {
    case 0, 1: return .field(field, .equal, value(&numbers))
    case 2, 3:
      let ranges: [Query.Comparison] = [.less, .lessEqual, .greater, .greaterEqual]
      return .field(field, ranges.randomElement(using: &numbers) ?? .less, value(&numbers))
    case 4: return .field(field, .notEqual, value(&numbers))
    case 5: return .field(field, .in, .list((0..<2).map { _ in value(&numbers) }))
    case 6: return .field(field, .notIn, .list((0..<2).map { _ in value(&numbers) }))
    case 7:
      let tests: [StoreFilter.Unary] = [.isNull, .isNaN, .isNotNull, .isNotNaN]
      return .unary(field, tests.randomElement(using: &numbers) ?? .isNull)
    case 8, 9: return .and((0..<2).map { _ in filter(&numbers, depth: depth + 1) })
    default: return .or((0..<2).map { _ in filter(&numbers, depth: depth + 1) })
    }
  }

  private static func query(_ numbers: inout FixedNumbers) -> StoreQuery {
    let isGroup = Bool.random(using: &numbers)
    var query = StoreQuery(
      parent: Fixture.path(isGroup ? ["", "p/1"].randomElement(using: &numbers) ?? "" : ""),
      collection: "t", allDescendants: isGroup)
    if Int.random(in: 0..<4, using: &numbers) > 0 { query.filter = filter(&numbers) }
    for name in ["a", "b", "c"].shuffled(using: &numbers).prefix(
      Int.random(in: 0...2, using: &numbers))
    {
      query.orders.append(
        Query.Order(FieldPath([Text(name)]), isDescending: Bool.random(using: &numbers)))
    }
    func cursor() -> Cursor? {
      let count = Int.random(in: 0...query.orders.count, using: &numbers)
      if count == 0 { return nil }
      return Cursor(
        values: (0..<count).map { _ in value(&numbers) }, isBefore: Bool.random(using: &numbers))
    }
    query.start = cursor()
    query.end = cursor()
    if Bool.random(using: &numbers) { query.limit = Int64.random(in: 0...12, using: &numbers) }
    if Bool.random(using: &numbers) { query.offset = Int64.random(in: 0...4, using: &numbers) }
    return query
  }

  /// False for filters where a comparison means another thing to the evaluator: `!=` with NaN and with null,
  /// which it takes for the tests.
  private static func isAlike(_ filter: StoreFilter?) -> Bool {
    switch filter {
    case .and(let parts)?, .or(let parts)?: parts.allSatisfy { isAlike($0) }
    case .field(_, .notEqual, .float(let number))?: !number.isNaN
    case .field(_, .notEqual, .null)?: false
    case .field?, .unary?, nil: true
    }
  }

  @Test(arguments: [31, 32] as [UInt64])
  func queriesFindWhatAPlainListHasInItsOrder(_ seed: UInt64) throws {
    var numbers = FixedNumbers(seed: seed)
    var store = Store(Fixture.id)
    var plain = PlainStore()
    var (asked, found) = (0, 0)
    for step in 0..<100 {
      for write in 0..<4 {
        let above = ["", "p/1/", "p/2/", "p/1/t/3/"].randomElement(using: &numbers) ?? ""
        let path = "\(above)t/\(Int.random(in: 10..<40, using: &numbers))"
        let time = Fixture.time(Int64(step * 4 + write))
        if Int.random(in: 0..<3, using: &numbers) == 0 {
          _ = try store.commit([StoreWrite(Fixture.path(path), .delete)], at: time)
          plain.documents[Fixture.path(path)] = nil
          continue
        }
        var data: [String: Value] = [:]
        for name in ["a", "b", "c"] where Int.random(in: 0..<5, using: &numbers) > 0 {
          data[name] = Self.value(&numbers)
        }
        _ = try store.commit([Fixture.set(path, data)], at: time)
        plain.documents[Fixture.path(path)] = Fixture.map(data)
      }
      for _ in 0..<4 {
        let query = Self.query(&numbers)
        guard Self.isAlike(query.filter), query.collection != nil,
          Fixture.refusal(of: { () throws(Refusal) in try query.check(in: Fixture.id) }) == nil
        else { continue }
        let expected = plain.run(query, query.rulesQuery)
        #expect(try store.run(query).map { $0.path } == expected, "\(query)")
        asked += 1
        found += expected.count
      }
    }
    #expect(asked > 200 && found > 800, "\(asked) queries, \(found) documents")
  }

  /// Names alone: ranges, directions, cursors and limits over one collection.
  @Test(arguments: [41, 42] as [UInt64])
  func scansByNameFindWhatAPlainListHas(_ seed: UInt64) throws {
    var numbers = FixedNumbers(seed: seed)
    let names = (0..<600).filter { _ in Bool.random(using: &numbers) }.map { "\($0)" }
    let store = try Fixture.store(names.map { "t/\($0)" })
    let name = StoreFilter.nameField
    for _ in 0..<200 {
      func some() -> String { "\(Int.random(in: 0..<620, using: &numbers))" }
      let (low, high, from, to) = (some(), some(), some(), some())
      let isDescending = Bool.random(using: &numbers)
      let (isLowIn, isHighIn) = (Bool.random(using: &numbers), Bool.random(using: &numbers))
      var query = StoreQuery(parent: DocumentPath([]), collection: "t")
      query.filter = .and([
        .field(name, isLowIn ? .greaterEqual : .greater, Fixture.reference("t/\(low)")),
        .field(name, isHighIn ? .lessEqual : .less, Fixture.reference("t/\(high)")),
      ])
      query.orders = [Query.Order(name, isDescending: isDescending)]
      let hasCursors = Bool.random(using: &numbers)
      let (start, end) = (Bool.random(using: &numbers), Bool.random(using: &numbers))
      if hasCursors {
        query.start = Cursor(values: [Fixture.reference("t/\(from)")], isBefore: start)
        query.end = Cursor(values: [Fixture.reference("t/\(to)")], isBefore: end)
      }
      query.limit = Bool.random(using: &numbers) ? 5 : nil
      query.offset = Int64.random(in: 0...3, using: &numbers)
      var expected = names.sorted().filter {
        (low < $0 || isLowIn && low == $0) && ($0 < high || isHighIn && $0 == high)
      }
      if isDescending { expected.reverse() }
      if hasCursors {
        expected = expected.filter {
          let isBehind = isDescending ? $0 < from : from < $0
          let isAhead = isDescending ? to < $0 : $0 < to
          return (isBehind || start && $0 == from) && (isAhead || !end && $0 == to)
        }
      }
      expected = Array(expected.dropFirst(Int(query.offset)).prefix(query.limit == nil ? 600 : 5))
      #expect(try store.run(query).map { String($0.path.id) } == expected)
    }
  }
}
