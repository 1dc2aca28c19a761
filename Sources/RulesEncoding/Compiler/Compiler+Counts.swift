import RulesEval
package import RulesLang
package import RulesSolver

// Numbers of keys. Each named key counts by itself. For the unnamed keys there are propositions "at least n"
// for each fate, from which the numbers for a map, or for several fates, are composed.

extension Compiler {
  /// The proposition "the set has at least `count` keys", as a cache key.
  struct KeyCount: Hashable {
    /// The set.
    var set: KeySet
    /// The number of keys.
    var count: Int
  }

  /// Returns the rails of a comparison of a set's size with a number.
  package func count(of set: KeySet, compared op: BinaryOperator, with other: Shape, at id: ExprID)
    -> Rails
  {
    guard let number = value(of: other), let bound = Self.bound(number) else {
      return opaqueRails(at: id, reason: "a number of keys compared with a computed number")
    }
    switch op {
    case .equal:
      return total(
        problem.graph.and(hasAtLeast(bound, in: set), !hasAtLeast(bound + 1, in: set)))
    case .notEqual:
      return total(
        !problem.graph.and(hasAtLeast(bound, in: set), !hasAtLeast(bound + 1, in: set)))
    case .less: return total(!hasAtLeast(bound, in: set))
    case .lessEqual: return total(!hasAtLeast(bound + 1, in: set))
    case .greater: return total(hasAtLeast(bound + 1, in: set))
    case .greaterEqual: return total(hasAtLeast(bound, in: set))
    case .or, .and, .in, .add, .subtract, .multiply, .divide, .remainder:
      return opaqueRails(at: id, reason: "a number of keys in another operation")
    }
  }

  /// Returns the int, at least -1, that a set's size compares with exactly as with `number`; nil if there is
  /// none.
  private static func bound(_ number: Value) -> Int? {
    switch number {
    case .int(let number) where number < SearchStrategy.constantParts: return Int(max(-1, number))
    case .float(let number) where number.magnitude < Double(SearchStrategy.constantParts):
      return Int(exactly: number).map { max(-1, $0) }
    default: return nil
    }
  }

  /// Returns the proposition that a set has at least `count` keys: some number of named ones, and the rest
  /// unnamed.
  private func hasAtLeast(_ count: Int, in set: KeySet) -> Ref {
    if count <= 0 { return .yes }
    let question = KeyCount(set: set, count: count)
    if let known = keyCounts[question] { return known }
    let named = sums(set.named, upTo: count)
    let others = unnamedCounts(of: set, upTo: count)
    var parts: [Ref] = []
    for place in 0...count {
      parts.append(problem.graph.and(named[place], others[count - place]))
    }
    let answer = problem.graph.or(parts)
    keyCounts[question] = answer
    return answer
  }

  /// Returns, for each n up to `count`, the proposition that at least n of the propositions hold.
  ///
  /// Since "at least n+1" implies "at least n", each number has a form as a disjunction and one as a
  /// conjunction. The two alternate: the graph flattens nested gates of one kind, and gates with as many
  /// parts as there are propositions would take quadratic time.
  private func sums(_ propositions: [Ref], upTo count: Int) -> [Ref] {
    var sums = [Ref.yes] + Array(repeating: Ref.no, count: count)
    var isDisjunction = true
    for proposition in propositions where proposition != .no {
      for place in stride(from: count, to: 0, by: -1) where sums[place - 1] != .no {
        let (more, fewer) = (sums[place], sums[place - 1])
        sums[place] =
          isDisjunction
          ? problem.graph.or(more, problem.graph.and(fewer, proposition))
          : problem.graph.and(fewer, problem.graph.or(more, proposition))
      }
      isDisjunction.toggle()
    }
    return sums
  }

  // MARK: Unnamed keys

  /// Returns, for each n up to `limit`, the proposition that a set has at least n unnamed keys.
  func unnamedCounts(of set: KeySet, upTo limit: Int) -> [Ref] {
    switch set.origin {
    case .none: [.yes] + Array(repeating: .no, count: limit)
    case .map(let map):
      set.unnamed.isEmpty
        ? [.yes] + Array(repeating: .no, count: limit) : counts(in: map, upTo: limit)
    case .pair(let after, let before):
      counts(of: set.unnamed, after: after, before: before, upTo: limit)
    }
  }

  /// Returns, for each n up to `limit`, the proposition that a map has at least n unnamed keys. In each
  /// comparison with another map, they are those that were added (or removed), changed or kept.
  package func counts(in map: TermID, upTo limit: Int) -> [Ref] {
    let counts = chain(unnamedKey(in: map), with: .kept, in: [map], upTo: limit)
    if counts[min(1, limit)] != .no, counted[map] ?? 1 < limit {
      counted[map] = limit
      linkCounts(of: map, upTo: limit)
    }
    return counts
  }

  /// Links the number of a map's unnamed keys to the numbers by fate in each comparison of the map.
  func linkCounts(of map: TermID, upTo limit: Int) {
    let counts = chain(unnamedKey(in: map), with: .kept, in: [map], upTo: limit)
    for (after, before) in pairs[map] ?? [] where after != before {
      let fates: KeyFates = [map == after ? .added : .removed, .changed, .kept]
      let sums = self.counts(of: fates, after: after, before: before, upTo: limit)
      for (count, sum) in zip(counts, sums) {
        problem.require(count, implies: sum)
        problem.require(sum, implies: count)
      }
    }
  }

  /// Returns, for each n up to `limit`, the proposition that at least n unnamed keys have one of the fates
  /// between two maps.
  private func counts(
    of fates: KeyFates, after: TermID, before: TermID, upTo limit: Int
  ) -> [Ref] {
    var sums = [Ref.yes] + Array(repeating: Ref.no, count: limit)
    for fate in KeyFate.allCases where fates.contains(fate) {
      let counts = chain(
        unnamed(fate, after: after, before: before), with: fate, in: [after, before], upTo: limit)
      sums = (0...limit).map { count in
        problem.graph.or((0...count).map { problem.graph.and(sums[count - $0], counts[$0]) })
      }
    }
    return sums
  }

  /// Returns the propositions "at least 0, 1, 2, … unnamed keys with a fate", each of which implies the one
  /// before.
  ///
  /// - Parameter some: The proposition "at least 1".
  private func chain(
    _ some: Ref, with fate: KeyFate, in maps: [TermID], upTo limit: Int
  ) -> [Ref] {
    var counts = [Ref.yes]
    for count in stride(from: 1, through: limit, by: 1) {
      guard count > 1, some != .no else {
        counts.append(some)
        continue
      }
      let many = !problem.holds(.unnamedFew(count * 16 + 1 << Int(fate.rawValue)), of: maps)
      problem.require(many, implies: counts[count - 1])
      counts.append(many)
    }
    return counts
  }
}
