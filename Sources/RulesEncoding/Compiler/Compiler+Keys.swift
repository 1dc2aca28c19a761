import RulesEval
package import RulesLang
package import RulesSolver

// Key sets: `keys()`, `diff()` and their methods.

extension Compiler {
  /// Returns the keys of a map.
  func keySet(of map: TermID) -> KeySet {
    var named: [Ref] = []
    for key in keys { named.append(problem.has(map, key: key)) }
    _ = unnamedKey(in: map)
    return KeySet(origin: .map(map), named: named, unnamed: [.kept])
  }

  /// Returns a literal set of keys; nil unless all elements are named keys.
  func keySet(of elements: [Cases]) -> KeySet? {
    guard let values = constantValues(elements) else { return nil }
    return keySet(of: values)
  }

  func keySet(of values: [Value]) -> KeySet? {
    var named = Array(repeating: Ref.no, count: keys.count)
    for value in values {
      let term = problem.constant(value)
      guard let place = keys.firstIndex(of: term) else { return nil }
      named[place] = .yes
    }
    return KeySet(origin: nil, named: named, unnamed: [])
  }

  /// Returns the keys with some fates between two maps.
  func keySet(
    after: TermID, before: TermID, fates: KeyFates
  ) -> KeySet {
    compare(after, with: before)
    let origin = KeySet.Origin.pair(after: after, before: before)
    if let known = keySets.first(where: { $0.unnamed == fates && $0.origin == origin }) {
      return known
    }
    let wanted = fates.all
    let named = keys.map { key -> Ref in
      problem.graph.or(wanted.map { has(key, $0, after: after, before: before) })
    }
    let set = KeySet(origin: origin, named: named, unnamed: fates)
    // A set that the budget cut short is not cached.
    if !isCutShort { keySets.append(set) }
    return set
  }

  /// Returns the proposition that a key has a fate between two maps.
  func has(_ key: TermID, _ fate: KeyFate, after: TermID, before: TermID) -> Ref {
    let isAfter = problem.has(after, key: key)
    let isBefore = problem.has(before, key: key)
    let isSame = isSame(key, after: after, before: before)
    return switch fate {
    case .added: problem.graph.and(isAfter, !isBefore)
    case .removed: problem.graph.and(!isAfter, isBefore)
    case .changed: problem.graph.and(isAfter, isBefore, !isSame)
    case .kept: problem.graph.and(isAfter, isBefore, isSame)
    }
  }

  /// Returns the proposition that both maps have a key, with values that `diff()` considers equal.
  private func isSame(_ key: TermID, after: TermID, before: TermID) -> Ref {
    let isThere = problem.graph.and(problem.has(after, key: key), problem.has(before, key: key))
    if isThere == .no { return .no }
    let new = problem.field(of: after, at: key, types: memberTypes(of: after))
    let old = problem.field(of: before, at: key, types: memberTypes(of: before))
    return problem.setEqual(new, old)
  }

  // MARK: Unnamed keys

  /// Returns the proposition that some unnamed key has a fate between two maps.
  package func unnamed(_ fate: KeyFate, after: TermID, before: TermID) -> Ref {
    problem.holds(.unnamed(fate), of: [after, before])
  }

  /// Returns the proposition that a map has an unnamed key.
  package func unnamedKey(in map: TermID) -> Ref {
    // All keys of a constant are named.
    if problem.terms.value(of: map) != nil { return .no }
    if scene.scenario.method == .update, map == scene.after || map == scene.before {
      compare(scene.after, with: scene.before)
    }
    return problem.holds(.unnamedKey, of: [map])
  }

  /// Records that two maps are compared, and requires that a map has an unnamed key exactly if a key has a
  /// fate that puts it there.
  private func compare(_ after: TermID, with before: TermID) {
    if pairs[after, default: []].contains(where: { $0.after == after && $0.before == before }) {
      return
    }
    pairs[after, default: []].append((after, before))
    pairs[before, default: []].append((after, before))
    let isAfter = problem.graph.or(
      [KeyFate.added, .changed, .kept].map { unnamed($0, after: after, before: before) })
    let isBefore = problem.graph.or(
      [KeyFate.removed, .changed, .kept].map { unnamed($0, after: after, before: before) })
    let changes = [KeyFate.added, .removed, .changed].map {
      !unnamed($0, after: after, before: before)
    }
    problem.require(problem.same(after, before), implies: problem.graph.and(changes))
    for (map, present) in [(after, isAfter), (before, isBefore)] {
      let key = problem.terms.value(of: map) == nil ? problem.holds(.unnamedKey, of: [map]) : .no
      problem.require(key, implies: present)
      problem.require(present, implies: key)
      if let count = counted[map] { linkCounts(of: map, upTo: count) }
    }
  }

  /// Returns the proposition that a set contains an unnamed key.
  private func unnamedMember(of keys: KeySet) -> Ref {
    switch keys.origin {
    case .none: .no
    case .map(let map): keys.unnamed.isEmpty ? .no : unnamedKey(in: map)
    case .pair(let after, let before):
      problem.graph.or(
        keys.unnamed.all.map { unnamed($0, after: after, before: before) })
    }
  }

  // MARK: Queries

  /// Returns the proposition that a set contains a key; nil for a string that is not a named key.
  package func contains(_ set: KeySet, key: TermID) -> Ref? {
    if let place = keys.firstIndex(of: key) { return set.named[place] }
    guard let value = problem.terms.value(of: key) else { return nil }
    if case .string = value { return nil }
    return .no
  }

  /// Returns the proposition that a set contains a computed key; nil if the key may be a constraint of a
  /// query's filters.
  package func contains(_ set: KeySet, computed key: TermID) -> Ref? {
    guard isPlainKey(key) else { return nil }
    if case .map(let map) = set.origin, problem.terms.value(of: map) == nil,
      set == keySet(of: map)
    {
      return problem.graph.and(problem.isType(of: key, in: .string), problem.has(map, key: key))
    }
    let named = zip(keys, set.named).map { name, isIn in
      problem.graph.and(problem.same(key, name), isIn)
    }
    return problem.graph.or(named + [isUnnamed(key, in: set)])
  }

  /// Returns the rails of the equality of two key sets.
  package func equality(of one: KeySet, and other: KeySet, at id: ExprID) -> Rails {
    guard one.origin == other.origin || one.origin == nil || other.origin == nil else {
      return opaqueRails(at: id, reason: "comparing the keys of different maps")
    }
    var parts = zip(one.named, other.named).map { problem.graph.iff($0.0, $0.1) }
    let origin = one.origin ?? other.origin
    for fate in KeyFate.allCases where one.unnamed.contains(fate) != other.unnamed.contains(fate) {
      parts.append(
        !unnamedMember(of: KeySet(origin: origin, named: [], unnamed: KeyFates(fate))))
    }
    return total(problem.graph.and(parts))
  }

  /// Returns the rails of the equality of `keys()` with a list. Keys are sorted and distinct, so an equal
  /// list is, too.
  package func equality(keyList set: KeySet, and term: TermID, at id: ExprID) -> Rails {
    guard case .list(let values) = problem.terms.value(of: term) else {
      return isNever(term, of: .list)
        ? total(.no) : opaqueRails(at: id, reason: "comparing a list of keys")
    }
    var texts: [Text] = []
    for value in values {
      guard case .string(let text) = value else { return total(.no) }
      texts.append(text)
    }
    for (one, next) in zip(texts, texts.dropFirst())
    where !Text.precedesByCodePoint(one, next) {
      return total(.no)
    }
    guard let literal = keySet(of: values) else {
      return opaqueRails(at: id, reason: "a key that is computed")
    }
    return equality(of: set, and: literal, at: id)
  }

  /// Returns `hasOnly`, `hasAll` or `hasAny` of a set or list of keys.
  package func has(_ method: HasMethod, on set: KeySet, with argument: Shape, at id: ExprID)
    -> Cases
  {
    guard let other = keySet(of: argument) else {
      return has(method, on: set, withComputed: argument)
        ?? opaque(at: id, reason: "a computed list of keys")
    }
    guard other.origin == nil || other.origin == set.origin else {
      return opaque(at: id, reason: "comparing the keys of different maps")
    }
    switch method {
    case .only: return Cases(.truth(isSubset(set, of: other)))
    case .all: return Cases(.truth(isSubset(other, of: set)))
    case .any: return Cases(.truth(meets(set, other)))
    }
  }

  /// One of the three inclusion methods.
  package enum HasMethod {
    case only, all, any

    /// The method that asks the same with receiver and argument exchanged.
    var mirrored: HasMethod {
      switch self {
      case .only: .all
      case .all: .only
      case .any: .any
      }
    }
  }

  /// Returns the proposition that a set is a subset of another one.
  func isSubset(_ one: KeySet, of other: KeySet) -> Ref {
    var parts = zip(one.named, other.named).map { problem.graph.implies($0.0, $0.1) }
    let rest = one.unnamed.subtracting(other.unnamed)
    parts.append(!unnamedMember(of: KeySet(origin: one.origin, named: [], unnamed: rest)))
    return problem.graph.and(parts)
  }

  /// Returns the proposition that two sets have a common key.
  func meets(_ one: KeySet, _ other: KeySet) -> Ref {
    var parts = zip(one.named, other.named).map { problem.graph.and($0.0, $0.1) }
    let shared = one.unnamed.intersection(other.unnamed)
    parts.append(unnamedMember(of: KeySet(origin: one.origin, named: [], unnamed: shared)))
    return problem.graph.or(parts)
  }

  /// Returns a list or set as a key set: the keys of a map, or a literal of named keys; nil for others.
  private func keySet(of shape: Shape) -> KeySet? {
    switch shape {
    case .keySet(let keys), .keyList(let keys): return keys
    case .list(let elements), .set(let elements): return keySet(of: elements)
    case .term(let term):
      switch problem.terms.value(of: term) {
      case .list(let values): return keySet(of: values)
      case .set(let set): return keySet(of: set.elements)
      default: return nil
      }
    case .truth, .record, .view, .path, .count, .diff: return nil
    }
  }

  /// Returns the union, intersection or difference of key sets.
  package func combined(
    _ builtin: Builtin, of one: KeySet, and argument: Shape, at id: ExprID
  ) -> Cases {
    guard let other = keySet(of: argument),
      one.origin == other.origin || one.origin == nil || other.origin == nil
    else { return opaque(at: id, reason: "combining the keys of different maps") }
    var named: [Ref] = []
    for (left, right) in zip(one.named, other.named) {
      switch builtin {
      case .setUnion: named.append(problem.graph.or(left, right))
      case .setIntersection: named.append(problem.graph.and(left, right))
      default: named.append(problem.graph.and(left, !right))
      }
    }
    let unnamed =
      switch builtin {
      case .setUnion: one.unnamed.union(other.unnamed)
      case .setIntersection: one.unnamed.intersection(other.unnamed)
      default: one.unnamed.subtracting(other.unnamed)
      }
    return Cases(
      .keySet(KeySet(origin: one.origin ?? other.origin, named: named, unnamed: unnamed)))
  }
}
