import RulesEval
import RulesLang

// Key sets. Each key that rules or claim mention by name has a proposition "is in the set". All
// other keys are told apart only by their fate between two maps, and each fate has a witness of its
// own: a single witness could not be both changed and kept, which would be unsound.

/// The keys of one map, or of the difference of two maps.
struct KeySet {
  /// The map, or the map after and the map before; nil for a literal set.
  var origin: [Term]?
  /// For each of the encoder's keys, in order: the key is in the set.
  var named: [Prop]
  /// The fates whose unnamed keys are in the set. For a single map, `kept` means "is in the map".
  var fates: Set<Fate>
}

extension Encoder {
  /// Interprets a term as a key set; nil if it is none, or its form is not supported.
  func keySet(_ term: Term) -> KeySet? {
    switch question.value(of: term) {
    case .list(let values)?: return keySet(of: values)
    case .set(let set)?: return keySet(of: set.elements)
    default: break
    }
    guard case .apply(.value(.builtin(let builtin)), let arguments) = question[term] else {
      return nil
    }
    switch builtin {
    case .mapKeys: return keySet(ofMap: arguments[0])
    case .listToSet: return keySet(arguments[0])
    case .diffAddedKeys: return keySet(ofDiff: arguments[0], [.added])
    case .diffRemovedKeys: return keySet(ofDiff: arguments[0], [.removed])
    case .diffChangedKeys: return keySet(ofDiff: arguments[0], [.changed])
    case .diffAffectedKeys: return keySet(ofDiff: arguments[0], [.added, .removed, .changed])
    case .diffUnchangedKeys: return keySet(ofDiff: arguments[0], [.kept])
    case .setUnion, .setIntersection, .setDifference:
      guard let one = keySet(arguments[0]), let other = keySet(arguments[1]) else { return nil }
      return combined(builtin, of: one, and: other)
    default: return nil
    }
  }

  private func keySet(of values: [Value]) -> KeySet? {
    var named = Array(repeating: Prop.no, count: keys.count)
    for value in values {
      guard case .string = value, let place = keys.firstIndex(of: question.constant(value)) else {
        return nil
      }
      named[place] = .yes
    }
    return KeySet(origin: nil, named: named, fates: [])
  }

  /// True if the keys of a map can be enumerated: a literal or constant whose keys are all named, or data of
  /// a document or token (`Question.isData`).
  private func isFollowed(_ map: Term) -> Bool {
    switch question[map] {
    case .apply(.record(let names), _):
      return names.allSatisfy { keys.contains(question.text($0)) }
    case .constant:
      guard case .map(let value)? = question.value(of: map) else { return false }
      return value.keys.allSatisfy { keys.contains(question.text($0)) }
    case .apply, .unknown: return question.isData(map)
    }
  }

  private func keySet(ofMap map: Term) -> KeySet? {
    guard isFollowed(map) else { return nil }
    let named = keys.map { has(map, key: $0) }
    let isPlain = unnamedKey(map) == .no
    return KeySet(origin: [map], named: named, fates: isPlain ? [] : [.kept])
  }

  private func keySet(ofDiff diff: Term, _ fates: Set<Fate>) -> KeySet? {
    guard case .apply(.value(.builtin(.mapDiff)), let maps) = question[diff],
      isFollowed(maps[0]), isFollowed(maps[1])
    else { return nil }
    compare(maps[0], with: maps[1])
    let named = keys.map { key -> Prop in
      let (isAfter, isBefore) = (has(maps[0], key: key), has(maps[1], key: key))
      let isKept = isSame(key, after: maps[0], before: maps[1])
      var cases: [Prop] = []
      if fates.contains(.added) { cases.append(question.all([isAfter, !isBefore])) }
      if fates.contains(.removed) { cases.append(question.all([!isAfter, isBefore])) }
      if fates.contains(.changed) { cases.append(question.all([isAfter, isBefore, !isKept])) }
      if fates.contains(.kept) { cases.append(question.all([isAfter, isBefore, isKept])) }
      return question.any(cases)
    }
    return KeySet(origin: maps, named: named, fates: fates)
  }

  /// Returns "the key has equal values in both maps", by the equality of `diff()`.
  private func isSame(_ key: Term, after: Term, before: Term) -> Prop {
    rails(of: [field(of: after, at: key), field(of: before, at: key)]) {
      total(question.setEqual($0[0], $0[1]))
    }.yes
  }

  // MARK: Unnamed keys

  /// Returns "the map has an unnamed key", which is never so for a literal map.
  private func unnamedKey(_ map: Term) -> Prop {
    switch question[map] {
    case .apply(.record, _), .constant: return .no
    case .apply, .unknown: break
    }
    if scene.method == .update, map == scene.after || map == scene.before {
      compare(scene.after, with: scene.before)
    }
    return question.holds(.unnamedKey, of: [map])
  }

  private func unnamed(_ fate: Fate, after: Term, before: Term) -> Prop {
    question.holds(.unnamed(fate), of: [after, before])
  }

  /// Adds the axioms about the fates of two maps: a map has an unnamed key exactly if a key has a fate that
  /// puts it there, and between equal maps no key is added, removed or changed.
  private func compare(_ after: Term, with before: Term) {
    guard pairs.insert([after, before]).inserted else { return }
    let fates = Fate.allCases.map { unnamed($0, after: after, before: before) }
    let kept = [fates[Fate.changed.rawValue], fates[Fate.kept.rawValue]]
    let isAfter = question.any(kept + [fates[Fate.added.rawValue]])
    let isBefore = question.any(kept + [fates[Fate.removed.rawValue]])
    question.require(question.iff(unnamedKey(after), isAfter))
    question.require(question.iff(unnamedKey(before), isBefore))
    question.require(
      question.same(after, before),
      implies: question.all(fates.prefix(Fate.kept.rawValue).map { !$0 }))
  }

  /// Returns "an unnamed key with one of these fates is in the set".
  private func unnamed(_ fates: Set<Fate>, in origin: [Term]?) -> Prop {
    guard let origin, !fates.isEmpty else { return .no }
    if origin.count == 1 { return unnamedKey(origin[0]) }
    let found = Fate.allCases.filter { fates.contains($0) }
    return question.any(found.map { unnamed($0, after: origin[0], before: origin[1]) })
  }

  // MARK: Questions

  /// True if a set is literal, or both sets are of the same maps. Otherwise the unnamed keys that
  /// they share are unknown.
  private func areComparable(_ one: KeySet, _ other: KeySet) -> Bool {
    one.origin == other.origin || one.fates.isEmpty || other.fates.isEmpty
  }

  /// Returns "every key of `one` is in `other`"; nil if the sets are not comparable.
  func isSubset(_ one: KeySet, of other: KeySet) -> Prop? {
    guard areComparable(one, other) else { return nil }
    var parts: [Prop] = []
    for (left, right) in zip(one.named, other.named) {
      parts.append(!question.all([left, !right]))
    }
    parts.append(!unnamed(one.fates.subtracting(other.fates), in: one.origin))
    return question.all(parts)
  }

  /// Returns "some key is in both sets"; nil if the sets are not comparable.
  func meets(_ one: KeySet, _ other: KeySet) -> Prop? {
    guard areComparable(one, other) else { return nil }
    var parts: [Prop] = []
    for (left, right) in zip(one.named, other.named) { parts.append(question.all([left, right])) }
    parts.append(unnamed(one.fates.intersection(other.fates), in: one.origin))
    return question.any(parts)
  }

  /// Returns "both sets have the same keys"; nil if the sets are not comparable.
  func areSame(_ one: KeySet, _ other: KeySet) -> Prop? {
    guard let left = isSubset(one, of: other), let right = isSubset(other, of: one) else {
      return nil
    }
    return question.all([left, right])
  }

  private func combined(_ builtin: Builtin, of one: KeySet, and other: KeySet) -> KeySet? {
    guard areComparable(one, other) else { return nil }
    var result = one
    if one.fates.isEmpty { result.origin = other.origin ?? one.origin }
    for place in one.named.indices {
      let (left, right) = (one.named[place], other.named[place])
      switch builtin {
      case .setUnion: result.named[place] = question.any([left, right])
      case .setIntersection: result.named[place] = question.all([left, right])
      default: result.named[place] = question.all([left, !right])
      }
    }
    switch builtin {
    case .setUnion: result.fates.formUnion(other.fates)
    case .setIntersection: result.fates.formIntersection(other.fates)
    default: result.fates.subtract(other.fates)
    }
    return result
  }

  // MARK: Sizes

  /// Adds axioms about sizes of key sets, for the bounds that the conditions mention. The size is the number
  /// of named keys in the set if it has no unnamed key, and greater otherwise.
  ///
  /// - Requires: All conditions are encoded.
  func stateSizes() {
    let bounds = question.facts.compactMap { fact -> (term: Term, number: Int)? in
      guard let fact else { return nil }
      switch fact {
      case .most(let term, .int, let number) where sizes[term] != nil && number.magnitude < 64:
        return (term, Int(number))
      case .same(let one, let other):
        for (size, value) in [(one, other), (other, one)] where sizes[size] != nil {
          if case .int(let number)? = question.value(of: value), number.magnitude < 64 {
            return (size, Int(number))
          }
        }
        return nil
      default: return nil
      }
    }
    for (size, number) in bounds {
      guard let keys = sizes[size] else { continue }
      for bound in [number - 1, number] where bound >= 0 {
        state(size, of: keys, atMost: bound)
      }
    }
  }

  private func state(_ size: Term, of keys: KeySet, atMost number: Int) {
    let isSmall = question.most(size, on: .int, bound: Int128(number))
    let isUnnamed = unnamed(keys.fates, in: keys.origin)
    var known: [[Int]: Prop] = [:]
    let isFew = few(keys.named, first: keys.named.count, atMost: number, known: &known)
    question.require(isSmall, implies: isFew)
    question.require(question.all([isFew, !isUnnamed]), implies: isSmall)
    let isLess =
      number == 0
      ? .no : few(keys.named, first: keys.named.count, atMost: number - 1, known: &known)
    question.require(question.all([isSmall, isUnnamed]), implies: isLess)
  }

  /// Returns "at most `number` of the first `count` propositions hold".
  private func few(
    _ props: [Prop], first count: Int, atMost number: Int, known: inout [[Int]: Prop]
  ) -> Prop {
    if number < 0 { return .no }
    if number >= count { return .yes }
    if let few = known[[count, number]] { return few }
    let without = few(props, first: count - 1, atMost: number, known: &known)
    let with = few(props, first: count - 1, atMost: number - 1, known: &known)
    let last = props[count - 1]
    let result = question.any([question.all([!last, without]), question.all([last, with])])
    known[[count, number]] = result
    return result
  }
}
