import RulesEval
import RulesLang
import RulesSolver

// Numbers and times within what was asserted of their bounds, their order and what they differ from.

extension Model {
  /// A value of a class, in the steps of a domain.
  func count(for leader: Int32, in domain: Domain, members: [TermID]) -> Int128 {
    if let value = shifted[domain]?[leader] { return value }
    let limits = theory.limits(of: leader, domain)
    if domain == .timestamp, let time = time(ofMilliseconds: members),
      time >= limits.lower?.value ?? domain.range.least,
      time <= limits.upper?.value ?? domain.range.greatest
    {
      return time
    }
    var (lower, upper) = (limits.lower?.value, limits.upper?.value)
    // The ends of what a type has are no bounds of anybody's.
    if let bound = lower, bound <= domain.range.least { lower = nil }
    if let bound = upper, bound >= domain.range.greatest { upper = nil }
    if domain == .int {
      let order = order(members)
      if let bound = order.lower { lower = max(lower ?? .min, bound.leastInt) }
      if let bound = order.upper { upper = min(upper ?? .max, bound.greatestInt) }
    }
    // What is stored in a document is cut to whole steps of storage.
    let grain = domain.grain
    let whole = (
      lower: lower?.rounded(toMultipleOf: grain, up: true),
      upper: upper?.rounded(toMultipleOf: grain, up: false)
    )
    if whole.lower ?? .min <= whole.upper ?? .max { (lower, upper) = whole }
    let start: Int128
    let step: Int128
    switch (lower, upper) {
    // No query asks for nothing.
    case (.some, .some(let upper)) where members.contains { terms[$0] == .variable(.limit) }:
      (start, step) = (upper, -1)
    case (.some(let lower), _): (start, step) = (lower, grain)
    case (.none, .some(let upper)): (start, step) = (upper, -grain)
    case (.none, .none):
      (start, step) = (domain.pleasant + Int128(next()) * domain.unit, domain.unit)
    }
    let forbidden = forbidden(members)
    let wantsRounding = domain == .int && members.contains { isRounded($0) }
    var value = start
    // Values in use are skipped while there is room.
    for _ in 0..<1000 {
      let key = ConstantKey(of: Value.of(value, in: domain))
      let isInside = value <= upper ?? .max && value >= lower ?? .min
      if isInside, !used.contains(key), !forbidden.contains(key),
        !wantsRounding || Int128(exactly: Double(value)) != value
      {
        return value
      }
      value += step
    }
    return start
  }

  /// The time, in nanoseconds, whose milliseconds were compared with other numbers; nil if none were.
  private func time(ofMilliseconds members: [TermID]) -> Int128? {
    for term in members.flatMap({ index.builtins[$0] ?? [] }) {
      guard case .apply(.builtin(.timestampToMillis), _) = terms[term] else { continue }
      let leader = theory.leader(of: term).raw
      if let count = shifted[.int]?[leader] { return count * 1_000_000 }
    }
    return nil
  }

  /// What a text or a list must be like. Where its size was compared with others, it is the one that was
  /// found to fit them.
  func demand(on leader: Int32) -> Theory.TextDemand {
    var demand = theory.demand(on: leader)
    guard let counts = shifted[.int] else { return demand }
    for found in theory.sizes(of: leader) {
      guard let count = counts[found], let size = Int(exactly: count), size >= demand.lower,
        size <= demand.upper ?? .max
      else { continue }
      (demand.lower, demand.upper) = (size, size)
    }
    return demand
  }

  /// A float of a class.
  func float(_ members: [TermID]) -> Double {
    let order = order(members)
    var lower = order.lower?.leastFloat ?? -Double.greatestFiniteMagnitude
    var upper = order.upper?.greatestFloat ?? Double.greatestFiniteMagnitude
    for member in members {
      for fact in theory.floatFacts[member.index] {
        if fact.holds {
          upper = min(upper, fact.bound.isStrict ? fact.bound.value.nextDown : fact.bound.value)
        } else {
          lower = max(lower, fact.bound.isStrict ? fact.bound.value : fact.bound.value.nextUp)
        }
      }
    }
    let plain = absorbs(members) ? 1e300 : Double(next()) + 0.5
    let forbidden = forbidden(members)
    let wantsRounding = members.contains { isRounded($0) }
    var value = plain >= lower && plain <= upper ? plain : lower > -1e300 ? lower : upper
    for _ in 0..<100
    where forbidden.contains(ConstantKey(of: .float(value))) || wantsRounding && !value.hasRounded {
      value = value < upper ? value.nextUp : value.nextDown
    }
    return value
  }

  /// Whether a number is `==` to one that `diff()` does not take for equal: an int is rounded to a float.
  func isRounded(_ term: TermID) -> Bool {
    facts.contains { fact in
      guard case .apply(.close, let sides) = terms[fact] else { return false }
      return sides.contains { isSame($0, term) } && truth(of: .nearly, sides) == false
    }
  }

  /// Whether the float is to be the same after a sum, as only great ones are.
  private func absorbs(_ members: [TermID]) -> Bool {
    members.contains { member in
      guard case .apply(.operation, let arguments) = terms[member] else { return false }
      return arguments.contains { argument in members.contains { isSame($0, argument) } }
    }
  }

  /// The values that a class was asserted to differ from.
  func forbidden(_ members: [TermID]) -> Set<ConstantKey> {
    Set(others(than: members).map { ConstantKey(of: $0) })
  }

  /// The numbers that are known to be before and after a class.
  private func order(_ members: [TermID]) -> (lower: NumberBound?, upper: NumberBound?) {
    var found: (lower: NumberBound?, upper: NumberBound?)
    forEachNeighbour(of: members) { other, isBelow, isEqual in
      guard let value = other.number else { return }
      let bound = NumberBound(value: value, isStrict: !isEqual)
      if isBelow {
        if bound.greatestFloat <= found.upper?.greatestFloat ?? .infinity { found.upper = bound }
      } else if bound.leastFloat >= found.lower?.leastFloat ?? -.infinity {
        found.lower = bound
      }
    }
    return found
  }
}

/// A number that another one is beside, on one side or the other.
private struct NumberBound {
  var value: Double
  /// Whether the other is not the number itself.
  var isStrict: Bool

  var leastFloat: Double { isStrict ? value.nextUp : value }
  var greatestFloat: Double { isStrict ? value.nextDown : value }
  var leastInt: Int128 { whole(leastFloat.rounded(.up)) }
  var greatestInt: Int128 { whole(greatestFloat.rounded(.down)) }

  private func whole(_ number: Double) -> Int128 {
    Int128(Int64(exactly: number) ?? (number < 0 ? .min : .max))
  }
}

extension Double {
  /// Whether ints are rounded to the float: of those halfway between two floats the one that ends in 0.
  fileprivate var hasRounded: Bool { magnitude >= 0x1p53 && significandBitPattern & 1 == 0 }
}

extension Value {
  /// The value of a number that is not NaN.
  fileprivate var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number) where !number.isNaN: number
    default: nil
    }
  }
}

extension Domain {
  /// A step between values that may be stored without being cut.
  fileprivate var unit: Int128 { self == .int ? 1 : 1_000_000_000 }

  /// Where values without bounds begin.
  fileprivate var pleasant: Int128 {
    switch self {
    case .int: 100
    // 2025-10-21T09:00:00Z, in steps of a second.
    case .timestamp: 1_761_037_200_000_000_000
    case .duration: 0
    }
  }
}
