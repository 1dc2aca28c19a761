import RulesEval
import RulesLang
import RulesSolver

// Numbers and times that satisfy the asserted bounds, order and disequalities.

extension Model {
  /// Returns a value of a class, in steps of a domain.
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
    // The range of the type is not an asserted bound.
    if let bound = lower, bound <= domain.range.least { lower = nil }
    if let bound = upper, bound >= domain.range.greatest { upper = nil }
    if domain == .int {
      let order = order(members)
      if let bound = order.lower { lower = max(lower ?? .min, bound.leastInt) }
      if let bound = order.upper { upper = min(upper ?? .max, bound.greatestInt) }
    }
    // Storage rounds down to its granularity.
    let grain = domain.grain
    let whole = (
      lower: lower?.rounded(toMultipleOf: grain, up: true),
      upper: upper?.rounded(toMultipleOf: grain, up: false)
    )
    if whole.lower ?? .min <= whole.upper ?? .max { (lower, upper) = whole }
    let start: Int128
    let step: Int128
    switch (lower, upper) {
    // A limit of 0 is not a query, so limits are as large as possible.
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
    // Used values are skipped if possible.
    for _ in 0..<Strategy.elements {
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

  /// Returns the time in nanoseconds whose milliseconds are determined; nil if none are.
  private func time(ofMilliseconds members: [TermID]) -> Int128? {
    for term in members.flatMap({ index.builtins[$0] ?? [] }) {
      guard case .apply(.builtin(.timestampToMillis), _) = terms[term] else { continue }
      let leader = theory.leader(of: term).raw
      if let count = shifted[.int]?[leader] { return count * 1_000_000 }
    }
    return nil
  }

  /// Returns the constraints on a string or list. A size determined by differences is exact.
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

  /// Returns a float of a class.
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
    for _ in 0..<Strategy.elements
    where forbidden.contains(ConstantKey(of: .float(value))) || wantsRounding && !value.hasRounded {
      value = value < upper ? value.nextUp : value.nextDown
    }
    return value
  }

  /// True if a number is `==` to one that it is not equal to for `diff()`: an int is rounded to a
  /// float.
  func isRounded(_ term: TermID) -> Bool {
    facts.contains { fact in
      guard case .apply(.close, let sides) = terms[fact] else { return false }
      return sides.contains { isSame($0, term) } && truth(of: .nearly, sides) == false
    }
  }

  /// True if the float must equal a sum with itself as an operand, as only large ones do.
  private func absorbs(_ members: [TermID]) -> Bool {
    members.contains { member in
      guard case .apply(.operation, let arguments) = terms[member] else { return false }
      return arguments.contains { argument in members.contains { isSame($0, argument) } }
    }
  }

  /// Returns the values that a class must differ from.
  func forbidden(_ members: [TermID]) -> Set<ConstantKey> {
    Set(others(than: members).map { ConstantKey(of: $0) })
  }

  /// Returns the nearest known numbers below and above a class.
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

/// A number that bounds another one from below or above.
private struct NumberBound {
  var value: Double
  /// True if the other number must differ from it.
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
  /// True if several ints round to the float: ties round to an even significand.
  fileprivate var hasRounded: Bool { magnitude >= 0x1p53 && significandBitPattern & 1 == 0 }
}

extension Value {
  /// The value of a number; nil for NaN and other types.
  fileprivate var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number) where !number.isNaN: number
    default: nil
    }
  }
}

extension Domain {
  /// The step between values without bounds: one, or for times and durations one second.
  fileprivate var unit: Int128 { self == .int ? 1 : 1_000_000_000 }

  /// The first value without bounds.
  fileprivate var pleasant: Int128 {
    switch self {
    case .int: 100
    // 2025-10-21T09:00:00Z, in nanoseconds.
    case .timestamp: 1_761_037_200_000_000_000
    case .duration: 0
    }
  }
}
