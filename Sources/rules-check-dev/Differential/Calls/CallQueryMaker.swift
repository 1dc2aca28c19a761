import FirestoreWire
import RulesEval
import RulesLang

/// Generates queries as messages: filters, orders, cursors, limits, projections, groups.
struct CallQueryMaker {
  /// The generator of documents and values.
  var values: CallValueMaker

  /// Creates the source of a sequence.
  init(_ dice: Dice) { values = CallValueMaker(dice: dice) }

  /// A query with the path of its parent.
  struct Drawn: Sendable {
    /// The parent: empty for the root.
    var parent: String
    /// The query.
    var query: WireMessage

    /// The query with names in ascending order only, because the official emulator does not let clients
    /// listen to others.
    var withAscendingNames: Drawn {
      var drawn = self
      drawn.query[.structuredQueryOrderBy] = query[.structuredQueryOrderBy].map { order in
        var order = order
        if order[.orderField]?[.fieldReferenceFieldPath] == "__name__" {
          order[.orderDirection] = .ascending
        }
        return order
      }
      return drawn
    }
  }

  private static let places = [
    ("", "a"), ("", "a"), ("", "a"), ("", "b"), ("a/1", "s"), ("", "s"), ("b/2", "s"),
  ]

  /// Returns a query.
  mutating func query() -> Drawn {
    let (parent, collection) = values.dice.pick(Self.places)
    let isGroup = values.dice.chance(15)
    let atRoot = isGroup && values.dice.chance(50)
    let isKindless = values.dice.chance(3)
    var query = WireMessage(.structuredQuery)
    let selector = WireMessage(.collectionSelector) {
      $0[.collectionSelectorCollectionId] = isKindless ? Text() : Text(collection)
      $0[.collectionSelectorAllDescendants] = isGroup
    }
    query[.structuredQueryFrom] = [selector]
    if values.dice.chance(70) { query[.structuredQueryWhere] = filter(depth: 0) }
    let orders = orders()
    query[.structuredQueryOrderBy] = orders
    if values.dice.chance(20) { query[.structuredQueryStartAt] = cursor(orders) }
    if values.dice.chance(15) { query[.structuredQueryEndAt] = cursor(orders) }
    if values.dice.chance(30) { query[.structuredQueryLimit] = Int32(values.dice.roll(0...4)) }
    if values.dice.chance(10) { query[.structuredQueryOffset] = Int32(values.dice.roll(0...3)) }
    if values.dice.chance(15) {
      let count = values.dice.roll(0...2)
      var fields: [WireMessage] = []
      for _ in 0..<count { fields.append(Self.reference(to: values.field())) }
      query[.structuredQuerySelect] = WireMessage(.projection) { $0[.projectionFields] = fields }
    }
    return Drawn(parent: atRoot ? "" : parent, query: query)
  }

  /// Returns some aggregations.
  mutating func aggregations() -> [WireMessage] {
    var all: [WireMessage] = []
    for _ in 0..<values.dice.roll(1...3) {
      let kind = values.dice.roll(5)
      let field = Self.reference(to: kind == 4 ? "m.k" : "x")
      all.append(
        WireMessage(.aggregation) {
          switch kind {
          case 0: $0[.aggregationCount] = WireMessage(.count)
          case 1: $0[.aggregationCount] = WireMessage(.count) { $0[.countUpTo] = 2 }
          case 2: $0[.aggregationAvg] = WireMessage(.avg) { $0[.avgField] = field }
          default: $0[.aggregationSum] = WireMessage(.sum) { $0[.sumField] = field }
          }
        })
    }
    return all
  }

  private static func reference(to field: Text) -> WireMessage {
    WireMessage(.fieldReference) { $0[.fieldReferenceFieldPath] = field }
  }

  // MARK: Orders

  private mutating func orders() -> [WireMessage] {
    var orders: [WireMessage] = []
    for _ in 0..<values.dice.pick([0, 0, 0, 1, 1, 1, 2]) {
      let field = Text(values.dice.pick(["x", "y", "m.k", "z", "owner", "__name__"]))
      let direction: Direction = values.dice.pick([.ascending, .descending])
      orders.append(
        WireMessage(.order) {
          $0[.orderField] = Self.reference(to: field)
          $0[.orderDirection] = direction
        })
    }
    return orders
  }

  private mutating func cursor(_ orders: [WireMessage]) -> WireMessage {
    let most = max(1, orders.count + (values.dice.chance(20) ? 1 : 0))
    var positions: [Value] = []
    for place in 0..<values.dice.roll(1...most) {
      let isName =
        place >= orders.count
        || orders[place][.orderField]?[.fieldReferenceFieldPath] == "__name__"
      positions.append(isName ? values.reference() : values.value())
    }
    let (cursor, isBefore) = (positions, values.dice.chance(50))
    return WireMessage(.cursor) {
      $0[.cursorValues] = cursor
      $0[.cursorBefore] = isBefore
    }
  }

  // MARK: Filters

  private mutating func filter(depth: Int) -> WireMessage {
    let kind = values.dice.roll(100)
    if kind < 20, depth < 2 { return composite(depth: depth) }
    let field = values.field()
    if kind < 28 {
      let op: UnaryOperator = values.dice.pick([.isNull, .isNaN, .isNotNull, .isNotNaN])
      return WireMessage(.filter) {
        $0[.filterUnaryFilter] = WireMessage(.unaryFilter) {
          $0[.unaryFilterOp] = op
          $0[.unaryFilterField] = Self.reference(to: field)
        }
      }
    }
    if kind < 36 { return nameFilter() }
    let op: FieldOperator = values.dice.pick([
      .equal, .equal, .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan,
      .greaterThanOrEqual, .in, .notIn, .arrayContains, .arrayContainsAny,
    ])
    let takesList = op == .in || op == .notIn || op == .arrayContainsAny
    let operand: Value =
      takesList && values.dice.chance(97)
      ? .list(values.list(atLeast: values.dice.chance(10) ? 0 : 1)) : values.value()
    return Self.comparison(field, op, operand)
  }

  private mutating func composite(depth: Int) -> WireMessage {
    var members: [WireMessage] = []
    for _ in 0..<values.dice.roll(1...3) { members.append(filter(depth: depth + 1)) }
    let (filters, op) = (members, values.dice.pick([CompositeOperator.and, .or]))
    return WireMessage(.filter) {
      $0[.filterCompositeFilter] = WireMessage(.compositeFilter) {
        $0[.compositeFilterOp] = op
        $0[.compositeFilterFilters] = filters
      }
    }
  }

  private mutating func nameFilter() -> WireMessage {
    if values.dice.chance(30) {
      let names: [Value] = [values.reference(), values.reference()]
      return Self.comparison("__name__", values.dice.pick([.in, .notIn]), .list(names))
    }
    let op: FieldOperator = values.dice.pick([
      .equal, .greaterThan, .lessThanOrEqual, .lessThan, .greaterThanOrEqual, .notEqual,
    ])
    return Self.comparison("__name__", op, values.reference())
  }

  private static func comparison(
    _ field: Text, _ op: FieldOperator, _ operand: Value
  ) -> WireMessage {
    WireMessage(.filter) {
      $0[.filterFieldFilter] = WireMessage(.fieldFilter) {
        $0[.fieldFilterField] = reference(to: field)
        $0[.fieldFilterOp] = op
        $0[.fieldFilterValue] = operand
      }
    }
  }
}
