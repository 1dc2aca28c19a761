package import RulesEval
import RulesLang

// Order of numbers, times and lengths.

extension Problem {
  /// A term is of a domain's type and at most a bound.
  package mutating func atMost(_ term: TermID, in domain: Domain, bound: Int128) -> Ref {
    if let value = terms.value(of: term) {
      return value.count(in: domain).map { $0 <= bound ? .yes : .no } ?? .no
    }
    // No value of the type is beyond its range.
    let (least, greatest) = domain.range
    if bound < least { return .no }
    if bound >= greatest { return isType(of: term, in: TypeSet(domain.type)) }
    return graph.atom(.atMost(term, domain, bound))
  }

  /// `left < right` or `left <= right`, given that both are of the domain's type.
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
    // One orientation only, so that a comparison and its opposite are one atom.
    if left < right { return graph.atom(.difference(left, right, domain, -step)) }
    return !graph.atom(.difference(right, left, domain, step - 1))
  }

  /// `one <= other + number`, given that both are of the domain; no term stands for zero.
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

  /// `left < right` or `left <= right` of numbers of which at least one is a float. NaN is neither
  /// less nor greater than anything.
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

  /// `left < right` or `left <= right` of values whose order is not counted: of two different ones
  /// exactly one comes first, and `a <= b` is `!(b < a)`.
  package mutating func isOrdered(_ left: TermID, before right: TermID, isStrict: Bool) -> Ref {
    if left == right { return isStrict ? .no : .yes }
    let (first, second) = isStrict ? (left, right) : (right, left)
    let precedes = holds(.precedes, of: [first, second])
    let follows = holds(.precedes, of: [second, first])
    require(precedes, implies: graph.and(!follows, !same(left, right)))
    require(follows, implies: graph.and(!precedes, !same(left, right)))
    return isStrict ? precedes : !precedes
  }

  /// A number is below, or at most, a bound that is a double.
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

  /// The least and the greatest int whose nearest double is a number, if there are such.
  package static func ints(roundedTo number: Double) -> (least: Int128, greatest: Int128) {
    (greatestInt(below: number, isStrict: true) + 1, greatestInt(below: number, isStrict: false))
  }

  /// The greatest int whose nearest double is below, or at most, a bound.
  private static func greatestInt(below bound: Double, isStrict: Bool) -> Int128 {
    func fits(_ number: Int64) -> Bool {
      isStrict ? Double(number) < bound : Double(number) <= bound
    }
    guard fits(.min) else { return Int128(Int64.min) - 1 }
    var low = Int64.min
    var high = Int64.max
    if fits(high) { return Int128(high) }
    // Rounding never changes the order, so the ints that fit come first.
    while Int128(high) - Int128(low) > 1 {
      let middle = Int64(clamping: (Int128(low) + Int128(high)) >> 1)
      if fits(middle) { low = middle } else { high = middle }
    }
    return Int128(low)
  }

  /// A term that is of the domain's type stays within the type's range when shifted.
  package mutating func isInRange(_ term: TermID, shiftedBy steps: Int64, in domain: Domain) -> Ref
  {
    let (least, greatest) = domain.range
    return steps >= 0
      ? atMost(term, in: domain, bound: greatest - Int128(steps))
      : !atMost(term, in: domain, bound: least - Int128(steps) - 1)
  }
}

extension Problem {
  /// Ties what is asked of one of two equal numbers to the other: an int is at most a bound if the
  /// float that equals it is.
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

  /// What is asked of numbers, by the number: bounds, and what else it is the same as.
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

  /// Which terms say what comes before what, by both.
  private func orders() -> [TermID: [TermID]] {
    var orders: [TermID: [TermID]] = [:]
    for index in 0..<terms.count {
      guard case .apply(.precedes, let sides) = terms[TermID(index)] else { continue }
      for side in Set(sides) { orders[side, default: []].append(TermID(index)) }
    }
    return orders
  }

  /// What comes before or after a float does so with the int that equals it.
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
    // Ints are compared with floats as doubles: rounding never turns an order around, but greater
    // ints that differ may be rounded to one double.
    require(graph.and(areInts, precedes), implies: isLess)
    let areExact = graph.and(isExact(int), isExact(other))
    require(graph.and(areInts, areExact, isLess), implies: precedes)
  }

  /// The order of more terms is not looked at in threes.
  static let greatestOrder = 10

  /// What comes before an int comes before a greater one, too, also if it is a float; and what comes
  /// after the greater one comes after both. To be called once all conditions are compiled.
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
      if ints.count > Self.greatestOrder { continue }
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
    // Rounding to a double never turns an order around.
    require(
      graph.and(areInOrder, holds(.precedes, of: [float, int])),
      implies: holds(.precedes, of: [float, greater]))
    require(
      graph.and(areInOrder, holds(.precedes, of: [greater, float])),
      implies: holds(.precedes, of: [int, float]))
  }

  /// A term is an int that may be no double.
  package mutating func canBeRounded(_ term: TermID) -> Ref {
    graph.and(isType(of: term, in: .int), !isExact(term))
  }

  /// An int is a double without rounding, given that it is an int; those further out may be, too.
  private mutating func isExact(_ term: TermID) -> Ref {
    graph.and(
      atMost(term, in: .int, bound: 1 << 53), !atMost(term, in: .int, bound: -(1 << 53) - 1))
  }

  /// Ties an atom about one of two equal numbers, of which `int` may be an int and `float` a float.
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
  /// The other values that are `==` to a number; nil if that is no number, or a float to which several
  /// ints are rounded.
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
  /// The least and the greatest value, in steps.
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
  /// The number as a double; nil for what is no number.
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
  /// The value in the steps of a domain; nil if it is not of its type.
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
