import RulesEval
package import RulesLang

// `hasAll`, `hasOnly` and `hasAny` of two lists of which not both are written out. What they say of lists is
// said of each value that is asked for in one of them; and where an element has to be in one list and not in
// the other, or in both, there is a term for such an element, the witness.
//
// An element with a NaN inside is in no list, as `in` sees it, so a list that differs from itself has not
// even all of its own elements. Sets are left out as elements: whether they are equal is not transitive, as
// they take an int for a float that it is only rounded to.

extension Builtin {
  /// Of two lists that one of `hasAll` and `hasOnly` holds of, first that whose elements are all in the other
  /// one; nil for other functions.
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
  /// Of more values it is not said what follows from two lists.
  private static let greatestMembers = 8
  /// Of greater lists that are written out it is not said what is in them.
  private static let greatestList = 32

  /// A comparison of two lists.
  private struct ListComparison {
    var builtin: Builtin
    /// Whether it is true, if both are lists.
    var holds: Ref
    /// That both are lists.
    var areLists: Ref
    /// That whose elements are all in the other one, for `hasAll` and `hasOnly`.
    var one: TermID
    var other: TermID
  }

  /// States what `hasAll`, `hasOnly` or `hasAny` says of the elements of two lists, as far as they are asked
  /// for by now; nothing for other functions.
  ///
  /// It is said of comparisons that a model gets wrong, for most are right by themselves: an empty list has
  /// no elements that another one would have to have. A program for a page does without, as it would be the
  /// larger for it.
  package mutating func linkComparison(_ builtin: Builtin, of lists: [TermID]) {
    #if !hasFeature(Embedded)
      guard let comparison = comparison(builtin, of: lists), goesOn(3 * terms.count) else { return }
      addWitness(to: comparison)
      linkMembers(of: comparison)
      linkElements(of: comparison)
      linkSizes(of: comparison)
    #endif
  }

  /// The same of all that a list is compared with.
  package mutating func linkComparisons(of list: TermID) {
    #if !hasFeature(Embedded)
      for index in 0..<terms.count {
        guard case .apply(.builtin(let builtin), let lists) = terms[TermID(index)],
          lists.contains(list)
        else { continue }
        linkComparison(builtin, of: lists)
      }
    #endif
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

  /// Whether all that can be in a list can be looked for in others: what filters leave open cannot.
  private func canBeCompared(_ list: TermID) -> Bool {
    if case .list(let values) = terms.value(of: list) { return values.count <= Self.greatestList }
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

  /// The map whose keys are a list; nil for other lists.
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

  /// Of a list that has some elements only, an element is one of these.
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

  /// Whether a list differs from itself.
  private mutating func isOdd(list: TermID) -> Ref {
    if let value = terms.value(of: list) { return Value.areEqual(value, value) ? .no : .yes }
    // Texts do not.
    return mapWithKeys(list) == nil ? holds(.odd, of: [list]) : .no
  }

  /// The values that one of two lists is asked to have.
  private func members(of comparison: ListComparison) -> [TermID] {
    let maps = [mapWithKeys(comparison.one), mapWithKeys(comparison.other)]
    var found: [TermID] = []
    for index in 0..<terms.count where found.count < Self.greatestMembers {
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
      // A list that has to have elements has a first one, which is a key then.
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

  /// Whether the size of a list is asked for.
  private func isSized(_ list: TermID) -> Bool {
    if terms.value(of: list) != nil || mapWithKeys(list) != nil { return false }
    return (0..<terms.count).contains { terms[TermID($0)] == .apply(.size, [list]) }
  }

  /// An empty list has no element of another one.
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
      // A list that has an element of another one, and one that the other one has not, has two.
      link(comparison.other, has: 2, if: graph.and(hasPart, !isOpposite))
      let isPart = graph.and(comparison.areLists, isOpposite)
      link(comparison.one, has: 2, if: graph.and(isPart, !comparison.holds, !areEmpty[1]))
    }
  }

  /// States that a list has so many elements at least if something holds.
  private mutating func link(_ list: TermID, has count: Int64, if premise: Ref) {
    if case .list(let values) = terms.value(of: list) {
      return require(premise, implies: values.count < count ? .no : .yes)
    }
    let size = terms.apply(.size, to: [list], types: .int)
    // Not as a bound that does not hold: what only axioms say is not decided if it may be false.
    require(
      premise, implies: graph.atom(.difference(constant(.int(0)), size, .int, -Int128(count))))
  }
}
