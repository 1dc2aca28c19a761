import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Neighbourhood search. An unconfirmed request is often nearly right: a list lacks a NaN, or a
// number should be the float that equals an int. So before a query is left undecided, requests near
// the unconfirmed ones are tried. Confirmed ones are valid counterexamples; finding none means
// nothing.

/// Tries requests near unconfirmed ones.
struct NeighbourhoodSearch {
  private let values: [Value]
  private let keys: [Text]
  private var dice = Dice(seed: 1)

  /// Prepares to try requests made of the values and keys of a query.
  init(_ goal: Goal) {
    let terms = goal.compiler.problem.terms
    var pool: [Value] = [.null, .bool(true), .bool(false), .float(.nan), .string(""), .list([])]
    pool += [.map(MapValue()), .int(0), .float(-0.0), .float(.infinity), .int(.max), .int(.min)]
    // A field that no rule names may differ, too.
    var keys: [Text] = ["otherField"]
    for index in 0..<terms.count {
      guard let value = terms.value(of: TermID(index)) else { continue }
      pool.append(value)
      pool += Self.neighbours(of: value)
    }
    for key in goal.compiler.keys {
      if case .string(let text) = terms.value(of: key) { keys.append(text) }
    }
    var seen: Set<ConstantKey> = []
    values = pool.filter { $0.isFieldValue && seen.insert(ConstantKey(of: $0)).inserted }
    self.keys = keys
  }

  /// Returns a confirmed request, or nil. Stops at its share of the budget.
  mutating func find(
    near candidates: [CandidateRequest], attempts: Int, within budget: Budget,
    where confirms: (CandidateRequest) -> Bool
  ) -> CandidateRequest? {
    if candidates.isEmpty { return nil }
    // Steps are left for the work that follows a failed search.
    let last = budget.used + budget.steps / Strategy.share
    for attempt in 0..<attempts {
      if budget.isSpent || budget.used > last { return nil }
      budget.charge(200)
      var candidate = candidates[attempt % candidates.count]
      for _ in 0...dice.roll(4) { change(&candidate) }
      if confirms(candidate) { return candidate }
    }
    return nil
  }

  /// Returns boundary values around a value: adjacent numbers, the equal number of the other type,
  /// a longer string.
  private static func neighbours(of value: Value) -> [Value] {
    switch value {
    case .int(let number):
      return [.float(Double(number))]
        + [Int64(-1), 1].compactMap { step in
          let (sum, isOver) = number.addingReportingOverflow(step)
          return isOver ? nil : .int(sum)
        }
    case .float(let number):
      return [.float(number.nextUp), .float(number.nextDown)]
        + (Int64(exactly: number).map { [.int($0)] } ?? []) + (number == 0 ? [.float(-number)] : [])
    case .string(let text): return [.string(text + Text("a"))]
    case .list(let elements):
      // Only the first elements of long lists. Nested lists may have very many parts.
      return elements.prefix(2).indices.filter { !elements[$0].isList }.flatMap { place in
        neighbours(of: elements[place]).map { other in
          var changed = elements
          changed[place] = other
          return .list(changed)
        }
      }
    default: return []
    }
  }

  // MARK: Changes

  /// Changes a random part.
  mutating func change(_ candidate: inout CandidateRequest) {
    if !candidate.filters.isEmpty, dice.chance(10) { return changeTwins(&candidate) }
    let parts =
      3 + (candidate.principal == nil ? 0 : 1) + candidate.others.count + candidate.filters.count
    switch dice.roll(parts) {
    case 0: candidate.before = candidate.before.map { changed($0, beside: candidate.after) }
    case 1: candidate.after = candidate.after.map { changed($0, beside: candidate.before) }
    case 2: changeBoth(&candidate)
    case let place where place - 3 < candidate.filters.count:
      candidate.filters[place - 3].value = changed(candidate.filters[place - 3].value, depth: 0)
    case let place where place - 3 - candidate.filters.count < candidate.others.count:
      let other = place - 3 - candidate.filters.count
      let isKept = !candidate.others[other].isChanged
      candidate.others[other].before = candidate.others[other].before.map {
        changed($0, beside: nil)
      }
      if isKept {
        candidate.others[other].after = candidate.others[other].before
      } else {
        candidate.others[other].after = candidate.others[other].after.map {
          changed($0, beside: nil)
        }
      }
    default:
      let filtered = candidate.filters.flatMap { $0.value.listElements }
      candidate.principal = candidate.principal.map { changed($0, beside: filtered) }
    }
  }

  /// Puts an int into a filter and a claim, and the equal float into the document: filters treat
  /// them as equal, `in` does not.
  private mutating func changeTwins(_ candidate: inout CandidateRequest) {
    let filter = dice.roll(candidate.filters.count)
    guard case .list = candidate.filters[filter].value, var principal = candidate.principal,
      let field = candidate.filters[filter].field.names.first
    else { return }
    candidate.filters[filter].value = .list([.int(1)])
    candidate.before?[field] = .list([.float(1)])
    let claim = dice.pick(principal.token.keys + keys)
    // The standard claims are determined by the sign-in.
    if case .string(let uid) = principal.uid, Principal(uid: uid).token[claim] != nil { return }
    principal.token[claim] = .int(1)
    candidate.principal = principal
  }

  /// Sets one key to the same value before and after the write.
  private mutating func changeBoth(_ candidate: inout CandidateRequest) {
    guard candidate.before != nil, candidate.after != nil else { return }
    let key = dice.pick(keys)
    let value = dice.chance(15) ? nil : changed(candidate.after?[key] ?? .null, depth: 0)
    candidate.before?[key] = value
    candidate.after?[key] = value
  }

  private mutating func changed(_ map: MapValue, beside other: MapValue?) -> MapValue {
    var map = map
    let names = map.count == 0 || dice.chance(50) ? keys : map.keys
    let key = dice.pick(names)
    switch dice.roll(6) {
    case 0: map[key] = nil
    case 1: map[key] = other?[key] ?? map[key]
    case 2:
      // Another field's value, since conditions compare fields with each other.
      let values = map.values + (other?.values ?? [])
      if !values.isEmpty { map[key] = dice.pick(values) }
    default: map[key] = changed(map[key] ?? .null, depth: 0)
    }
    return map
  }

  /// Changes a claim, sometimes to an element of a list that a filter compares with.
  private mutating func changed(_ principal: Principal, beside filtered: [Value]) -> Principal {
    var principal = principal
    let names = principal.token.keys + keys
    let key = dice.pick(names)
    // The standard claims are determined by the sign-in.
    if case .string(let uid) = principal.uid, Principal(uid: uid).token[key] != nil {
      return principal
    }
    var value = dice.chance(25) ? nil : changed(principal.token[key] ?? .null, depth: 0)
    if !filtered.isEmpty, dice.chance(25) { value = dice.pick(filtered) }
    if value?.isClaimValue ?? true { principal.token[key] = value }
    return principal
  }

  /// Returns another value, or the value with a nested change.
  private mutating func changed(_ value: Value, depth: Int) -> Value {
    if depth < Strategy.valueDepth, dice.chance(60) {
      switch value {
      case .list(var elements) where !elements.isEmpty:
        let place = dice.roll(elements.count)
        if dice.chance(20) {
          elements.remove(at: place)
        } else if dice.chance(25) {
          let value = dice.pick(values)
          if !value.isList { elements.insert(value, at: place) }
        } else {
          elements[place] = changed(elements[place], depth: depth + 1)
        }
        return .list(elements)
      case .map(var map) where map.count > 0:
        let key = dice.pick(map.keys)
        map[key] = changed(map[key] ?? .null, depth: depth + 1)
        return .map(map)
      default: break
      }
    }
    let value = dice.pick(values)
    // Firestore cannot store a list directly inside a list.
    return dice.chance(10) && !value.isList ? .list([value]) : value
  }
}

extension Value {
  /// True if a field of a document can have the value.
  fileprivate var isFieldValue: Bool {
    switch self {
    case .path, .set, .mapDiff, .constraint, .duration: false
    default: true
    }
  }

  /// True if a claim of an ID token, which is JSON, can have the value.
  fileprivate var isClaimValue: Bool {
    switch self {
    case .null, .bool, .int, .string: true
    case .float(let number): number.isFinite
    case .list(let elements): elements.allSatisfy { $0.isClaimValue }
    case .map(let map): map.values.allSatisfy { $0.isClaimValue }
    default: false
    }
  }

  fileprivate var listElements: [Value] {
    if case .list(let elements) = self { return elements }
    return []
  }

  fileprivate var isList: Bool {
    if case .list = self { return true }
    return false
  }
}
