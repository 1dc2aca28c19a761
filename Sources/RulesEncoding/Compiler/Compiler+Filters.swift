import RulesEval
import RulesLang
import RulesSolver

// What a document is like that a filter finds, if the filter implies a comparison. Mostly the comparison
// is true of the document, too; but filters compare as Firestore does, which takes 1 and 1.0 for one
// value, also inside lists and maps, and never rounds an int, and the engine takes some filters to imply
// what is not so (Docs/Proofs.md §3, assumption 7).
//
// Sound: what is said of a comparison is true of each document that any filter finds which implies it.
// Values that are computed, and floats to which several ints are rounded, leave more open than there is.

extension Compiler {
  /// What is true of a document's field if a filter that finds the document implies a comparison of the
  /// field with a value, seen from the field.
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

  /// A comparison as the language makes it, of values of which neither is a promise.
  func compared(
    _ op: BinaryOperator, left: TermID, right: TermID, at id: ExprID = ExprID(0)
  ) -> Ref {
    let rails = rails(of: binary(op, left: Cases(left), right: Cases(right), at: id))
    let isPromise = problem.graph.or(
      problem.isType(of: left, in: .constraint), problem.isType(of: right, in: .constraint))
    return problem.graph.and(rails.yes, !isPromise)
  }

  /// If a filter is for a great int, it finds no float that the int is only rounded to.
  private func isExact(_ op: BinaryOperator, own: TermID, value: TermID) -> Ref {
    guard op == .equal, case .int(let number)? = problem.terms.value(of: value),
      Int64(exactly: Double(number)) != number
    else { return .yes }
    return !problem.isType(of: own, in: .float)
  }

  /// A filter for NaN is taken to imply every comparison with a number.
  private func isFoundAsNaN(_ own: TermID, by value: TermID) -> Ref {
    problem.graph.and(
      problem.same(own, problem.constant(.float(.nan))),
      problem.isType(of: value, in: [.int, .float]))
  }

  /// When a filter implies that a field is not a value that it is. For 2.0 it implies `!= 2`, and finds
  /// the int; for `[1.0]` it implies `!= [1]`, and finds that; and an int that it excludes may be rounded
  /// to the same float as another that it does not.
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

  /// Both are lists, or maps, that filters take for one value.
  private func isAlike(_ own: TermID, to value: TermID) -> Ref {
    let areCollections = areCollections(own, value)
    return areCollections == .no
      ? .no : problem.graph.and(areCollections, problem.setEqual(own, value))
  }

  /// Both are lists, or maps. One without numbers is like no other.
  private func areCollections(_ own: TermID, _ value: TermID) -> Ref {
    if let known = problem.terms.value(of: value), !known.hasNearNumbers { return .no }
    return problem.graph.or(
      [TypeSet.list, .map].map {
        problem.graph.and(problem.isType(of: own, in: $0), problem.isType(of: value, in: $0))
      })
  }

  /// Filters take another value for this one.
  private func hasVariant(_ own: TermID, at id: ExprID) -> Ref {
    let number = unknowns.number(of: nil, at: id, reason: "a value that filters take for another")
    let types = problem.terms.types(of: own).intersection([.list, .map])
    let other = problem.terms.variable(.unknown(number), types: types)
    return problem.graph.and(problem.setEqual(own, other), !problem.same(own, other))
  }

  /// Both are one number for the language, which rounds ints to floats; filters do not.
  private func isRounded(_ own: TermID, to value: TermID) -> Ref {
    let isCoarse = isCoarse(value)
    return isCoarse == .no
      ? .no : problem.graph.and(isCoarse, compared(.equal, left: own, right: value))
  }

  /// The same of what a filter finds below or above another int that is rounded to the same float.
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

  /// A float so great that several ints are rounded to it.
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

  /// A filter finds a list that has a value, by its own equality.
  private func isContained(_ value: TermID, in list: TermID, at id: ExprID) -> Ref {
    let isList = problem.isType(of: list, in: .list)
    if isList == .no { return .no }
    var cases: [Ref] = []
    for variant in elements(like: value) {
      cases.append(membership(of: Cases(variant), in: Cases(list), at: id).yes)
    }
    let isOpen = isOneOfMany(value)
    if isOpen != .no {
      let what = "which of several equal values in a list a filter finds"
      cases.append(problem.graph.and(isOpen, opaqueRails(at: id, reason: what).yes))
    }
    return problem.graph.and(isList, problem.graph.or(cases))
  }

  /// What may be in a list of which a filter asks for a value. No filter finds null or NaN in a list.
  private func elements(like value: TermID) -> [TermID] {
    guard let known = problem.terms.value(of: value) else { return [value] }
    if known.type == .null || !Value.areEqual(known, known) { return [] }
    guard known.type == .int || known.type == .float else { return [value] }
    return [value] + (known.neighbours ?? []).map { problem.constant($0) }
  }

  /// Filters take more values for this one. No list is in a list that is stored.
  private func isOneOfMany(_ value: TermID) -> Ref {
    guard let known = problem.terms.value(of: value) else {
      return problem.isType(of: value, in: [.int, .float, .map])
    }
    switch known {
    // The engine rounds ints, too, to compare them with elements.
    case .int: return known.isCoarse ? .yes : .no
    case .float: return isCoarse(value)
    case .map: return known.hasNearNumbers ? .yes : .no
    default: return .no
    }
  }
}
