import RulesEval
import RulesLang

// The equalities and the order of the language (Docs/Language.md §7). Each is reduced to `same`,
// plus an uninterpreted predicate for values that are equal without being the same. The axioms
// about these predicates are true of all values.

extension Question {
  /// The types of values that may be unequal to themselves: NaN, and collections that contain one.
  private static let oddTypes: TypeSet = [
    .float, .list, .map, .set, .path, .mapDiff, .vector, .constraint,
  ]

  /// Returns "the term is unequal to itself".
  ///
  /// - Requires: Both terms are the same value.
  mutating func isOdd(_ term: Term, beside other: Term) -> Prop {
    if oddTypes(of: term).isDisjoint(with: oddTypes(of: other)) { return .no }
    for candidate in [term, other] where value(of: candidate) != nil {
      return holds(.odd, of: [candidate])
    }
    let odd = holds(.odd, of: [term])
    require(odd, implies: isType(of: term, in: oddTypes(of: term)))
    return odd
  }

  /// Returns the types of `term` that may be unequal to themselves. Stored paths have no captures,
  /// and stored vectors no NaN.
  private func oddTypes(of term: Term) -> TypeSet {
    let possible = types(of: term).intersection(Self.oddTypes)
    return isData(term) ? possible.subtracting([.set, .path, .mapDiff, .vector]) : possible
  }

  /// Returns "both terms are `==` but not the same value".
  mutating func areClose(_ left: Term, _ right: Term) -> Prop {
    if value(of: left) != nil, value(of: right) != nil { return holds(.close, of: [left, right]) }
    let both = types(of: left).intersection(types(of: right))
    let isMixed = !both.isEmpty || isNumber(left) && isNumber(right)
    // In data only numbers can be; elsewhere also sets, paths with captures, and their containers.
    let wide: TypeSet = isData(left) && isData(right) ? [] : [.set, .path, .list, .map]
    let areNumbers =
      isNumber(left) && isNumber(right)
      && (types(of: left).contains(.float) || types(of: right).contains(.float))
    guard isMixed, areNumbers || !both.isDisjoint(with: wide) else { return .no }
    for (constant, term) in [(left, right), (right, left)] {
      guard let neighbours = value(of: constant)?.neighbours else { continue }
      var cases: [Prop] = []
      for neighbour in neighbours { cases.append(same(term, self.constant(neighbour))) }
      return any(cases)
    }
    let close = holds(.close, of: [min(left, right), max(left, right)])
    var cases = wide.intersection(both).types.map { type in
      all([isType(of: left, in: TypeSet(type)), isType(of: right, in: TypeSet(type))])
    }
    cases.append(
      all([
        isType(of: left, in: Self.numbers), isType(of: right, in: Self.numbers),
        any([isType(of: left, in: .float), isType(of: right, in: .float)]),
      ]))
    require(close, implies: all([!same(left, right), any(cases)]))
    return close
  }

  private func isNumber(_ term: Term) -> Bool {
    !types(of: term).isDisjoint(with: Self.numbers)
  }

  /// Returns `left == right`.
  ///
  /// - Requires: Neither is a promise.
  mutating func equal(_ left: Term, _ right: Term) -> Prop {
    any([identical(left, right), areClose(left, right)])
  }

  /// Returns "both terms are the same value, which is equal to itself".
  mutating func identical(_ left: Term, _ right: Term) -> Prop {
    let same = same(left, right)
    return same == .no ? .no : all([same, !isOdd(left, beside: right)])
  }

  /// Returns the equality of `x in list`: same type, and `==`.
  mutating func areMembers(_ left: Term, _ right: Term) -> Prop {
    if let one = value(of: left), let other = value(of: right) {
      return Value.areMembers(one, other) ? .yes : .no
    }
    let close = areClose(left, right)
    let sameType = types(of: left).intersection(types(of: right)).subtracting(.constraint)
    let areOfOne = sameType.types.map { type in
      all([isType(of: left, in: TypeSet(type)), isType(of: right, in: TypeSet(type))])
    }
    return any([
      all([identical(left, right), !isType(of: left, in: .constraint)]),
      all([close, any(areOfOne)]),
    ])
  }

  /// Returns the equality of sets and of `diff()`.
  mutating func setEqual(_ left: Term, _ right: Term) -> Prop {
    if left == right { return .yes }
    if let one = value(of: left), let other = value(of: right),
      let isEqual = try? Value.areSetEqual(one, other)
    {
      return isEqual ? .yes : .no
    }
    let alike = holds(.alike, of: [min(left, right), max(left, right)])
    // A vector equals the list of its numbers.
    let pairs: [TypeSet] = [
      Self.numbers, [.list, .vector], .map, .set, .path, .mapDiff, .constraint,
    ]
    let shared = isData(left) && isData(right) ? Array(pairs[..<3]) : pairs
    var cases: [Prop] = []
    for types in shared {
      cases.append(all([isType(of: left, in: types), isType(of: right, in: types)]))
    }
    require(alike, implies: all([!same(left, right), any(cases)]))
    // Numbers that are equal for `diff()` are `==`.
    let areNumbers = all([isType(of: left, in: Self.numbers), isType(of: right, in: Self.numbers)])
    require(all([alike, areNumbers]), implies: areClose(left, right))
    return any([same(left, right), alike])
  }

  // MARK: Order

  /// Returns `left < right` or, unless strict, `left <= right`.
  ///
  /// - Requires: Both have the scale's type.
  mutating func isLess(
    _ left: Term, than right: Term, on scale: Scale, isStrict: Bool
  ) -> Prop {
    let step: Int128 = isStrict ? 1 : 0
    if let value = value(of: right)?.count(in: scale) {
      return most(left, on: scale, bound: value - step)
    }
    if let value = value(of: left)?.count(in: scale) {
      return !most(right, on: scale, bound: value - 1 + step)
    }
    return bound(left, by: right, plus: -step, on: scale)
  }

  /// Returns "the term is NaN".
  private mutating func isNaN(_ term: Term) -> Prop {
    all([isType(of: term, in: .float), isOdd(term, beside: term)])
  }

  /// Returns `left < right` or, unless strict, `left <= right` of numbers, at least one of them a
  /// float. NaN compares false with everything.
  mutating func isLessNumber(_ left: Term, than right: Term, isStrict: Bool) -> Prop {
    if let one = value(of: left), let other = value(of: right) {
      let order = Value.order(of: one, and: other)
      return order == .less || !isStrict && order == .equal ? .yes : .no
    }
    if let bound = value(of: right)?.double {
      return isNumber(left, below: bound, isStrict: isStrict)
    }
    if let bound = value(of: left)?.double {
      if bound.isNaN { return .no }
      // `c < x` is `!(x <= c)`, but not for NaN.
      return all([!isNumber(right, below: bound, isStrict: !isStrict), !isNaN(right)])
    }
    return all([isOrdered(left, before: right, isStrict: isStrict), !isNaN(left), !isNaN(right)])
  }

  /// Returns `left < right` or, unless strict, `left <= right` in a total order of values.
  mutating func isOrdered(_ left: Term, before right: Term, isStrict: Bool) -> Prop {
    if left == right { return isStrict ? .no : .yes }
    let (first, second) = isStrict ? (left, right) : (right, left)
    let (before, behind) = (
      holds(.precedes, of: [first, second]), holds(.precedes, of: [second, first])
    )
    require(!all([before, behind]))
    for order in [before, behind] { require(order, implies: !same(left, right)) }
    return isStrict ? before : !before
  }

  /// Returns "the number is below `bound`" or, unless strict, "at most `bound`".
  private mutating func isNumber(_ term: Term, below bound: Double, isStrict: Bool) -> Prop {
    guard let limit = FloatBound(bound, isStrict: isStrict) else { return .no }
    let greatest = limit.greatestInt
    return any([
      all([isType(of: term, in: .float), within(term, bound: limit)]),
      all([isType(of: term, in: .int), most(term, on: .int, bound: greatest)]),
    ])
  }
}

extension FloatBound {
  /// The greatest int whose nearest double is within the bound; `Int64.min - 1` if there is none.
  fileprivate var greatestInt: Int128 {
    guard includes(Double(Int64.min)) else { return Int128(Int64.min) - 1 }
    var (low, high) = (Int128(Int64.min), Int128(Int64.max) + 1)
    // Rounding is monotonic, so the ints within the bound are a prefix.
    while high - low > 1 {
      let middle = (low + high) >> 1
      if includes(Double(Int64(clamping: middle))) { low = middle } else { high = middle }
    }
    return low
  }
}

extension Value {
  /// The number as a double; nil for other values.
  fileprivate var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number): number
    default: nil
    }
  }

  /// The other values that are `==` to this number; nil for other values and for finite floats of at least
  /// 2^53 in magnitude, to which several ints may round.
  fileprivate var neighbours: [Value]? {
    switch self {
    case .int(0): [.float(0), .float(-0.0)]
    case .int(let number): [.float(Double(number))]
    case .float(let number) where number == 0:
      [.int(0), .float(number.sign == .plus ? -0.0 : 0)]
    case .float(let number) where number.magnitude < 0x1p53:
      Int64(exactly: number).map { [.int($0)] } ?? []
    case .float(let number): number.isFinite ? nil : []
    default: nil
    }
  }
}
