import RulesEncoding
import RulesEval
import RulesLang

/// Generates requests of one kind that nearly meet the conditions. Deterministic for a seed.
struct RequestGenerator {
  /// The kind of request.
  let scenario: Scenario
  /// The seeds found in the text of the rules.
  let seeds: RequestSeeds
  /// The random number generator.
  var dice: Dice

  /// The user ID and path of the present request, for values that depend on them.
  private var uid: Text = "u1"
  private var segments: [Text] = []
  private let time = Timestamp(epochSeconds: 1_700_000_000) ?? .epoch

  /// The name of a field that no rule mentions.
  static let unnamed: Text = "otherField"

  /// Creates a generator.
  init(_ scenario: Scenario, of seeds: RequestSeeds, seed: UInt64) {
    self.scenario = scenario
    self.seeds = seeds
    dice = Dice(seed: seed)
  }

  /// Returns a request from scratch. `number` cycles through kinds of clients, so that a few
  /// requests cover all.
  mutating func candidate(_ number: Int) -> CandidateRequest {
    uid = uids(number)
    segments = path(number)
    var candidate = CandidateRequest(
      method: scenario.method, access: scenario.access, path: DocumentPath(segments),
      principal: number % 4 == 3 ? nil : principal(), time: time, database: seeds.database)
    let isRead = scenario.method == .get || scenario.method == .delete
    let isMissing = scenario.method == .create || isRead && number > 7 && dice.chance(15)
    // The first documents are as the rules seem to want them.
    let style = number < 8 ? [9, 9, 4, 9, 4, 2, 4, 9][number] : nil
    if !isMissing { candidate.before = document(style) }
    if scenario.method == .create { candidate.after = document(style) }
    if scenario.method == .update, let before = candidate.before {
      candidate.after = changed(before)
    }
    if scenario.method == .list { addQuery(to: &candidate) }
    candidate.isNamedInGroup = scenario.access == .namedQuery && !number.isMultiple(of: 2)
    // In every other round of clients, below the collection's own parent.
    if candidate.isNamedInGroup, !(number / 4).isMultiple(of: 2) {
      candidate.namedBelow = segments.count - 2
    }
    return candidate
  }

  /// Returns another document, before and after a commit.
  mutating func other(_ path: DocumentPath) -> CandidateRequest.Other {
    let before = dice.chance(85) ? document() : nil
    guard scenario.method.isWrite, dice.chance(15) else {
      return CandidateRequest.Other(path: path, before: before, after: before)
    }
    let after = before.map { changed($0) } ?? document()
    return CandidateRequest.Other(path: path, before: before, after: dice.chance(85) ? after : nil)
  }

  /// Returns a copy of a request with one change.
  mutating func neighbour(of candidate: CandidateRequest) -> CandidateRequest {
    var candidate = candidate
    segments = candidate.path.segments
    if case .string(let own) = candidate.principal?.uid { uid = own }
    switch dice.roll(10) {
    case 0: candidate.principal = candidate.principal == nil ? principal() : nil
    case 1: candidate.principal = candidate.principal.map { _ in principal() }
    case 2: candidate.principal = candidate.principal.map { changedClaims(of: $0) }
    case 3 where !candidate.others.isEmpty:
      let place = dice.roll(candidate.others.count)
      candidate.others[place] = other(candidate.others[place].path)
    case 4 where candidate.after != nil && candidate.before != nil: changeBoth(&candidate)
    case 5 where !candidate.filters.isEmpty:
      candidate.filters.remove(at: dice.roll(candidate.filters.count))
    case 6 where candidate.after == nil:
      candidate.before = candidate.before.map { changed($0) }
    default:
      if candidate.after != nil, dice.chance(70) {
        candidate.after = candidate.after.map { oneChanged($0) }
      } else {
        candidate.before = candidate.before.map { oneChanged($0) }
      }
    }
    if candidate.method == .list { settleFilters(of: &candidate) }
    return candidate
  }

  // MARK: Who and where

  private mutating func uids(_ number: Int) -> Text {
    guard let compared = seeds.places[RequestSeeds.uidName], number % 4 == 2, dice.chance(50)
    else { return number % 4 == 1 ? "u2" : "u1" }
    let texts = compared.beside.compactMap { text(of: $0) }
    return texts.isEmpty ? "u1" : dice.pick(texts)
  }

  private mutating func path(_ number: Int) -> [Text] {
    let compared =
      seeds.places[RequestSeeds.segmentName]?.beside.compactMap { text(of: $0) } ?? []
    // In most requests the client owns the document.
    let own = dice.chance(number % 4 == 1 ? 25 : 75)
    return scenario.path.map { fixed in
      if let fixed { return fixed }
      if own { return uid }
      return dice.chance(20) && !compared.isEmpty
        ? dice.pick(compared) : dice.pick(["a", "b", "c"])
    }
  }

  private func text(of ingredient: RequestSeeds.Ingredient) -> Text? {
    guard case .constant(let place) = ingredient, place < seeds.constants.count,
      case .string(let text) = seeds.constants[place], !text.isEmpty,
      !text.bytes.contains(UInt8(ascii: "/"))
    else { return nil }
    return text
  }

  /// Returns a signed-in client. `number` cycles through user IDs.
  mutating func client(_ number: Int) -> Principal {
    uid = uids(number)
    defer { uid = "u1" }
    return principal()
  }

  private mutating func principal() -> Principal {
    var claims = MapValue()
    let style = dice.roll(4)
    for name in seeds.claims {
      guard style > 0, dice.chance(style == 1 ? 50 : 85) else { continue }
      if let value = claim(name) { claims[name] = value }
    }
    return Principal(uid: uid, claims: claims)
  }

  private mutating func changedClaims(of principal: Principal) -> Principal {
    guard !seeds.claims.isEmpty else { return principal }
    var principal = principal
    let name = dice.pick(seeds.claims)
    if name == "sub" || name == "user_id" || name == "firebase" { return principal }
    principal.token[name] = dice.chance(30) ? nil : claim(name)
    return principal
  }

  /// Returns a value for a claim, which is JSON; nil for claims determined by the sign-in.
  private mutating func claim(_ name: Text) -> Value? {
    if name == "sub" || name == "user_id" || name == "firebase" { return nil }
    let found = value(name, depth: 0)
    if (try? found.checkClaim(as: name)) != nil { return found }
    return dice.pick([.bool(true), .null, .int(1), .string("a"), .list([.string("a")])])
  }

  // MARK: Documents

  /// Returns a document. The style, 0 to 9, determines which fields it has.
  private mutating func document(_ style: Int? = nil) -> MapValue {
    var map = MapValue()
    var names = seeds.fields
    switch style ?? dice.roll(10) {
    case 0: names = []
    case 1, 2: names = names.filter { _ in dice.chance(50) }
    case 3, 4, 5:
      if !seeds.keyLists.isEmpty {
        names = dice.pick(seeds.keyLists)
        if dice.chance(30), !names.isEmpty { names.remove(at: dice.roll(names.count)) }
      }
    default: break
    }
    if dice.chance(names.isEmpty ? style == nil ? 60 : 100 : 15) { names.append(Self.unnamed) }
    for name in names where map[name] == nil { map[name] = stored(name) }
    return map
  }

  /// Returns a document after an update: usually with one field, or the fields of one key list, changed;
  /// sometimes unchanged or new.
  private mutating func changed(_ map: MapValue) -> MapValue {
    switch dice.roll(10) {
    case 0: return document()
    case 1: return map
    case 2, 3, 4:
      guard !seeds.keyLists.isEmpty else { return oneChanged(map) }
      var map = map
      for name in dice.pick(seeds.keyLists) where dice.chance(70) { map[name] = stored(name) }
      return map
    default: return oneChanged(map)
    }
  }

  private mutating func oneChanged(_ map: MapValue) -> MapValue {
    var map = map
    let names = dice.chance(50) && map.count > 0 ? map.keys : seeds.fields
    let name = names.isEmpty || dice.chance(12) ? Self.unnamed : dice.pick(names)
    // The field usually gets another value; an identical value removes it.
    let old = map[name]
    map[name] = old != nil && dice.chance(25) ? nil : stored(name)
    if let old, let new = map[name], Value.areIdentical(old, new) { map[name] = nil }
    return map
  }

  /// Sets one field to the same value before and after the write.
  private mutating func changeBoth(_ candidate: inout CandidateRequest) {
    guard !seeds.fields.isEmpty else { return }
    let name = dice.pick(seeds.fields)
    let value = dice.chance(20) ? nil : stored(name)
    candidate.before?[name] = value
    candidate.after?[name] = value
  }

  /// Returns a random value for a field; nil if a field of that name cannot store it.
  private mutating func stored(_ name: Text) -> Value? {
    let found = value(name, depth: 0)
    return (try? found.checkStorable(as: name)) == nil ? nil : found
  }

  // MARK: Values

  /// Returns a value for a name, usually one that the rules compare it with.
  mutating func value(_ name: Text, depth: Int) -> Value {
    let place = seeds.places[name]
    let roll = dice.roll(100)
    if depth < Strategy.valueDepth, let fields = place?.fields, !fields.isEmpty, roll < 55 {
      var map = MapValue()
      for inner in fields where dice.chance(80) { map[inner] = value(inner, depth: depth + 1) }
      return .map(map)
    }
    if let inside = place?.inside, !inside.isEmpty, roll < 50 {
      return container(inside, depth: depth)
    }
    if let beside = place?.beside, !beside.isEmpty, roll < 75 {
      let found = value(of: dice.pick(beside), depth: depth)
      return dice.chance(15) ? neighbour(of: found) : found
    }
    if roll < 82 { return .string(dice.chance(60) ? uid : segments.last ?? "a") }
    if roll < 88, !seeds.constants.isEmpty { return dice.pick(seeds.constants) }
    return sample(of: ValueType.allCases[dice.roll(ValueType.allCases.count)])
  }

  /// Returns the value of an ingredient.
  mutating func value(of ingredient: RequestSeeds.Ingredient, depth: Int) -> Value {
    switch ingredient {
    case .constant(let place):
      return place < seeds.constants.count ? seeds.constants[place] : .null
    case .uid: return .string(uid)
    case .segment: return .string(segments.isEmpty ? "a" : dice.pick(segments))
    case .time: return .timestamp(time)
    case .field(let other):
      // A value that the other field is compared with, if any is known.
      guard depth < Strategy.valueDepth, let beside = seeds.places[other]?.beside,
        !beside.isEmpty
      else { return .int(1) }
      return value(of: dice.pick(beside), depth: depth + 1)
    case .sized(let count): return sized(count)
    case .typed(let types):
      let fitting = ValueType.allCases.filter { types.contains(TypeSet($0)) }
      return fitting.isEmpty ? .null : sample(of: dice.pick(fitting))
    }
  }

  /// Returns a list or map with these members, sometimes with one missing or added.
  mutating func container(_ inside: [RequestSeeds.Ingredient], depth: Int) -> Value {
    var values: [Value] = []
    let mode = dice.roll(4)
    for one in inside where mode == 0 || dice.chance(60) {
      let value = value(of: one, depth: depth)
      if case .list = value { continue }
      values.append(value)
    }
    if mode == 1 { values.append(.string("other")) }
    if dice.chance(70) { return .list(values) }
    var map = MapValue()
    for case .string(let key) in values { map[key] = .int(1) }
    return .map(map)
  }

  private mutating func sized(_ count: Int) -> Value {
    switch dice.roll(3) {
    case 0: return .string(Text(String(repeating: "a", count: count)))
    case 1: return .list((0..<count).map { .int(Int64($0)) })
    default:
      return .map(MapValue((0..<count).map { (Text("k\($0)"), .int(1)) }))
    }
  }

  /// Returns a value of a type.
  mutating func sample(of type: ValueType) -> Value {
    switch type {
    case .bool: .bool(dice.chance(60))
    case .int: .int(dice.pick([0, 1, -1, 2, .max, .min]))
    case .float: .float(dice.pick([0.5, 1, -0.0, .nan, .infinity]))
    case .string: .string(dice.pick(["", "a", uid]))
    case .bytes: .bytes([1])
    case .list: .list(dice.pick([[], [.string("a")], [.string(uid)], [.int(1), .int(2)]]))
    case .map: .map(dice.pick([MapValue(), MapValue([("a", .int(1))])]))
    case .timestamp: .timestamp(dice.chance(50) ? time : .epoch)
    case .latlng: .latlng(LatLng(latitude: 1, longitude: 2))
    case .path: .path(DocumentPath(segments).value(in: seeds.database))
    case .vector: .vector([1, 2])
    case .null, .set, .duration, .mapDiff, .constraint: .null
    }
  }

  /// Returns a neighbour of a value, or a random one.
  private mutating func neighbour(of value: Value) -> Value {
    let near = Self.neighbours(of: value)
    return near.isEmpty
      ? sample(of: ValueType.allCases[dice.roll(ValueType.allCases.count)]) : dice.pick(near)
  }

  /// Returns values near a value: adjacent numbers, a number of the other type, a longer string.
  static func neighbours(of value: Value) -> [Value] {
    switch value {
    case .int(let number):
      return [.int(number &+ 1), .int(number &- 1), .float(Double(number))]
    case .float(let number): return [.float(number.nextUp), .float(number.nextDown), .int(0)]
    case .string(let text):
      return [.string(text + Text("a")), .string(""), .list([.string(text)])]
    case .bool(let flag): return [.bool(!flag)]
    case .timestamp(let own):
      return [-1, 1].map {
        .timestamp(Timestamp(epochSeconds: own.epochSeconds + $0) ?? own)
      }
    case .list(let elements):
      return elements.isEmpty ? [.map(MapValue())] : [.list(Array(elements.dropLast()))]
    case .map, .null, .bytes, .latlng, .path, .vector, .set, .duration, .mapDiff, .constraint:
      return []
    }
  }

  // MARK: Queries

  private mutating func addQuery(to candidate: inout CandidateRequest) {
    if dice.chance(30) { candidate.limit = dice.pick([1, 10, 100]) }
    guard scenario.access == .query, let before = candidate.before else { return }
    let style = dice.roll(3)
    for (name, value) in before where style > 0 && dice.chance(style == 1 ? 50 : 90) {
      addFilter(on: name, value: value, to: &candidate)
    }
  }

  private mutating func addFilter(on name: Text, value: Value, to candidate: inout CandidateRequest)
  {
    let field = FieldPath([name])
    switch value {
    case .list(let elements) where dice.chance(60):
      guard let first = elements.first, !candidate.filters.contains(where: { $0.isOfElements })
      else { return }
      candidate.filters.append(
        CandidateRequest.Filter(field: field, comparison: .arrayContains, value: first))
    case .int where dice.chance(30), .timestamp where dice.chance(30):
      candidate.filters.append(
        CandidateRequest.Filter(
          field: field, comparison: dice.pick([.lessEqual, .greaterEqual]), value: value))
    default:
      candidate.filters.append(
        CandidateRequest.Filter(field: field, comparison: .equal, value: value))
    }
  }

  /// Equality filters follow the document that the query is to return.
  private func settleFilters(of candidate: inout CandidateRequest) {
    for place in candidate.filters.indices where candidate.filters[place].comparison == .equal {
      if let value = candidate.before?.value(at: candidate.filters[place].field) {
        candidate.filters[place].value = value
      }
    }
  }
}

extension CandidateRequest.Filter {
  /// True for an `array-contains` filter.
  fileprivate var isOfElements: Bool { comparison == .arrayContains }
}
