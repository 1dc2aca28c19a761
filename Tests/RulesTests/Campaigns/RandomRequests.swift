import RulesEval
import RulesLang

@testable import RulesEncoding
@testable import RulesProof

/// Makes requests of the names and values that `PolicyMaker` uses, and of one name that it does not.
struct RandomRequests {
  var dice: Dice

  private static let values: [Value] = [
    .int(1), .int(2), .float(1), .float(1.5), .float(.nan), .string("alice"), .string("x"),
    .string("bob"), .bool(true), .bool(false), .null, .list([.int(1), .string("x")]), .list([]),
    .list([.string("alice")]), .map(MapValue()), .map(MapValue([("a", .int(1))])),
    .map(MapValue([("a", .int(1)), ("zz", .int(2))])), .string(""), .int(0), .int(-1),
    // Nearly equal to some of these, or to none.
    .list([.float(1), .string("x")]), .list([.int(1), .int(1)]), .list([.float(.nan), .int(1)]),
    .list([.string("x"), .int(2)]), .list([.list([.int(1), .string("x")]), .int(1)]),
    .map(MapValue([("a", .float(1))])), .map(MapValue([("a", .float(.nan))])),
    .map(MapValue([("alice", .map(MapValue([("a", .int(1))])))])), .string("b"), .string("bb"),
    // Equal without being the same: both zeros, and an int that only just has a float of its own.
    .float(0), .float(-0.0), .list([.float(0)]), .list([.float(-0.0)]), .int(1 << 53),
    .int(1 << 53 + 1), .float(0x1p53), .list([.int(1 << 53)]), .list([.float(0x1p53)]),
  ]

  mutating func candidate(_ method: Method) -> CandidateRequest {
    let id = dice.pick(["alice", "bob", "x"] as [Text])
    var candidate = CandidateRequest(
      method: method, access: access(method), path: DocumentPath(["users", id]),
      principal: principal(), time: time())
    switch method {
    case .get, .delete: candidate.before = dice.chance(80) ? document() : nil
    case .list: candidate.before = document()
    case .create: candidate.after = document()
    case .update:
      let before = document()
      candidate.before = before
      candidate.after = dice.chance(70) ? changed(before) : document()
    }
    for name in ["alice", "bob"] as [Text] where dice.chance(50) {
      candidate.others.append(other(DocumentPath(["roles", name]), isWrite: method.isWrite))
    }
    if id != "alice", dice.chance(40) {
      candidate.others.append(other(DocumentPath(["users", "alice"]), isWrite: method.isWrite))
    }
    if method == .list { addFilters(&candidate) }
    return candidate
  }

  /// Another document, which a write may change in the same commit.
  private mutating func other(_ path: DocumentPath, isWrite: Bool) -> CandidateRequest.Other {
    let data = document()
    guard isWrite, dice.chance(40) else {
      return CandidateRequest.Other(path: path, before: data, after: data)
    }
    switch dice.roll(3) {
    case 0: return CandidateRequest.Other(path: path, before: nil, after: data)
    case 1: return CandidateRequest.Other(path: path, before: data, after: nil)
    default: return CandidateRequest.Other(path: path, before: data, after: changed(data))
    }
  }

  private mutating func access(_ method: Method) -> Scenario.Access {
    guard method == .list else { return .document }
    return dice.pick([.query, .query, .namedQuery, .group(below: 0)])
  }

  private mutating func time() -> Timestamp {
    let day = dice.pick([19_000, 20_089, 20_090, 20_091, 21_000])
    return Timestamp(epochSeconds: Int64(day) * 86_400 + Int64(dice.roll(2)), nanos: 0) ?? .epoch
  }

  private mutating func principal() -> Principal? {
    if dice.chance(15) { return nil }
    var claims = MapValue()
    if dice.chance(40) {
      claims["admin"] = dice.pick([.bool(true), .bool(false), .null, .int(1)])
    }
    if dice.chance(40) { claims["role"] = dice.pick([.string("x"), .string("z"), .null]) }
    return Principal(uid: dice.pick(["alice", "bob", "x"]), claims: claims)
  }

  private mutating func document() -> MapValue {
    var map = MapValue()
    for name in ["a", "b", "m", "zz"] as [Text] where dice.chance(name == "zz" ? 25 : 60) {
      map[name] = dice.pick(Self.values)
    }
    return map
  }

  private mutating func changed(_ before: MapValue) -> MapValue {
    var after = before
    for name in ["a", "b", "m", "zz"] as [Text] where dice.chance(25) {
      after[name] = dice.chance(25) ? nil : dice.pick(Self.values)
    }
    return after
  }

  private mutating func addFilters(_ candidate: inout CandidateRequest) {
    guard let data = candidate.before, candidate.access != .namedQuery else { return }
    for (key, value) in data where dice.chance(50) {
      let filter: (Query.Comparison, Value) =
        switch dice.roll(6) {
        case 0...2: (.equal, value)
        case 3: (.notEqual, dice.pick(Self.values))
        case 4: (dice.pick([.less, .lessEqual, .greater, .greaterEqual]), dice.pick(Self.values))
        default: (.in, .list([value, dice.pick(Self.values)]))
        }
      candidate.filters.append(
        CandidateRequest.Filter(field: FieldPath([key]), comparison: filter.0, value: filter.1))
    }
    if dice.chance(20) { candidate.limit = Int64(dice.roll(0...3)) }
  }
}
