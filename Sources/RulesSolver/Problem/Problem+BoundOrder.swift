import RulesEval
import RulesLang

// Axioms that relate the order of two numbers to their bounds. Two ints have difference logic for
// this; of other numbers the solver only knows `precedes`.

extension Problem {
  /// Adds the axioms: a number below a bound precedes one that is not, and a number that precedes
  /// one below a bound is below it, too.
  ///
  /// - Requires: All conditions are compiled.
  package mutating func linkBoundedOrder() {
    let pairs = (0..<terms.count).compactMap { index -> (TermID, TermID)? in
      guard case .apply(.precedes, let sides) = terms[TermID(index)],
        sides.allSatisfy({ !terms.types(of: $0).isDisjoint(with: [.int, .float]) })
      else { return nil }
      return (sides[0], sides[1])
    }
    if pairs.isEmpty { return }
    var bounds: [TermID: Set<Double>] = [:]
    for atom in graph.atoms {
      switch atom {
      case .floatAtMost(let term, let bound): bounds[term, default: []].insert(bound.value)
      case .atMost(let term, .int, let bound) where bound.magnitude < 1 << 53:
        // An int that is at most n is below n + 1.
        bounds[term, default: []].formUnion([Double(bound), Double(bound + 1)])
      case .atMost, .same, .type, .difference, .matches, nil: continue
      }
    }
    for (one, other) in pairs {
      let values = (bounds[one] ?? []).union(bounds[other] ?? []).sorted()
      if values.count > SearchStrategy.group { continue }
      for value in values where goesOn() { linkOrder(of: one, before: other, and: value) }
    }
  }

  private mutating func linkOrder(of one: TermID, before other: TermID, and bound: Double) {
    let numbers: TypeSet = [.int, .float]
    let areNumbers = graph.and(
      isType(of: one, in: numbers), isType(of: other, in: numbers),
      graph.and(!isNaN(one), !isNaN(other)))
    if areNumbers == .no { return }
    let precedes = holds(.precedes, of: [one, other])
    let (oneBelow, otherBelow) = (
      isBelow(one, bound: bound, isStrict: true), isBelow(other, bound: bound, isStrict: true)
    )
    let (oneWithin, otherWithin) = (
      isBelow(one, bound: bound, isStrict: false), isBelow(other, bound: bound, isStrict: false)
    )
    require(graph.and(areNumbers, oneBelow, !otherBelow), implies: precedes)
    require(graph.and(areNumbers, oneWithin, !otherWithin), implies: precedes)
    require(graph.and(areNumbers, precedes, otherBelow), implies: oneBelow)
    // Two different ints may be rounded to one double.
    let areInts = graph.and(isType(of: one, in: .int), isType(of: other, in: .int))
    require(graph.and(areNumbers, precedes, otherWithin), implies: graph.or(oneBelow, areInts))
    require(graph.and(areNumbers, precedes, otherWithin), implies: oneWithin)
  }
}
