import RulesEval
import RulesLang
import RulesSolver

// The documents that a filter finds, if the filter implies a comparison. Usually the comparison is true of
// the document, too. But filters compare as Firestore does: 1 and 1.0 are equal, also inside lists and maps,
// and ints are never rounded. And the engine considers some comparisons implied that are false
// (Docs/Proofs.md §3, assumption 7).
//
// Soundness: the proposition for a comparison holds for every document that a filter finds which implies the
// comparison. It is not complete for computed values and for floats that several ints round to.

extension Compiler {
  /// Returns a proposition about a document's field that holds if some filter finds the document and implies
  /// the comparison `field op value`.
  func isMet(_ op: BinaryOperator, own: TermID, value: TermID, at id: ExprID) -> Ref {
    if op == .in { return isContained(value, in: own, at: id) }
    var cases = [
      problem.graph.and(
        compared(op, left: own, right: value, at: id), isExact(op, own: own, value: value))
    ]
    switch op {
    case .equal: cases += [isAlike(own, to: value), isFoundAsNaN(own, by: value)]
    case .notEqual: cases += exceptions(for: own, by: value, at: id)
    case .less, .greater:
      cases += [isFoundAsNaN(own, by: value), isRounded(op, own: own, value: value)]
    case .lessEqual, .greaterEqual: cases.append(isFoundAsNaN(own, by: value))
    case .in, .and, .or, .add, .subtract, .multiply, .divide, .remainder: break
    }
    return problem.graph.or(cases)
  }

  /// Returns the proposition that a comparison of the language is true and neither operand is a constraint.
  func compared(
    _ op: BinaryOperator, left: TermID, right: TermID, at id: ExprID = ExprID(0)
  ) -> Ref {
    let rails = rails(of: binary(op, left: Cases(left), right: Cases(right), at: id))
    let isPromise = problem.graph.or(
      problem.isType(of: left, in: .constraint), problem.isType(of: right, in: .constraint))
    return problem.graph.and(rails.yes, !isPromise)
  }

  /// Returns the proposition that a filter for an int can find the field: one for an int that no float equals
  /// exactly finds no float.
  private func isExact(_ op: BinaryOperator, own: TermID, value: TermID) -> Ref {
    guard op == .equal, case .int(let number)? = problem.terms.value(of: value),
      Int64(exactly: Double(number)) != number
    else { return .yes }
    return !problem.isType(of: own, in: .float)
  }

  /// Returns the proposition that a filter for NaN finds the field, which the engine considers to imply every
  /// comparison with a number.
  private func isFoundAsNaN(_ own: TermID, by value: TermID) -> Ref {
    problem.graph.and(
      problem.same(own, problem.constant(.float(.nan))),
      problem.isType(of: value, in: [.int, .float]))
  }

  /// Returns the propositions under which a filter implies `field != value` and finds a field that equals it:
  /// a filter for 2.0 implies `!= 2` and finds 2, one for `[1.0]` implies `!= [1]` and finds `[1]`, and a
  /// filter can find an int that rounds to the same float as `value`.
  private func exceptions(for own: TermID, by value: TermID, at id: ExprID) -> [Ref] {
    let isInt = problem.graph.and(
      problem.isType(of: value, in: .int), compared(.equal, left: own, right: value))
    var cases = [isInt, isRounded(own, to: value)]
    let areCollections = areCollections(own, value)
    if areCollections != .no {
      cases.append(
        problem.graph.and(
          areCollections, compared(.equal, left: own, right: value, at: id), hasVariant(own, at: id)
        ))
    }
    return cases
  }

  /// Returns the proposition that both are lists, or maps, that filters consider equal.
  private func isAlike(_ own: TermID, to value: TermID) -> Ref {
    let areCollections = areCollections(own, value)
    return areCollections == .no
      ? .no : problem.graph.and(areCollections, problem.setEqual(own, value))
  }

  /// Returns the proposition that both are lists, or maps. It is false for a constant without numbers, which
  /// filters consider equal to no other value.
  private func areCollections(_ own: TermID, _ value: TermID) -> Ref {
    if let known = problem.terms.value(of: value), !known.hasNearNumbers { return .no }
    return problem.graph.or(
      [TypeSet.list, .map].map {
        problem.graph.and(problem.isType(of: own, in: $0), problem.isType(of: value, in: $0))
      })
  }

  /// Returns the proposition that filters consider some other value equal to this one.
  private func hasVariant(_ own: TermID, at id: ExprID) -> Ref {
    let number = unknowns.number(
      of: nil, at: id,
      reason: "a value that filters confuse with "
        + "another")
    let types = problem.terms.types(of: own).intersection([.list, .map])
    let other = problem.terms.variable(.unknown(number), types: types)
    return problem.graph.and(problem.setEqual(own, other), !problem.same(own, other))
  }

  /// Returns the proposition that the language considers both equal because it rounds ints to floats, which
  /// filters do not.
  private func isRounded(_ own: TermID, to value: TermID) -> Ref {
    let isCoarse = isCoarse(value)
    return isCoarse == .no
      ? .no : problem.graph.and(isCoarse, compared(.equal, left: own, right: value))
  }

  /// Returns the proposition that a filter `< value` or `> value` may find the field although the language
  /// considers both equal, because it rounds an int.
  private func isRounded(_ op: BinaryOperator, own: TermID, value: TermID) -> Ref {
    let isAbove = op == .greater
    switch problem.terms.value(of: value) {
    case .float(let number):
      let ints = Problem.ints(roundedTo: number)
      let isBeyond =
        isAbove
        ? !problem.atMost(own, in: .int, bound: ints.least)
        : problem.atMost(own, in: .int, bound: ints.greatest - 1)
      return problem.graph.and(
        isRounded(own, to: value), problem.isType(of: own, in: .int), isBeyond)
    case .int(let number):
      let ints = Problem.ints(roundedTo: Double(number))
      if isAbove ? Int128(number) == ints.greatest : Int128(number) == ints.least { return .no }
      return problem.graph.and(
        problem.isType(of: own, in: .float), compared(.equal, left: own, right: value))
    case .some: return .no
    case .none:
      let isMixed = problem.graph.or(
        problem.graph.and(isCoarse(value), problem.isType(of: own, in: .int)),
        problem.graph.and(problem.canBeRounded(value), problem.isType(of: own, in: .float)))
      return isMixed == .no
        ? .no : problem.graph.and(isMixed, compared(.equal, left: own, right: value))
    }
  }

  /// Returns the proposition that a term is a float that several ints round to.
  func isCoarse(_ term: TermID) -> Ref {
    if let value = problem.terms.value(of: term) {
      return value.type == .float && value.isCoarse ? .yes : .no
    }
    if isNever(term, of: .float) { return .no }
    func isWithin(_ bound: Double, isStrict: Bool) -> Ref {
      problem.graph.and(
        problem.isLessNumber(problem.constant(.float(-bound)), than: term, isStrict: isStrict),
        problem.isLessNumber(term, than: problem.constant(.float(bound)), isStrict: isStrict))
    }
    return problem.graph.and(
      problem.isType(of: term, in: .float), isWithin(0x1p63, isStrict: false),
      !isWithin(0x1p53, isStrict: true))
  }

  /// Returns the proposition that a filter for a list that contains a value may find the field.
  private func isContained(_ value: TermID, in list: TermID, at id: ExprID) -> Ref {
    let isList = problem.isType(of: list, in: .list)
    if isList == .no { return .no }
    var cases: [Ref] = []
    for variant in elements(like: value) {
      cases.append(membership(of: Cases(variant), in: Cases(list), at: id).yes)
    }
    let isOpen = isOneOfMany(value)
    if isOpen != .no {
      let what = "which of several equal list values a filter finds"
      cases.append(problem.graph.and(isOpen, opaqueRails(at: id, reason: what).yes))
    }
    return problem.graph.and(isList, problem.graph.or(cases))
  }

  /// Returns the elements that a filter for a value may find. No filter finds null or NaN in a list.
  private func elements(like value: TermID) -> [TermID] {
    guard let known = problem.terms.value(of: value) else { return [value] }
    if known.type == .null || !Value.areEqual(known, known) { return [] }
    guard known.type == .int || known.type == .float else { return [value] }
    return [value] + (known.neighbours ?? []).map { problem.constant($0) }
  }

  /// Returns the proposition that filters consider further elements equal to a value. No stored list contains
  /// a list.
  private func isOneOfMany(_ value: TermID) -> Ref {
    guard let known = problem.terms.value(of: value) else {
      return problem.isType(of: value, in: [.int, .float, .map])
    }
    switch known {
    // For elements, the engine rounds ints, too.
    case .int: return known.isCoarse ? .yes : .no
    case .float: return isCoarse(value)
    case .map: return known.hasNearNumbers ? .yes : .no
    default: return .no
    }
  }
}
