import RulesEval
import RulesLang

// Axioms about the symmetry and transitivity of the predicates `close` and `nearly`. Their terms
// have a canonical order of operands. So if x = y, the terms close(y, z) and close(z, x) may be the
// same question, which congruence closure does not see.

extension Problem {
  /// Adds axioms for `close` and `nearly` terms whose operands may be equal.
  ///
  /// - Requires: All conditions are compiled.
  package mutating func linkAlike() {
    var pairs: [(op: Operator, sides: Pair)] = []
    for index in 0..<terms.count {
      guard case .apply(let op, let sides) = terms[TermID(index)], op == .close || op == .nearly
      else { continue }
      pairs.append((op, Pair(sides[0], sides[1])))
    }
    if pairs.count < 2 { return }
    linkTurned(pairs)
    linkCloseThrees(pairs.filter { $0.op == .close }.map { $0.sides })
  }

  /// Adds symmetry: terms with swapped equal operands are equivalent.
  private mutating func linkTurned(_ pairs: [(op: Operator, sides: Pair)]) {
    let groups = groups()
    let ends = pairs.map { (groups[$0.sides.one.index], groups[$0.sides.other.index]) }
    var known: [Int32: [Int]] = [:]
    for (place, end) in ends.enumerated() { known[end.1, default: []].append(place) }
    for (place, pair) in pairs.enumerated() {
      guard goesOn() else { return }
      guard let others = known[ends[place].0], others.count <= SearchStrategy.group else {
        continue
      }
      for next in others where next != place && ends[next].0 == ends[place].1 {
        let other = pairs[next]
        // If both groups are one, the swapped pair comes up twice.
        guard other.op == pair.op, ends[place].0 != ends[place].1 || next > place else { continue }
        let areTurned = graph.and(
          same(pair.sides.one, other.sides.other), same(pair.sides.other, other.sides.one))
        let questions = [pair, other].map { holds($0.op, of: [$0.sides.one, $0.sides.other]) }
        require(areTurned, implies: graph.iff(questions[0], questions[1]))
      }
    }
  }

  /// Returns for each term the representative of the terms that it may be equal to (union-find).
  private func groups() -> [Int32] {
    var parents = (0..<Int32(terms.count)).map { $0 }
    func root(_ term: TermID) -> Int32 {
      var node = term.raw
      while parents[Int(node)] != node {
        parents[Int(node)] = parents[Int(parents[Int(node)])]
        node = parents[Int(node)]
      }
      return node
    }
    for case .same(let one, let other)? in graph.atoms
    where terms.value(of: one) == nil && terms.value(of: other) == nil {
      let (left, right) = (root(one), root(other))
      if left != right { parents[Int(max(left, right))] = min(left, right) }
    }
    return (0..<terms.count).map { root(TermID($0)) }
  }

  // MARK: Threes

  /// Adds transitivity of `close`, except for ints beyond the exact range of floats.
  private mutating func linkCloseThrees(_ pairs: [Pair]) {
    var neighbours: [TermID: [TermID]] = [:]
    for pair in pairs {
      neighbours[pair.one, default: []].append(pair.other)
      neighbours[pair.other, default: []].append(pair.one)
    }
    for middle in neighbours.keys.sorted() {
      guard goesOn() else { return }
      guard let ends = neighbours[middle], ends.count > 1, ends.count <= SearchStrategy.group else {
        continue
      }
      for (place, first) in ends.enumerated() {
        for last in ends[..<place] where first != last {
          let areClose = [first, last].map {
            holds(.close, of: [min(middle, $0), max(middle, $0)])
          }
          let isExact = graph.or(
            [first, last].flatMap { [!isType(of: $0, in: .int), isSmall($0)] })
          let isEqual = graph.or(same(first, last), self.areClose(first, last))
          require(graph.and(areClose + [isExact]), implies: isEqual)
        }
      }
    }
  }

  /// Returns "no other int is rounded to the same float".
  ///
  /// - Requires: The term is an int.
  private mutating func isSmall(_ term: TermID) -> Ref {
    graph.and(
      atMost(term, in: .int, bound: (1 << 53) - 1), !atMost(term, in: .int, bound: -(1 << 53)))
  }
}
