import RulesEval
import RulesLang

// The equalities of the language, and its order (Docs/Language.md §7). Each is put down to being the
// same value, with a predicate for what else is equal; what is required of these predicates is true of
// all values.

extension Question {
  /// Types of values that may differ from themselves, as NaN does, or what has a NaN inside.
  private static let oddTypes: TypeSet = [
    .float, .list, .map, .set, .path, .mapDiff, .vector, .constraint,
  ]

  /// A term differs from itself, given that it is the same as another.
  mutating func isOdd(_ term: Term, beside other: Term) -> Prop {
    if oddTypes(of: term).isDisjoint(with: oddTypes(of: other)) { return .no }
    for candidate in [term, other] where value(of: candidate) != nil {
      return holds(.odd, of: [candidate])
    }
    let odd = holds(.odd, of: [term])
    require(odd, implies: isType(of: term, in: oddTypes(of: term)))
    return odd
  }

  /// The types that a term can have when it differs from itself: stored paths have no captures, and a
  /// vector with a NaN is not stored.
  private func oddTypes(of term: Term) -> TypeSet {
    let possible = types(of: term).intersection(Self.oddTypes)
    return isData(term) ? possible.subtracting([.set, .path, .mapDiff, .vector]) : possible
  }

  /// Two terms are `==` without being the same value.
  mutating func areClose(_ left: Term, _ right: Term) -> Prop {
    if value(of: left) != nil, value(of: right) != nil { return holds(.close, of: [left, right]) }
    let both = types(of: left).intersection(types(of: right))
    let isMixed = !both.isEmpty || isNumber(left) && isNumber(right)
    // Of data only numbers can be; else also sets, paths with captures, and what holds such.
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

  /// `left == right`, neither being a promise.
  mutating func equal(_ left: Term, _ right: Term) -> Prop {
    any([identical(left, right), areClose(left, right)])
  }

  /// The same value, and one that is equal to itself.
  mutating func identical(_ left: Term, _ right: Term) -> Prop {
    let same = same(left, right)
    return same == .no ? .no : all([same, !isOdd(left, beside: right)])
  }

  /// The equality of `x in list`: the same type and `==`.
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

  /// The equality of sets and of `diff()`.
  mutating func setEqual(_ left: Term, _ right: Term) -> Prop {
    if left == right { return .yes }
    if let one = value(of: left), let other = value(of: right),
      let isEqual = try? Value.areSetEqual(one, other)
    {
      return isEqual ? .yes : .no
    }
    let alike = holds(.alike, of: [min(left, right), max(left, right)])
    // A vector is the list of its numbers.
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

  /// `left < right` or `left <= right`, given that both are of the scale's type.
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

  /// A float is NaN, given that it is a float.
  private mutating func isNaN(_ term: Term) -> Prop {
    all([isType(of: term, in: .float), isOdd(term, beside: term)])
  }

  /// `left < right` or `left <= right` of numbers of which at least one is a float. NaN is neither
  /// less nor greater than anything.
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

  /// `left < right` or `left <= right` of values of which exactly one comes first if they are not
  /// equal.
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

  /// A number is below, or at most, a bound that is a double.
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
  /// The greatest int whose nearest double is within the bound; one less than all if there is none.
  fileprivate var greatestInt: Int128 {
    guard includes(Double(Int64.min)) else { return Int128(Int64.min) - 1 }
    var (low, high) = (Int128(Int64.min), Int128(Int64.max) + 1)
    // Rounding never changes the order, so the ints within the bound come first.
    while high - low > 1 {
      let middle = (low + high) >> 1
      if includes(Double(Int64(clamping: middle))) { low = middle } else { high = middle }
    }
    return low
  }
}

extension Value {
  /// The number as a double; nil for what is no number.
  fileprivate var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number): number
    default: nil
    }
  }

  /// The other values that are `==` to a number; nil if it is none, or one to which several ints are
  /// rounded.
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
