import RulesEval

/// Generates list queries: filters of every operator on values of every type, several at once, OR, collection
/// groups, ancestors, order, limit and offset, and filters on `__name__`.
struct QueryMaker {
  /// The random number generator.
  private var dice: Dice

  /// Creates a generator.
  init(_ dice: Dice) { self.dice = dice }

  /// Returns a list request, as a test without its expectation.
  mutating func request() -> JSONText {
    var members: [(String, JSONText)] = []
    if dice.chance(85) { members.append(("as", .object([("uid", .string("u1"))]))) }
    let collection = dice.pick(["/c", "/c", "/c", "/d", "/c/a/d", "/c/a/d", "/c/zz/d", "/e"])
    members.append(("list", .string(collection)))
    if dice.chance(25) { members.append(("collectionGroup", .bool(true))) }
    var query: [(String, JSONText)] = []
    let count = dice.pick([0, 1, 1, 1, 1, 2, 2, 3])
    if count > 0 {
      var conditions = (0..<count).map { _ in condition(2) }
      if dice.chance(20) { repeatOne(of: &conditions) }
      query.append(("where", .array(conditions)))
    }
    if dice.chance(25) { query.append(("orderBy", .array(orders()))) }
    if dice.chance(40) { query.append(("limit", .int(dice.pick([1, 5, 10, 11, 100])))) }
    if dice.chance(15) { query.append(("offset", .int(dice.pick([0, 1, 5])))) }
    if !query.isEmpty { members.append(("query", .object(query))) }
    return .object(members)
  }

  /// Adds a condition equal to an earlier one, with its values or parts in another order, possibly inside a
  /// conjunction.
  private mutating func repeatOne(of conditions: inout [JSONText]) {
    let field = dice.pick(["x", "o"])
    let values = several { $0.value(field) }
    let again = dice.chance(80) ? Array(values.reversed()) : values + [value(field)]
    let parts = again.map { triple(field, "==", $0) }
    conditions.append(triple(field, "in", .array(values)))
    let copy =
      dice.chance(50) ? triple(field, "in", .array(again)) : .object([("or", .array(parts))])
    conditions.append(
      dice.chance(70) ? copy : .object([("and", .array([copy, plainFilter("b")]))]))
  }

  private mutating func orders() -> [JSONText] {
    var names: [String] = []
    for _ in 0..<dice.pick([1, 1, 2]) {
      let name = dice.pick(["x", "x", "o", "__name__", "m.k"])
      if !names.contains(name) { names.append(name) }
    }
    return names.map { name in
      dice.chance(40)
        ? .array([.string(name), .string(dice.pick(["desc", "asc"]))]) : .string(name)
    }
  }

  // MARK: Filters

  private mutating func condition(_ depth: Int) -> JSONText {
    if depth > 0, dice.chance(14) {
      let word = dice.chance(70) ? "or" : "and"
      return .object([(word, .array((0..<dice.roll(1...3)).map { _ in condition(depth - 1) }))])
    }
    if dice.chance(8) { return name() }
    let field = dice.pick(["x", "x", "x", "o", "o", "t", "m.k", "m", "b", "secret"])
    return field == "t" ? arrayFilter() : plainFilter(field)
  }

  private mutating func arrayFilter() -> JSONText {
    switch dice.roll(8) {
    case 0..<4: return triple("t", "array-contains", element())
    case 4..<7: return triple("t", "array-contains-any", .array(several { $0.element() }))
    default: return triple("t", "==", .array([element()]))
    }
  }

  private mutating func element() -> JSONText {
    dice.pick([.string("p"), .string("q"), .int(1), .number("1.0"), .string("z"), .null])
  }

  private mutating func plainFilter(_ field: String) -> JSONText {
    switch dice.roll(20) {
    case 0..<7: return triple(field, "==", value(field))
    case 7..<9: return triple(field, "!=", value(field))
    case 9..<15: return triple(field, dice.pick(["<", "<=", ">", ">="]), value(field))
    case 15..<18: return triple(field, "in", .array(several { $0.value(field) }))
    case 18: return triple(field, "not-in", .array(several { $0.value(field) }))
    default: return triple(field, "array-contains", value(field))
    }
  }

  private mutating func several(_ make: (inout Self) -> JSONText) -> [JSONText] {
    (0..<dice.pick([1, 2, 2, 3])).map { _ in make(&self) }
  }

  private func triple(_ field: String, _ comparison: String, _ value: JSONText) -> JSONText {
    .array([.string(field), .string(comparison), value])
  }

  private mutating func value(_ field: String) -> JSONText {
    if dice.chance(14) { return odd() }
    switch field {
    case "x", "m.k":
      return dice.pick([
        .int(1), .int(1), .int(2), .int(0), .int(3), .number("1.0"), .number("1.5"),
        .number("2.5"), .int(-1), .number("9007199254740993"),
      ])
    case "o": return .string(dice.pick(["u1", "u1", "u2", "a", ""]))
    case "b": return .bool(dice.chance(60))
    case "m": return dice.pick([.object([]), .object([("k", .int(1))])])
    default: return dice.pick([.bool(true), .bool(false), .int(1)])
    }
  }

  private mutating func odd() -> JSONText {
    dice.pick([
      .null, .object([("$float", .string("NaN"))]), .bool(true), .string("p"), .int(1),
      .object([("$timestamp", .string("2025-01-01T00:00:00Z"))]), .array([.int(1)]),
      .object([("$bytes", .string("YWI="))]), .object([("$ref", .string("/c/a"))]),
      .object([("$latlng", .array([.number("1.0"), .number("2.0")]))]),
      .object([("$vector", .array([.number("1.0")]))]), .object([("k", .int(1))]),
    ])
  }

  private mutating func name() -> JSONText {
    let id: JSONText =
      dice.chance(60)
      ? .string(dice.pick(["a", "b", "missing"]))
      : .object([("$ref", .string(dice.pick(["/c/a", "/d/a", "/c/a/d/b", "/c/missing"])))])
    switch dice.roll(6) {
    case 0..<3: return triple("__name__", "==", id)
    case 3: return triple("__name__", "in", .array([id, .string("b")]))
    case 4: return triple("__name__", dice.pick(["<", ">", ">=", "<="]), id)
    default: return triple("__name__", "!=", id)
    }
  }
}
