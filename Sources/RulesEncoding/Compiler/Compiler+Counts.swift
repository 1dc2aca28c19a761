import RulesEval
package import RulesLang
package import RulesSolver

// Numbers of keys. Of the keys that rules name each counts by itself. Of the others there are
// propositions "at least so many" for each fate, and what is asked of a map or of several fates at once
// is made of these.

extension Compiler {
  /// Whether a set has at least so many keys.
  struct KeyCount: Hashable {
    /// The keys.
    var set: KeySet
    /// How many.
    var count: Int
  }

  /// The number of keys in a set, compared with something.
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

  /// The int between -1 and a greatest one that a number of keys compares with as with a number; nil if
  /// there is none.
  private static func bound(_ number: Value) -> Int? {
    switch number {
    case .int(let number) where number < greatestCount: return Int(max(-1, number))
    case .float(let number) where number.magnitude < Double(greatestCount):
      return Int(exactly: number).map { max(-1, $0) }
    default: return nil
    }
  }

  private static let greatestCount: Int64 = 64

  /// A set has at least so many keys: so many named ones, and as many others as are missing.
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

  /// For each number up to a limit whether at least so many of some propositions hold.
  ///
  /// At least n+1 implies at least n, so that each number is said in two ways, as a disjunction and as a
  /// conjunction. They take turns: a graph melts gates of one kind into each other, and of as many parts
  /// as there are propositions each would take the square of the time.
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

  /// For each number up to a limit whether a set has at least so many keys that nobody names.
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

  /// The same for the keys of a map. If the map is compared with another, they are the keys that
  /// came, changed and stayed, or the keys that went, changed and stayed.
  package func counts(in map: TermID, upTo limit: Int) -> [Ref] {
    let counts = chain(unnamedKey(in: map), with: .kept, in: [map], upTo: limit)
    if counts[min(1, limit)] != .no, counted[map] ?? 1 < limit {
      counted[map] = limit
      linkCounts(of: map, upTo: limit)
    }
    return counts
  }

  /// Ties the number of a map's keys to the numbers of the comparisons that it takes part in.
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

  /// The same for the keys with some fates between two maps.
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

  /// At least none, one, two and so on: each of these implies the one before.
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
