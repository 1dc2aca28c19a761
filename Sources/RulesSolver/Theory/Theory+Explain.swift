import RulesLang

// Explanations: conflicts as sets of nodes.

extension Theory {
  /// Returns the sources of the equality of two terms of one class.
  package func explain(_ left: TermID, equals right: TermID) -> [Source] {
    if left == right { return [] }
    var sources: Set<Source> = []
    var open = [(left, right)]
    var done: Set<[TermID]> = []
    while let (one, other) = open.popLast() {
      if one == other || !done.insert([one, other]).inserted { continue }
      let meeting = meetingPoint(of: one, and: other)
      walk(one, to: meeting, sources: &sources, open: &open)
      walk(other, to: meeting, sources: &sources, open: &open)
    }
    return sources.sorted()
  }

  /// Returns the lowest common ancestor of two terms in the proof forest.
  private func meetingPoint(of one: TermID, and other: TermID) -> Int32 {
    var onPath: Set<Int32> = []
    var node = one.raw
    while node >= 0 {
      onPath.insert(node)
      node = proofParent[Int(node)]
    }
    node = other.raw
    while node >= 0, !onPath.contains(node) { node = proofParent[Int(node)] }
    return node
  }

  private func walk(
    _ term: TermID, to end: Int32, sources: inout Set<Source>,
    open: inout [(TermID, TermID)]
  ) {
    var node = term.raw
    while node != end, node >= 0 {
      switch proofReason[Int(node)] {
      case .asserted(let source): sources.insert(source)
      case .facts(let facts): sources.formUnion(facts)
      case .congruence(let left, let right):
        for pair in zip(terms.arguments(of: left), terms.arguments(of: right)) {
          open.append((pair.0, pair.1))
        }
      case .none: break
      }
      node = proofParent[Int(node)]
    }
  }

  /// Returns sources for "the class of `term` has at most the types `left`", as few as easily
  /// found.
  func typeConflict(_ term: TermID, for left: TypeSet) -> [Source] {
    var facts: [(term: TermID, allowed: TypeSet, source: Source?)] = []
    for member in members(of: leader[term.index]) {
      facts.append((member, terms.types(of: member), nil))
      for fact in typeFacts[member.index] { facts.append((member, fact.allowed, fact.source)) }
    }
    // The most restrictive facts come first: usually two of them suffice.
    facts.sort { $0.allowed.rawValue.nonzeroBitCount < $1.allowed.rawValue.nonzeroBitCount }
    var remaining = TypeSet.any
    var chosen: [(term: TermID, source: Source?)] = []
    for fact in facts {
      let next = remaining.intersection(fact.allowed)
      if next == remaining { continue }
      remaining = next
      chosen.append((fact.term, fact.source))
      if remaining.isSubset(of: left) { break }
    }
    var sources = Set(chosen.compactMap { $0.source })
    if let first = chosen.first {
      for other in chosen.dropFirst() { sources.formUnion(explain(first.term, equals: other.term)) }
      sources.formUnion(explain(first.term, equals: term))
    }
    return sources.sorted()
  }
}
