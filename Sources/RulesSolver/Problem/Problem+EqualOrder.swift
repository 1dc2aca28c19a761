import RulesEval
import RulesLang

// Axioms about order and equality: two values of which neither precedes the other are equal. Only
// needed for pairs that conditions also compare by `==`.

extension Problem {
  /// Adds the axioms about equality of unordered values, and about the range of ordered types.
  ///
  /// - Requires: All conditions are compiled.
  package mutating func linkEqualOrder() {
    linkSizes()
    var compared: Set<Pair> = []
    var differences: [(one: TermID, other: TermID, domain: Domain, bound: Int128)] = []
    for atom in graph.atoms {
      switch atom {
      case .same(let one, let other)?: compared.insert(Pair(one, other))
      case .difference(let one, let other, let domain, let bound)?:
        differences.append((one, other, domain, bound))
      case .type?, .atMost?, .floatAtMost?, .matches?, .none: continue
      }
    }
    for (one, other, domain, bound) in differences {
      linkRange(of: one, in: domain)
      linkRange(of: other, in: domain)
      // `a - b <= 0` and `a - b <= -1` are a comparison and the opposite one.
      guard bound == 0 || bound == -1, compared.contains(Pair(one, other)) else { continue }
      let isLess = graph.atom(.difference(one, other, domain, -1))
      let isAtMost = graph.atom(.difference(one, other, domain, 0))
      require(graph.and(isAtMost, !isLess), implies: same(one, other))
    }
    compared.formUnion(closePairs)
    for index in 0..<terms.count {
      guard case .apply(.precedes, let sides) = terms[TermID(index)], sides[0] < sides[1],
        compared.contains(Pair(sides[0], sides[1]))
      else { continue }
      linkEqual(sides[0], to: sides[1])
    }
  }

  /// Adds: a size unequal to a constant is less or greater. The string and list solvers use bounds
  /// only.
  private mutating func linkSizes() {
    for case .same(let one, let other)? in graph.atoms {
      for (size, constant) in [(one, other), (other, one)] {
        guard case .apply(.size, _) = terms[size],
          case .int(let number) = terms.value(of: constant)
        else { continue }
        let isLess = atMost(size, in: .int, bound: Int128(number) - 1)
        require(
          graph.or(same(size, constant), isLess, !atMost(size, in: .int, bound: Int128(number))))
      }
    }
  }

  /// Adds the range of timestamps and durations. Ints are left out, since few rules come close to
  /// their range. A sum is a number of steps, which is out of range where the sum is an error.
  private mutating func linkRange(of term: TermID, in domain: Domain) {
    if domain == .int || terms.value(of: term) != nil { return }
    if case .apply(.plus, let arguments) = terms[term] {
      return linkRange(of: arguments[0], in: domain)
    }
    let (least, greatest) = domain.range
    require(!graph.atom(.atMost(term, domain, least - 1)))
    require(
      isType(of: term, in: TypeSet(domain.type)),
      implies: graph.atom(.atMost(term, domain, greatest)))
  }

  private mutating func linkEqual(_ one: TermID, to other: TermID) {
    let isNeither = graph.and(
      !holds(.precedes, of: [one, other]), !holds(.precedes, of: [other, one]))
    for type in [TypeSet.string, .bytes] {
      let both = graph.and(isType(of: one, in: type), isType(of: other, in: type))
      require(graph.and(both, isNeither), implies: same(one, other))
    }
    let numbers: TypeSet = [.int, .float]
    let areNumbers = graph.and(isType(of: one, in: numbers), isType(of: other, in: numbers))
    let isFloat = graph.or(isType(of: one, in: .float), isType(of: other, in: .float))
    if areNumbers == .no || isFloat == .no { return }
    let isOrdered = graph.and(areNumbers, isFloat, graph.and(!isNaN(one), !isNaN(other)))
    require(
      graph.and(isOrdered, isNeither), implies: graph.or(same(one, other), areClose(one, other)))
  }
}
