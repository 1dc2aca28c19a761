import RulesEval
package import RulesLang
package import RulesSolver

// Sets of keys: `keys()`, `diff()` and what is asked of them.

extension Compiler {
  /// The keys of a map that only a term names.
  func keySet(of map: TermID) -> KeySet {
    var named: [Ref] = []
    for key in keys { named.append(problem.has(map, key: key)) }
    _ = unnamedKey(in: map)
    return KeySet(origin: .map(map), named: named, unnamed: [.kept])
  }

  /// A set of keys that is written out; nil if an element is no name of ours.
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

  /// The keys with a fate between two maps.
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
    // What is left half done for want of steps is not kept.
    if !isCutShort { keySets.append(set) }
    return set
  }

  /// Whether a key has a fate between two maps.
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

  /// A key of both maps has values that `diff()` takes for equal.
  private func isSame(_ key: TermID, after: TermID, before: TermID) -> Ref {
    let isThere = problem.graph.and(problem.has(after, key: key), problem.has(before, key: key))
    if isThere == .no { return .no }
    let new = problem.field(of: after, at: key, types: memberTypes(of: after))
    let old = problem.field(of: before, at: key, types: memberTypes(of: before))
    return problem.setEqual(new, old)
  }

  // MARK: Unnamed keys

  /// Some key that nobody names has a fate between two maps.
  package func unnamed(_ fate: KeyFate, after: TermID, before: TermID) -> Ref {
    problem.holds(.unnamed(fate), of: [after, before])
  }

  /// Some key that nobody names is in a map.
  package func unnamedKey(in map: TermID) -> Ref {
    // A map that is written out has only keys that its text names.
    if problem.terms.value(of: map) != nil { return .no }
    if scene.scenario.method == .update, map == scene.after || map == scene.before {
      compare(scene.after, with: scene.before)
    }
    return problem.holds(.unnamedKey, of: [map])
  }

  /// Notes that two maps are compared: what is in one of them has one of the fates.
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

  /// Some unnamed key is in a set of keys.
  private func unnamedMember(of keys: KeySet) -> Ref {
    switch keys.origin {
    case .none: .no
    case .map(let map): keys.unnamed.isEmpty ? .no : unnamedKey(in: map)
    case .pair(let after, let before):
      problem.graph.or(
        keys.unnamed.all.map { unnamed($0, after: after, before: before) })
    }
  }

  // MARK: Questions

  /// Whether a key is in a set; nil for a key that is not one of ours.
  package func contains(_ set: KeySet, key: TermID) -> Ref? {
    if let place = keys.firstIndex(of: key) { return set.named[place] }
    guard let value = problem.terms.value(of: key) else { return nil }
    if case .string = value { return nil }
    return .no
  }

  /// Whether a key that nobody knows before the request is in a set; nil if the key may be what a query's
  /// filters leave open.
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

  /// Two sets have the same keys.
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

  /// The keys of a map, in order, are a list: it must be sorted and without repetition.
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

  /// `hasOnly`, `hasAll` and `hasAny` of a set or list of keys, with what these take.
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

  /// Which of the three questions.
  package enum HasMethod {
    case only, all, any

    /// What is asked of the argument with the receiver in its place.
    var mirrored: HasMethod {
      switch self {
      case .only: .all
      case .all: .only
      case .any: .any
      }
    }
  }

  /// Whether all keys of a set are in another one.
  func isSubset(_ one: KeySet, of other: KeySet) -> Ref {
    var parts = zip(one.named, other.named).map { problem.graph.implies($0.0, $0.1) }
    let rest = one.unnamed.subtracting(other.unnamed)
    parts.append(!unnamedMember(of: KeySet(origin: one.origin, named: [], unnamed: rest)))
    return problem.graph.and(parts)
  }

  /// Whether two sets have a key in common.
  func meets(_ one: KeySet, _ other: KeySet) -> Ref {
    var parts = zip(one.named, other.named).map { problem.graph.and($0.0, $0.1) }
    let shared = one.unnamed.intersection(other.unnamed)
    parts.append(unnamedMember(of: KeySet(origin: one.origin, named: [], unnamed: shared)))
    return problem.graph.or(parts)
  }

  /// A list or set as a set of keys: of a map, or written out, if all its elements are names of ours.
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

  /// Union, intersection and difference of sets of keys.
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
