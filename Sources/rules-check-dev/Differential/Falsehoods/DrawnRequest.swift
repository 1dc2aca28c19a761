import RulesEval
import RulesLang

/// A random request to `/c/{id}`, with the stored documents.
struct DrawnRequest {
  var method: Method
  var principal: Principal?
  var document: DocumentPath
  var before: MapValue?
  var after: MapValue?
  var filters: [Query.Filter] = []

  /// The fields of documents, which expressions read.
  static let fields: [Text] = ["a", "b", "n", "f", "s", "l", "m", "t", "u", "v"]
  /// A user's ID, which is also a field that expressions do not name.
  private static let user: Text = "u1"
  private static let time = Timestamp(epochSeconds: 1_600_000_000) ?? .epoch

  /// Generates a request.
  init(_ dice: inout Dice) {
    method = dice.pick([.get, .get, .create, .update, .update, .delete, .list])
    document = DocumentPath(["c", dice.pick(["u1", "d1"])])
    if dice.chance(70) {
      var claims = MapValue()
      if dice.chance(50) {
        claims["admin"] = dice.pick([.bool(true), .bool(false), .string("yes")])
      }
      if dice.chance(40) { claims["role"] = .string(dice.pick(["a", "b"])) }
      if dice.chance(30) { claims["tags"] = .list([.string("a"), .string("b")]) }
      principal = Principal(uid: dice.pick(["u1", "u2"]), claims: claims)
    }
    if method != .create { before = Self.data(&dice) }
    if method == .create { after = Self.data(&dice) }
    if method == .update { after = Self.changed(before ?? MapValue(), using: &dice) }
    if method == .list, let before {
      for (name, value) in before where dice.chance(60) {
        addFilters(on: FieldPath([name]), value: value, using: &dice)
      }
    }
  }

  /// Adds filters on a field that match its value: mostly an equality, else filters that leave the value
  /// open.
  private mutating func addFilters(on field: FieldPath, value: Value, using dice: inout Dice) {
    if dice.chance(50) { return filters.append(.field(field, .equal, value)) }
    for _ in 0..<dice.roll(1...2) {
      let comparison = dice.pick(Self.comparisons)
      var wanted = dice.pick([value, Self.any(&dice), .int(Int64(dice.roll(4)))])
      if comparison == .arrayContains, case .list(let elements) = value, !elements.isEmpty {
        wanted = dice.pick(elements)
      }
      var query = Query(parent: DocumentPath([Text]()), collection: "c")
      query.filter = .field(field, comparison, wanted)
      if query.returns(
        document, with: MapValue([(field.names[0], value)]), in: .standard),
        let filter = query.filter
      {
        filters.append(filter)
      }
    }
  }

  private static let comparisons: [Query.Comparison] = [
    .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .arrayContains,
  ]

  private static func data(_ dice: inout Dice) -> MapValue {
    var data = MapValue()
    let chance = dice.pick([15, 40, 70])
    for name in fields where dice.chance(chance) { data[name] = value(of: name, using: &dice) }
    if dice.chance(10) { data[user] = any(&dice) }
    return data
  }

  private static func changed(_ data: MapValue, using dice: inout Dice) -> MapValue {
    var data = data
    for _ in 0..<dice.roll(3) {
      let name = dice.chance(10) ? user : dice.pick(fields)
      data[name] = dice.chance(25) ? nil : value(of: name, using: &dice)
    }
    return data
  }

  private static func value(of name: Text, using dice: inout Dice) -> Value {
    if dice.chance(12) { return any(&dice) }
    switch name {
    case "n": return .int(Int64(dice.roll(5)) - 1)
    case "f": return .float(dice.pick([0.5, 1, 2, -0.0, .nan]))
    case "s": return .string(dice.pick(["", "a", "ab", "u1", "d1"]))
    case "l":
      return .list(
        dice.several(0...3) { $0.pick([.string("a"), .string("b"), .int(1), .float(1)]) })
    case "m":
      let entries: [(Text, Value)] = [("a", .int(1)), ("b", .string("u1")), (user, .int(1))]
      return .map(MapValue(entries.filter { _ in dice.chance(60) }))
    case "t": return .timestamp(dice.chance(50) ? time : .epoch)
    case "u": return .string(dice.pick(["u1", "u2", "d1"]))
    default: return any(&dice)
    }
  }

  private static func any(_ dice: inout Dice) -> Value {
    dice.pick([
      .null, .bool(true), .bool(false), .int(1), .int(2), .float(1), .string("a"), .list([]),
      .list([.string("a")]), .map(MapValue()), .bytes([97]),
      .latlng(LatLng(latitude: 1, longitude: 2)),
      .vector([1, 2]), .path(DocumentPath(["c", "d1"]).value(in: .standard)),
    ])
  }

  /// Returns another request of the same client and kind, to the same document.
  func neighbour(_ dice: inout Dice) -> DrawnRequest {
    var other = self
    if dice.chance(20) { other.principal = dice.chance(50) ? nil : Principal(uid: "u1") }
    if other.before != nil, dice.chance(50) || other.after == nil {
      other.before = Self.changed(other.before ?? MapValue(), using: &dice)
    } else if other.after != nil {
      other.after = Self.changed(other.after ?? MapValue(), using: &dice)
    }
    other.filters = []
    return other
  }

  /// The stored documents.
  var documents: Documents { Documents(before.map { [(document, $0)] } ?? []) }

  /// The request.
  var request: Request { Request(principal: principal, time: Self.time, operation: operation) }

  private var operation: Request.Operation {
    switch method {
    case .get: return .get([document])
    case .list:
      var query = Query(parent: DocumentPath([Text]()), collection: "c")
      query.filter = filters.isEmpty ? nil : .and(filters)
      return .list(query)
    case .create:
      return .commit([
        Write(to: document, .set(after ?? MapValue(), mask: nil), precondition: .missing)
      ]
      )
    case .update:
      return .commit([
        Write(to: document, .set(after ?? MapValue(), mask: nil), precondition: .exists)
      ])
    case .delete: return .commit([Write(to: document, .delete)])
    }
  }

  /// True if Firestore accepts such a request, and it accesses the document.
  var isPossible: Bool {
    do throws(Impossibility) {
      try before?.checkStorable()
      try after?.checkStorable()
    } catch {
      return false
    }
    if case .list(let query) = operation {
      return query.returns(document, with: before ?? MapValue(), in: .standard)
    }
    return true
  }

  /// The request as text for reproducing it.
  var text: String {
    JSONText(SuiteWriter.test(name: "", request, on: documents, expect: .allow)).compact
  }
}
