import RulesEval

/// Generates stored documents and requests that mostly reach the statements of a rule set: every operation,
/// batches, transforms, merges, present and missing documents, and principals from signed out to
/// administrator.
struct RequestMaker {
  /// The random number generator.
  var dice: Dice
  private let places: [[MadeRules.Segment]]

  /// Creates a generator for rules with statements at some places.
  init(_ dice: Dice, places: [[MadeRules.Segment]]) {
    self.dice = dice
    self.places = places
  }

  // MARK: Paths

  private static let collections = ["c", "c", "d", "u", "a b"]
  private static let ids = ["a", "a", "b", "u1", "x y", "n1", "*"]

  /// Returns the path of a document, mostly one that a statement covers.
  mutating func path() -> String { "/" + segments().joined(separator: "/") }

  /// Returns the path of a collection.
  private mutating func collection() -> String {
    "/" + segments().dropLast().joined(separator: "/")
  }

  private mutating func segments() -> [String] {
    guard !places.isEmpty, dice.chance(88) else {
      return (0..<dice.pick([1, 1, 2])).flatMap { _ in [aCollection(), anID()] }
    }
    var found: [String] = []
    for segment in dice.pick(places) {
      switch segment {
      case .literal(let name): found.append(name)
      case .one: found.append(any(found.count))
      case .many:
        for _ in 0..<dice.pick([0, 1, 1, 2, 2, 3]) { found.append(any(found.count)) }
      }
    }
    if found.isEmpty { found.append(aCollection()) }
    if !found.count.isMultiple(of: 2) { found.append(anID()) }
    return found
  }

  private mutating func any(_ place: Int) -> String {
    place.isMultiple(of: 2) ? aCollection() : anID()
  }

  private mutating func aCollection() -> String { dice.pick(Self.collections) }

  private mutating func anID() -> String { dice.pick(Self.ids) }

  // MARK: Data

  /// Returns the stored documents: those for lookups, and some that requests access.
  mutating func documents() -> [(path: String, data: JSONText)] {
    var paths = ["/c/a", "/c/b", "/d/a", "/u/u1", "/c/a/d/b"].filter { _ in dice.chance(80) }
    for _ in 0..<6 {
      let path = path()
      if !paths.contains(path) { paths.append(path) }
    }
    return paths.map { ($0, .object(fields())) }
  }

  private mutating func fields() -> [(String, JSONText)] {
    ConditionMaker.fields.filter { _ in dice.chance(60) }.map { ($0, value($0)) }
  }

  /// Returns a value for a field, mostly of the field's usual type.
  private mutating func value(_ field: String) -> JSONText {
    switch dice.chance(85) ? field : dice.pick(ConditionMaker.fields) {
    case "x": return dice.pick([.int(1), .int(2), .int(1), .number("1.0"), .int(0)])
    case "o": return dice.pick([.string("u1"), .string("u2"), .string("a"), .null])
    case "l": return dice.pick([.array([]), .array([.int(1)]), .array([.int(1), .string("a")])])
    case "m":
      return dice.pick([
        .object([]), .object([("k", .int(1))]), .object([("k", .object([("k", .int(2))]))]),
        .object([("zeta", .int(1)), ("k", .int(2)), ("alpha", .int(3)), ("owner", .string("c"))]),
      ])
    case "v":
      return dice.pick([
        .array([.int(1), .int(2)]), .array([.number("1.0"), .int(2)]),
        .object([("$vector", .array([.number("1.0"), .number("2.0")]))]),
        .object([("k", .object([("$vector", .array([.number("1.0"), .number("2.0")]))]))]),
      ])
    case "t":
      return dice.pick([
        .object([("$timestamp", .string("2025-01-02T03:04:05.123456Z"))]),
        .object([("$timestamp", .string("2030-01-01T00:00:00Z"))]), .int(5),
      ])
    default: return dice.pick([.string(""), .string("a"), .bool(true), .string("\u{E9}")])
    }
  }

  /// Returns the data of a write, with instructions; an update names nested fields by dotted paths.
  private mutating func written(_ verb: String, merges: Bool) -> JSONText {
    var data = fields()
    for index in data.indices where dice.chance(18) {
      data[index].1 = instruction(canDelete: verb == "update" || merges)
    }
    if verb == "update", dice.chance(25) {
      data.removeAll { $0.0 == "m" }
      data.append(("m.k", dice.chance(70) ? value("x") : instruction(canDelete: true)))
      if dice.chance(50) { data.insert(("m.owner", value("x")), at: 0) }
    }
    if verb != "update", dice.chance(8) {
      data.removeAll { $0.0 == "m" }
      data.append(("m", .object([("k", instruction(canDelete: merges)), ("j", .int(1))])))
    }
    if dice.chance(5) {
      // A name in the same bucket of a hash map as `m`, and a part of `m`.
      data.removeAll { $0.0 == "m" }
      let part: (String, JSONText) =
        verb == "update"
        ? ("m.k", instruction(canDelete: false))
        : ("m", .object([("k", instruction(canDelete: false))]))
      data.insert(part, at: dice.roll(0...data.count))
      data.insert(("M", instruction(canDelete: false)), at: dice.roll(0...data.count))
    }
    if verb == "update" || merges, dice.chance(6) { data = [] }
    if data.isEmpty, verb == "update", dice.chance(50) { data.append(("x", .int(1))) }
    return .object(data)
  }

  private mutating func instruction(canDelete: Bool) -> JSONText {
    switch dice.roll(canDelete ? 6 : 4) {
    case 0: return .object([("$serverTimestamp", .bool(true))])
    case 1: return .object([("$increment", dice.pick([.int(1), .number("0.5"), .int(-2)]))])
    case 2: return .object([("$arrayUnion", .array([.int(1), .string("b")]))])
    case 3: return .object([("$arrayRemove", .array([.int(1)]))])
    default: return .object([("$delete", .bool(true))])
    }
  }

  // MARK: Requests

  /// Returns a request: client and operation.
  mutating func request() -> JSONText { .object(principal() + operation()) }

  /// Returns the client, as the member of a test.
  mutating func principal() -> [(String, JSONText)] {
    switch dice.roll(10) {
    case 0, 1: return []
    case 2: return [("as", .object([("uid", .string("u2"))]))]
    default:
      let claims: [(String, JSONText)] = [
        ("admin", dice.pick([.bool(true), .bool(false), .string("yes")])),
        ("email", .string(dice.pick(["u@x.com", "u@y.com"]))), ("role", .string("w")),
        ("level", dice.pick([.int(2), .number("1.5"), .number("2.0"), .number("1e1")])),
        ("groups", dice.pick([.array([.string("c")]), .array([.number("1.0")])])),
      ].filter { _ in dice.chance(60) }
      let uid = JSONText.string(dice.pick(["u1", "u1", "a"]))
      return [("as", .object([("uid", uid), ("token", .object(claims))]))]
    }
  }

  private mutating func operation() -> [(String, JSONText)] {
    switch dice.roll(20) {
    case 0..<5: return [("get", .string(path()))]
    case 5:
      var paths: [String] = []
      for _ in 0..<dice.roll(2...3) {
        let path = path()
        if !paths.contains(path) { paths.append(path) }
      }
      return [("batchGet", .array(paths.map { .string($0) }))]
    case 6..<8:
      var query: [(String, JSONText)] = []
      if dice.chance(50) {
        let field = dice.pick(ConditionMaker.fields)
        query.append(("where", .array([.array([.string(field), .string("=="), value(field)])])))
      }
      if dice.chance(40) { query.append(("limit", .int(dice.roll(1...12)))) }
      return [("list", .string(collection())), ("query", .object(query))]
    case 8..<10: return batch()
    default: return write(path())
    }
  }

  private mutating func write(_ path: String) -> [(String, JSONText)] {
    let verb = dice.pick(["create", "create", "set", "set", "update", "update", "delete"])
    if verb == "delete" { return [("delete", .string(path))] }
    var members: [(String, JSONText)] = [(verb, .string(path))]
    let merges = verb == "set" && dice.chance(40)
    members.append(("data", written(verb, merges: merges)))
    if merges {
      let fields = ConditionMaker.fields.filter { _ in dice.chance(50) } + ["x"]
      let isListed = dice.chance(30)
      members.append(
        ("merge", isListed ? .array(Set(fields).sorted().map { .string($0) }) : .bool(true)))
    }
    return members
  }

  /// Returns a batch, in which sometimes several writes have one document.
  private mutating func batch() -> [(String, JSONText)] {
    var paths: [String] = []
    let writes = (0..<dice.roll(1...4)).map { _ -> JSONText in
      let path = dice.chance(20) && !paths.isEmpty ? dice.pick(paths) : path()
      paths.append(path)
      return .object(write(path))
    }
    return [("batch", .array(writes))]
  }
}
