import RulesEval
package import RulesLang

// Axioms about `hasAll`, `hasOnly` and `hasAny` of two lists, at least one of them no literal. They
// are instantiated for every value whose membership in one of the lists is used, and for a witness
// term where an element must exist that is in both lists, or in one list only.
//
// An element that contains a NaN is not `in` any list, so a list that is unequal to itself lacks
// some of its own elements. Elements that are sets are left out: equality of sets is not
// transitive, since an int equals each float that it is rounded to.

extension Builtin {
  /// Returns the operands of `hasAll` or `hasOnly` as (subset, superset); nil for other functions.
  package func inclusion(of lists: [TermID]) -> (part: TermID, whole: TermID)? {
    guard lists.count == 2 else { return nil }
    return switch self {
    case .listHasAll: (lists[1], lists[0])
    case .listHasOnly: (lists[0], lists[1])
    default: nil
    }
  }
}

extension Problem {
  /// A comparison of two lists.
  private struct ListComparison {
    var builtin: Builtin
    /// The comparison is true, given that both operands are lists.
    var holds: Ref
    /// Both operands are lists.
    var areLists: Ref
    /// For `hasAll` and `hasOnly`, the subset operand.
    var one: TermID
    var other: TermID
  }

  /// Adds the axioms of `hasAll`, `hasOnly` or `hasAny` for the elements of two lists that are known by now;
  /// nothing for other functions.
  ///
  /// To be called for comparisons that a model evaluates wrongly. Most need no axioms: an empty list, for
  /// example, has no elements to compare.
  package mutating func linkComparison(_ builtin: Builtin, of lists: [TermID]) {
    guard let comparison = comparison(builtin, of: lists), goesOn(3 * terms.count) else { return }
    addWitness(to: comparison)
    linkMembers(of: comparison)
    linkElements(of: comparison)
    linkSizes(of: comparison)
  }

  /// Calls `linkComparison` for all comparisons of a list.
  package mutating func linkComparisons(of list: TermID) {
    for index in 0..<terms.count {
      guard case .apply(.builtin(let builtin), let lists) = terms[TermID(index)],
        lists.contains(list)
      else { continue }
      linkComparison(builtin, of: lists)
    }
  }

  private mutating func comparison(_ builtin: Builtin, of lists: [TermID]) -> ListComparison? {
    guard builtin == .listHasAny || builtin.inclusion(of: lists) != nil,
      lists.allSatisfy({ canBeCompared($0) })
    else { return nil }
    let (one, other) = builtin.inclusion(of: lists) ?? (lists[0], lists[1])
    let term = terms.apply(.builtin(builtin), to: lists, types: Builtins.entry(builtin).result)
    let areLists = graph.and(lists.map { isType(of: $0, in: .list) })
    require(areLists, implies: holds(.definedBuiltin(builtin), of: lists))
    return ListComparison(
      builtin: builtin, holds: same(term, terms.yes), areLists: areLists, one: one, other: other)
  }

  /// True if all possible elements can be compared: not those that a query's filters leave open.
  private func canBeCompared(_ list: TermID) -> Bool {
    if case .list(let values) = terms.value(of: list) {
      return values.count <= SearchStrategy.constantParts
    }
    return terms.value(of: list) == nil && !elementTypes(of: list).contains(.constraint)
  }

  private func elementTypes(of list: TermID) -> TypeSet {
    mapWithKeys(list) == nil ? terms.partTypes(of: list) : .string
  }

  private mutating func isMember(_ value: TermID, of list: TermID) -> Ref {
    if case .list(let values) = terms.value(of: list) {
      var parts: [Ref] = []
      for each in values { parts.append(areMembers(value, constant(each))) }
      return graph.or(parts)
    }
    if let map = mapWithKeys(list) {
      return graph.and(isType(of: value, in: .string), has(map, key: value))
    }
    return holds(.member, of: [list, value])
  }

  /// Returns the map of which `list` is `keys()`; nil for other lists.
  private func mapWithKeys(_ list: TermID) -> TermID? {
    guard case .apply(.builtin(.mapKeys), let map) = terms[list] else { return nil }
    return map[0]
  }

  private mutating func addWitness(to comparison: ListComparison) {
    let (one, other) = (comparison.one, comparison.other)
    let lists = comparison.builtin == .listHasAll ? [other, one] : [one, other]
    let witness = terms.apply(
      .witness(comparison.builtin), to: lists, types: elementTypes(of: one))
    let (isInOne, isInOther) = (isMember(witness, of: one), isMember(witness, of: other))
    linkAllowed(witness, in: one)
    if comparison.builtin == .listHasAny {
      require(
        graph.and(comparison.areLists, comparison.holds), implies: graph.and(isInOne, isInOther))
      return
    }
    let isOutside = graph.and(isInOne, !isInOther)
    require(
      graph.and(comparison.areLists, !comparison.holds),
      implies: graph.or(isOutside, isOdd(list: one)))
  }

  /// Adds: an element of a list that `hasOnly` some values is one of these.
  private mutating func linkAllowed(_ element: TermID, in list: TermID) {
    for index in 0..<terms.count {
      guard case .apply(.onlyElements, let arguments) = terms[TermID(index)],
        arguments[0] == list, case .list(let values) = terms.value(of: arguments[1])
      else { continue }
      var parts: [Ref] = []
      for value in values { parts.append(areMembers(element, constant(value))) }
      require(
        graph.and(holds(.onlyElements, of: arguments), isMember(element, of: list)),
        implies: graph.or(parts))
    }
  }

  /// Returns "the list is unequal to itself".
  private mutating func isOdd(list: TermID) -> Ref {
    if let value = terms.value(of: list) { return Value.areEqual(value, value) ? .no : .yes }
    // Strings are equal to themselves.
    return mapWithKeys(list) == nil ? holds(.odd, of: [list]) : .no
  }

  /// Returns the values whose membership in one of the two lists is used.
  private func members(of comparison: ListComparison) -> [TermID] {
    let maps = [mapWithKeys(comparison.one), mapWithKeys(comparison.other)]
    var found: [TermID] = []
    for index in 0..<terms.count where found.count < SearchStrategy.group {
      guard case .apply(let op, let arguments) = terms[TermID(index)] else { continue }
      switch op {
      case .member where arguments[0] == comparison.one || arguments[0] == comparison.other: break
      case .has where maps.contains(arguments[0]): break
      default: continue
      }
      if !found.contains(arguments[1]) { found.append(arguments[1]) }
    }
    return found
  }

  private mutating func linkMembers(of comparison: ListComparison) {
    for value in members(of: comparison) {
      guard goesOn() else { return }
      let isPlain = !isType(of: value, in: [.set, .mapDiff])
      let (isInOne, isInOther) = (
        isMember(value, of: comparison.one), isMember(value, of: comparison.other)
      )
      let premise = graph.and(comparison.areLists, isPlain, isInOne)
      if comparison.builtin == .listHasAny {
        require(graph.and(premise, isInOther), implies: comparison.holds)
      } else {
        require(graph.and(premise, comparison.holds), implies: isInOther)
      }
    }
  }

  private mutating func linkElements(of comparison: ListComparison) {
    if comparison.builtin != .listHasAny, mapWithKeys(comparison.other) != nil,
      isSized(comparison.one)
    {
      // A subset of a map's keys whose size is used gets a first element, which then is a key.
      _ = terms.apply(
        .element, to: [comparison.one, constant(.int(0))], types: elementTypes(of: comparison.one))
    }
    for index in 0..<terms.count {
      let element = TermID(index)
      guard case .apply(.element, let arguments) = terms[element],
        arguments[0] == comparison.one
          || comparison.builtin == .listHasAny && arguments[0] == comparison.other,
        case .int(let place) = terms.value(of: arguments[1]), place >= 0
      else { continue }
      let other = arguments[0] == comparison.one ? comparison.other : comparison.one
      let isThere = graph.and(
        comparison.areLists, reaches(arguments[0], place: place, asked: nil))
      let isMember = isMember(element, of: other)
      if comparison.builtin == .listHasAny {
        require(graph.and(isThere, isMember), implies: comparison.holds)
      } else {
        require(graph.and(isThere, comparison.holds), implies: isMember)
      }
    }
  }

  /// True if the size of a list is used.
  private func isSized(_ list: TermID) -> Bool {
    if terms.value(of: list) != nil || mapWithKeys(list) != nil { return false }
    return (0..<terms.count).contains { terms[TermID($0)] == .apply(.size, [list]) }
  }

  /// Adds axioms about the sizes of subset and superset.
  private mutating func linkSizes(of comparison: ListComparison) {
    guard comparison.builtin != .listHasAny, mapWithKeys(comparison.one) == nil,
      mapWithKeys(comparison.other) == nil
    else { return }
    var areEmpty: [Ref] = []
    for list in [comparison.one, comparison.other] {
      if case .list(let values) = terms.value(of: list) {
        areEmpty.append(values.isEmpty ? .yes : .no)
      } else {
        let size = terms.apply(.size, to: [list], types: .int)
        areEmpty.append(atMost(size, in: .int, bound: 0))
      }
    }
    require(
      graph.and(comparison.areLists, comparison.holds, areEmpty[1]), implies: areEmpty[0])
    require(graph.and(comparison.areLists, areEmpty[0]), implies: comparison.holds)
    let hasPart = graph.and(comparison.areLists, comparison.holds, !areEmpty[0])
    link(comparison.other, has: 1, if: hasPart)
    for index in 0..<terms.count {
      guard case .apply(.builtin(let builtin), let lists) = terms[TermID(index)],
        let (part, whole) = builtin.inclusion(of: lists),
        part == comparison.other, whole == comparison.one
      else { continue }
      let isOpposite = same(TermID(index), terms.yes)
      // A list with an element of the other list, and one that the other list lacks, has two.
      link(comparison.other, has: 2, if: graph.and(hasPart, !isOpposite))
      let isPart = graph.and(comparison.areLists, isOpposite)
      link(comparison.one, has: 2, if: graph.and(isPart, !comparison.holds, !areEmpty[1]))
    }
  }

  /// Adds: if `premise`, the list has at least `count` elements.
  private mutating func link(_ list: TermID, has count: Int64, if premise: Ref) {
    if case .list(let values) = terms.value(of: list) {
      return require(premise, implies: values.count < count ? .no : .yes)
    }
    let size = terms.apply(.size, to: [list], types: .int)
    // A difference atom, not a negated bound: the search leaves an atom of an axiom unassigned where its
    // being false would satisfy the axiom.
    require(
      premise, implies: graph.atom(.difference(constant(.int(0)), size, .int, -Int128(count))))
  }
}
