import RulesEval
import RulesLang
import RulesSolver

// Computed keys in key sets, such as the user's ID in a map of members:
// `after.diff(before).affectedKeys().hasOnly([request.auth.uid])`. A computed key is a named key or an
// unnamed one; of the unnamed keys, propositions "at least n" exist for each fate.

extension Compiler {
  /// True if a term can be a key: a constraint of a query's filters cannot.
  func isPlainKey(_ key: TermID) -> Bool {
    problem.terms.isPlain(key) && problem.isType(of: key, in: .constraint) == .no
  }

  /// Returns the proposition that a key is an unnamed member of a set.
  func isUnnamed(_ key: TermID, in set: KeySet) -> Ref {
    var parts = [problem.isType(of: key, in: .string)]
    for name in keys { parts.append(!problem.same(key, name)) }
    let isOther = problem.graph.and(parts)
    if isOther == .no { return .no }
    switch set.origin {
    case .none: return .no
    case .map(let map):
      if set.unnamed.isEmpty || problem.terms.value(of: map) != nil { return .no }
      let isThere = problem.graph.and(isOther, problem.has(map, key: key))
      problem.require(isThere, implies: unnamedKey(in: map))
      return isThere
    case .pair(let after, let before):
      var found: [Ref] = []
      for fate in KeyFate.allCases {
        let isSo = problem.graph.and(isOther, has(key, fate, after: after, before: before))
        problem.require(isSo, implies: unnamed(fate, after: after, before: before))
        if set.unnamed.contains(fate) { found.append(isSo) }
      }
      return problem.graph.or(found)
    }
  }

  /// Returns `hasOnly`, `hasAll` or `hasAny` of a key set and a list or set with computed elements; nil if it
  /// is not interpreted.
  func has(_ method: HasMethod, on set: KeySet, withComputed argument: Shape) -> Cases? {
    guard let elements = listed(argument) else { return nil }
    var known: [Cases] = []
    var computed: [ComputedKey] = []
    for element in elements {
      if constantValues([element]) != nil {
        known.append(element)
      } else if element.cases.count == 1, case .term(let term) = element.cases[0].shape,
        isPlainKey(term)
      {
        computed.append(ComputedKey(term: term, guardRef: element.cases[0].guardRef))
      } else {
        return nil
      }
    }
    guard computed.count <= EncodingStrategy.parts, let other = keySet(of: known) else {
      return nil
    }
    if case .pair(let after, let before) = set.origin { linkDifference(after, from: before) }
    func members() -> [Ref] {
      computed.map { problem.graph.and($0.guardRef, contains(set, computed: $0.term) ?? .no) }
    }
    switch method {
    case .only: return Cases(.truth(isSubset(set, of: other, and: computed)))
    case .all: return Cases(.truth(problem.graph.and(members() + [isSubset(other, of: set)])))
    case .any: return Cases(.truth(problem.graph.or(members() + [meets(set, other)])))
    }
  }

  /// Requires that two maps which `diff()` distinguishes differ in a key.
  private func linkDifference(_ after: TermID, from before: TermID) {
    let fates: KeyFates = [.added, .removed, .changed]
    var cases = [
      !problem.isType(of: after, in: .map), !problem.isType(of: before, in: .map),
      problem.setEqual(after, before),
    ]
    for fate in fates.all {
      cases.append(unnamed(fate, after: after, before: before))
      cases += keys.map { has($0, fate, after: after, before: before) }
    }
    problem.require(problem.graph.or(cases))
  }

  /// A computed key, and the condition that it is an element.
  private struct ComputedKey {
    var term: TermID
    var guardRef: Ref
  }

  /// Returns the proposition that all keys of a set are in another one or among computed keys. The set then
  /// has at most as many unnamed keys as there are computed ones; if it has one, a computed key is it; if it
  /// has two, the two computed keys are these and differ.
  private func isSubset(
    _ set: KeySet, of other: KeySet, and computed: [ComputedKey]
  ) -> Ref {
    var parts: [Ref] = []
    for (place, name) in keys.enumerated() where set.named[place] != .no {
      let others = computed.map { problem.graph.and($0.guardRef, problem.same($0.term, name)) }
      parts.append(
        problem.graph.implies(set.named[place], problem.graph.or(others + [other.named[place]])))
    }
    let counts = unnamedCounts(of: set, upTo: computed.count + 1)
    parts.append(!counts[computed.count + 1])
    let unnamed = computed.map { problem.graph.and($0.guardRef, isUnnamed($0.term, in: set)) }
    parts.append(problem.graph.implies(counts[1], problem.graph.or(unnamed)))
    if computed.count == 2 {
      let areTwo = !problem.same(computed[0].term, computed[1].term)
      parts.append(problem.graph.implies(counts[2], problem.graph.and(unnamed + [areTwo])))
    }
    return problem.graph.and(parts)
  }
}
