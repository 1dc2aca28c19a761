package import RulesEval
import RulesLang

// Order of numbers, timestamps and durations.

extension Problem {
  /// Returns "the term has the domain's type and is at most `bound`".
  package mutating func atMost(_ term: TermID, in domain: Domain, bound: Int128) -> Ref {
    if let value = terms.value(of: term) {
      return value.count(in: domain).map { $0 <= bound ? .yes : .no } ?? .no
    }
    // A bound outside the range of the type decides the atom.
    let (least, greatest) = domain.range
    if bound < least { return .no }
    if bound >= greatest { return isType(of: term, in: TypeSet(domain.type)) }
    return graph.atom(.atMost(term, domain, bound))
  }

  /// Returns `left < right` or, unless strict, `left <= right`.
  ///
  /// - Requires: Both have the domain's type.
  package mutating func isLess(
    _ left: TermID, than right: TermID, in domain: Domain, isStrict: Bool
  ) -> Ref {
    let step: Int128 = isStrict ? 1 : 0
    if let value = terms.value(of: right)?.count(in: domain) {
      return atMost(left, in: domain, bound: value - step)
    }
    if let value = terms.value(of: left)?.count(in: domain) {
      return !atMost(right, in: domain, bound: value - 1 + step)
    }
    if left == right { return isStrict ? .no : .yes }
    // Only one orientation, so that a comparison and its opposite share an atom.
    if left < right { return graph.atom(.difference(left, right, domain, -step)) }
    return !graph.atom(.difference(right, left, domain, step - 1))
  }

  /// Returns `one <= other + number`; a missing term is zero.
  ///
  /// - Requires: Both terms have the domain's type.
  package mutating func bound(
    _ one: TermID?, by other: TermID?, plus number: Int128, in domain: Domain
  ) -> Ref {
    switch (one, other) {
    case (.some(let one), .none): return atMost(one, in: domain, bound: number)
    case (.none, .some(let other)): return !atMost(other, in: domain, bound: -number - 1)
    case (.some(let one), .some(let other)) where one < other:
      return graph.atom(.difference(one, other, domain, number))
    case (.some(let one), .some(let other)) where other < one:
      return !graph.atom(.difference(other, one, domain, -number - 1))
    default: return number >= 0 ? .yes : .no
    }
  }

  /// Returns `left < right` or, unless strict, `left <= right` of numbers, at least one of them a
  /// float. NaN compares false with everything.
  package mutating func isLessNumber(_ left: TermID, than right: TermID, isStrict: Bool) -> Ref {
    if let bound = terms.value(of: right)?.double {
      return isBelow(left, bound: bound, isStrict: isStrict)
    }
    if let bound = terms.value(of: left)?.double {
      if bound.isNaN { return .no }
      // `c < x` is `!(x <= c)`, but not for NaN.
      return graph.and(!isBelow(right, bound: bound, isStrict: !isStrict), !isNaN(right))
    }
    return graph.and(
      isOrdered(left, before: right, isStrict: isStrict), !isNaN(left), !isNaN(right))
  }

  /// Returns `left < right` or, unless strict, `left <= right` in an uninterpreted total order: of
  /// two different values exactly one precedes the other.
  package mutating func isOrdered(_ left: TermID, before right: TermID, isStrict: Bool) -> Ref {
    if left == right { return isStrict ? .no : .yes }
    let (first, second) = isStrict ? (left, right) : (right, left)
    let precedes = holds(.precedes, of: [first, second])
    let follows = holds(.precedes, of: [second, first])
    require(precedes, implies: graph.and(!follows, !same(left, right)))
    require(follows, implies: graph.and(!precedes, !same(left, right)))
    return isStrict ? precedes : !precedes
  }

  /// Returns "the number is below `bound`" or, unless strict, "at most `bound`".
  mutating func isBelow(_ term: TermID, bound: Double, isStrict: Bool) -> Ref {
    if bound.isNaN { return .no }
    let float = graph.and(
      isType(of: term, in: .float),
      graph.atom(.floatAtMost(term, FloatBound(value: bound, isStrict: isStrict))))
    let int = graph.and(
      isType(of: term, in: .int),
      atMost(term, in: .int, bound: Self.greatestInt(below: bound, isStrict: isStrict)))
    return graph.or(float, int)
  }

  /// Returns the smallest and the largest int whose nearest double is `number`. The range is empty
  /// if there is none.
  package static func ints(roundedTo number: Double) -> (least: Int128, greatest: Int128) {
    (greatestInt(below: number, isStrict: true) + 1, greatestInt(below: number, isStrict: false))
  }

  /// Returns the largest int whose nearest double is below `bound` or, unless strict, at most
  /// `bound`.
  private static func greatestInt(below bound: Double, isStrict: Bool) -> Int128 {
    func fits(_ number: Int64) -> Bool {
      isStrict ? Double(number) < bound : Double(number) <= bound
    }
    guard fits(.min) else { return Int128(Int64.min) - 1 }
    var low = Int64.min
    var high = Int64.max
    if fits(high) { return Int128(high) }
    // Rounding is monotonic, so the ints that fit are a prefix.
    while Int128(high) - Int128(low) > 1 {
      let middle = Int64(clamping: (Int128(low) + Int128(high)) >> 1)
      if fits(middle) { low = middle } else { high = middle }
    }
    return Int128(low)
  }

  /// Returns "the term plus `steps` is within the range of the domain".
  ///
  /// - Requires: The term has the domain's type.
  package mutating func isInRange(_ term: TermID, shiftedBy steps: Int64, in domain: Domain) -> Ref
  {
    let (least, greatest) = domain.range
    return steps >= 0
      ? atMost(term, in: domain, bound: greatest - Int128(steps))
      : !atMost(term, in: domain, bound: least - Int128(steps) - 1)
  }
}

extension Problem {
  /// Adds axioms about `close` pairs: bounds, constants and order of an int carry over to the equal
  /// float.
  package mutating func linkClosePairs() {
    let pairs = closePairs.sorted { ($0.one, $0.other) < ($1.one, $1.other) }
    if pairs.isEmpty { return }
    guard goesOn(graph.atoms.count + terms.count) else { return }
    let atoms = numberAtoms()
    let orders = orders()
    for pair in pairs {
      let close = holds(.close, of: [pair.one, pair.other])
      for (one, other) in [(pair.one, pair.other), (pair.other, pair.one)] {
        let areMixed = graph.and(close, isType(of: one, in: .int), isType(of: other, in: .float))
        let (asked, compared) = (atoms[one] ?? [], orders[other] ?? [])
        let bounds = atoms[other] ?? []
        guard goesOn(asked.count + bounds.count + compared.count) else { return }
        for atom in asked + bounds {
          link(atom, int: one, float: other, close: close, areMixed: areMixed)
        }
        for order in compared {
          linkOrder(order, of: one, and: other, close: close, areMixed: areMixed)
        }
      }
    }
  }

  /// Returns the bounds and equalities of each number.
  private func numberAtoms() -> [TermID: [Atom]] {
    var atoms: [TermID: [Atom]] = [:]
    for atom in graph.atoms {
      switch atom {
      case .atMost(let term, .int, _), .floatAtMost(let term, _):
        if let atom { atoms[term, default: []].append(atom) }
      case .same(let one, let other):
        guard let atom else { continue }
        atoms[one, default: []].append(atom)
        atoms[other, default: []].append(atom)
      case .atMost, .type, .difference, .matches, nil: break
      }
    }
    return atoms
  }

  /// Returns the `precedes` terms of each operand.
  private func orders() -> [TermID: [TermID]] {
    var orders: [TermID: [TermID]] = [:]
    for index in 0..<terms.count {
      guard case .apply(.precedes, let sides) = terms[TermID(index)] else { continue }
      for side in Set(sides) { orders[side, default: []].append(TermID(index)) }
    }
    return orders
  }

  /// Adds: the equal int has the same order as the float.
  private mutating func linkOrder(
    _ order: TermID, of int: TermID, and float: TermID, close: Ref, areMixed: Ref
  ) {
    guard case .apply(_, let sides) = terms[order] else { return }
    let precedes = same(order, terms.yes)
    let isAbove = sides[1] == float
    let other = isAbove ? sides[0] : sides[1]
    if other == int { return require(close, implies: !precedes) }
    let areInts = graph.and(areMixed, isType(of: other, in: .int))
    if areInts == .no { return }
    let isLess =
      isAbove
      ? isLess(other, than: int, in: .int, isStrict: true)
      : isLess(int, than: other, in: .int, isStrict: true)
    // Ints are compared with floats as doubles. Rounding is monotonic, but large different ints may
    // be rounded to one double.
    require(graph.and(areInts, precedes), implies: isLess)
    let areExact = graph.and(isExact(int), isExact(other))
    require(graph.and(areInts, areExact, isLess), implies: precedes)
  }

  /// Adds monotonicity of the mixed order: a float that precedes an int precedes all larger ints,
  /// and one that follows an int follows all smaller ints.
  ///
  /// - Requires: All conditions are compiled.
  package mutating func linkMixedOrder() {
    var compared: [TermID: Set<TermID>] = [:]
    for index in 0..<terms.count {
      guard case .apply(.precedes, let sides) = terms[TermID(index)] else { continue }
      for (float, int) in [(sides[0], sides[1]), (sides[1], sides[0])]
      where terms.types(of: float).contains(.float) && terms.types(of: int).contains(.int) {
        compared[float, default: []].insert(int)
      }
    }
    for float in compared.keys.sorted() {
      let ints = (compared[float] ?? []).sorted()
      if ints.count > SearchStrategy.group { continue }
      for int in ints where goesOn() {
        for other in ints where other != int { linkMixedOrder(of: float, int: int, greater: other) }
      }
    }
  }

  private mutating func linkMixedOrder(of float: TermID, int: TermID, greater: TermID) {
    let areMixed = graph.and(
      isType(of: float, in: .float), isType(of: int, in: .int), isType(of: greater, in: .int))
    if areMixed == .no { return }
    let areInOrder = graph.and(areMixed, isLess(int, than: greater, in: .int, isStrict: false))
    // Rounding to double is monotonic.
    require(
      graph.and(areInOrder, holds(.precedes, of: [float, int])),
      implies: holds(.precedes, of: [float, greater]))
    require(
      graph.and(areInOrder, holds(.precedes, of: [greater, float])),
      implies: holds(.precedes, of: [int, float]))
  }

  /// Returns "the term is an int that may be no double".
  package mutating func canBeRounded(_ term: TermID) -> Ref {
    graph.and(isType(of: term, in: .int), !isExact(term))
  }

  /// Returns "the int is at most 2^53 in magnitude", which guarantees an exact double.
  ///
  /// - Requires: The term is an int.
  private mutating func isExact(_ term: TermID) -> Ref {
    graph.and(
      atMost(term, in: .int, bound: 1 << 53), !atMost(term, in: .int, bound: -(1 << 53) - 1))
  }

  /// Adds the equivalent of an atom for the other one of two equal numbers, an int and a float.
  private mutating func link(
    _ atom: Atom, int: TermID, float: TermID, close: Ref, areMixed: Ref
  ) {
    switch atom {
    case .atMost(int, Domain.int, let bound) where bound.magnitude < 1 << 53:
      let other = Atom.floatAtMost(float, FloatBound(value: Double(bound), isStrict: false))
      require(areMixed, implies: graph.iff(graph.atom(atom), graph.atom(other)))
    case .floatAtMost(float, let bound):
      let greatest = Self.greatestInt(below: bound.value, isStrict: bound.isStrict)
      require(
        areMixed, implies: graph.iff(graph.atom(atom), atMost(int, in: .int, bound: greatest)))
    case .same(int, let constant), .same(let constant, int):
      if terms.value(of: constant)?.neighbours == nil { return }
      require(
        graph.and(close, same(int, constant)), implies: areClose(float, constant))
    case .same, .type, .atMost, .floatAtMost, .difference, .matches: break
    }
  }
}

extension Value {
  /// The other values that are `==` to this number; nil for other values and for finite floats of at least
  /// 2^53 in magnitude, to which several ints may round.
  package var neighbours: [Value]? {
    switch self {
    case .int(0): return [.float(0), .float(-0.0)]
    case .int(let number): return [.float(Double(number))]
    case .float(let number) where number == 0:
      return [.int(0), .float(number.sign == .plus ? -0.0 : 0)]
    case .float(let number) where number.magnitude < 0x1p53:
      return Int64(exactly: number).map { [.int($0)] } ?? []
    case .float(let number): return number.isFinite ? nil : []
    default: return nil
    }
  }
}

extension Domain {
  /// The range of values, in steps.
  package var range: (least: Int128, greatest: Int128) {
    switch self {
    case .int: (Int128(Int64.min), Int128(Int64.max))
    case .timestamp:
      (
        Value.timestamp(.earliest).count(in: .timestamp) ?? 0,
        Value.timestamp(.latest).count(in: .timestamp) ?? 0
      )
    case .duration:
      (
        Int128(Duration.secondsRange.lowerBound) * 1_000_000_000 - 999_999_999,
        Int128(Duration.secondsRange.upperBound) * 1_000_000_000 + 999_999_999
      )
    }
  }
}

extension Value {
  /// The number as a double; nil for other values.
  fileprivate var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number): number
    case .null, .bool, .string, .bytes, .list, .map, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      nil
    }
  }
}

extension Value {
  /// Returns the value in steps of a domain; nil if it has another type.
  package func count(in domain: Domain) -> Int128? {
    switch (domain, self) {
    case (.int, .int(let number)): Int128(number)
    case (.timestamp, .timestamp(let time)):
      Int128(time.epochSeconds) * 1_000_000_000 + Int128(time.nanos)
    case (.duration, .duration(let length)):
      Int128(length.seconds) * 1_000_000_000 + Int128(length.nanos)
    default: nil
    }
  }
}
