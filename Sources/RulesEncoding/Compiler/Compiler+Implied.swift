import RulesEval
import RulesLang
import RulesSolver

// Implications between comparisons of a promise: a filter that implies `x > 1` implies `x > 0`, too. They are
// stated when all comparisons are known, because only comparisons of different rules, or of a rule and a
// constraint, depend on them.
//
// Soundness: one comparison counts as implying another only if every filter that implies the first one
// implies the second one, except filters that do not find the document. A filter for an int is compared with
// ints and floats, one for a float only with floats. Completeness: for constants other than numbers that
// several ints round to, each comparison has a filter that implies it and nothing that is not said to follow.

extension Compiler {
  /// A comparison of a promised field.
  private struct Asked {
    /// The comparison operator, with the field on the left; `in` means that the field contains one of the
    /// values.
    var op: BinaryOperator
    /// The values that the field is compared with.
    var values: [TermID]
    /// The proposition that the filters imply the comparison.
    var isImplied: Ref
  }

  /// Requires the implications between comparisons of promised fields.
  ///
  /// - Requires: All conditions are compiled.
  func linkPromisedComparisons() {
    guard scene.scenario.method == .list else { return }
    // The axioms are stated only once, so their unknowns are not shared.
    let outer = unknowns.enter(nil)
    defer { unknowns.leave(to: outer) }
    let asked = askedOfPromises()
    for field in asked.keys.sorted() {
      guard let own = counterpart(of: field), let questions = asked[field] else { continue }
      for one in questions {
        guard problem.goesOn(questions.count) else { return }
        for other in questions where other.isImplied != one.isImplied {
          let follows = problem.graph.and(one.isImplied, follows(other, from: one, own: own))
          problem.require(follows, implies: other.isImplied)
        }
        linkFloat(one, among: questions)
        linkInt(one, among: questions, own: own)
        linkNaN(one, among: questions, own: own)
        linkElements(one, among: questions)
        linkNull(one, of: field, own: own)
      }
    }
    linkContained(asked)
  }

  private func askedOfPromises() -> [TermID: [Asked]] {
    var asked: [TermID: [Asked]] = [:]
    func note(_ field: TermID, compared op: BinaryOperator, with values: [TermID], as term: TermID)
    {
      let isPromise = problem.isType(of: field, in: .constraint)
      // A comparison of two constraints is never implied.
      guard isPromise != .no, counterpart(of: field) != nil,
        values.allSatisfy({ isNever($0, of: .constraint) })
      else { return }
      let isImplied = problem.graph.and(problem.same(term, problem.terms.yes), isPromise)
      asked[field, default: []].append(Asked(op: op, values: values, isImplied: isImplied))
    }
    for index in 0..<problem.terms.count {
      let term = TermID(index)
      guard case .apply(let applied, let arguments) = problem.terms[term], arguments.count == 2
      else { continue }
      let (left, right) = (arguments[0], arguments[1])
      switch applied {
      case .definedOperation(let op) where op.isComparison:
        note(left, compared: op, with: [right], as: term)
        if op != .in { note(right, compared: Self.mirrored(op), with: [left], as: term) }
      case .definedBuiltin(.constraintHasAny):
        guard case .list(let values) = problem.terms.value(of: right) else { continue }
        note(left, compared: .in, with: values.map { problem.constant($0) }, as: term)
      default: continue
      }
    }
    return asked
  }

  // MARK: Implications

  /// Returns the condition under which every filter that implies one comparison and finds the document
  /// implies another one.
  private func follows(_ other: Asked, from one: Asked, own: TermID) -> Ref {
    if one.op == .in, other.op == .in {
      let each = one.values.map { value in
        problem.graph.or(other.values.map { isSameElement(value, as: $0) })
      }
      return problem.graph.and(each)
    }
    guard other.op != .in, let wanted = other.values.first else { return .no }
    if other.op == .notEqual, wanted == problem.terms.null {
      // Only a filter for null does not imply `!= null`.
      return one.op == .equal ? !problem.isType(of: one.values[0], in: .null) : .yes
    }
    if other.op == .notEqual, wanted == problem.constant(.float(.nan)) {
      return problem.graph.and(one.values.map { problem.isType(of: $0, in: [.int, .float]) })
    }
    guard one.op != .in, let value = one.values.first else { return .no }
    switch other.op {
    case .equal: return one.op == .equal ? isSame(value, as: wanted) : .no
    case .notEqual: return excludes(wanted, by: one.op, value: value, own: own)
    case .less, .lessEqual, .greater, .greaterEqual:
      return isBounded(other.op, at: wanted, by: one.op, at: value)
    case .in, .and, .or, .add, .subtract, .multiply, .divide, .remainder: return .no
    }
  }

  /// Returns the proposition that a filter's value is compared with a rule's: an int is compared with a
  /// float, a float not with an int.
  private func isCompared(_ value: TermID, with wanted: TermID) -> Ref {
    !problem.graph.and(problem.isType(of: value, in: .float), problem.isType(of: wanted, in: .int))
  }

  /// Returns the proposition that a filter's value equals a rule's.
  private func isSame(_ value: TermID, as wanted: TermID) -> Ref {
    guard oddlyEqual(value, wanted).isEmpty else { return problem.same(value, wanted) }
    return problem.graph.and(
      isCompared(value, with: wanted), compared(.equal, left: value, right: wanted))
  }

  /// Returns the proposition that the engine considers a filter's element equal to a rule's.
  private func isSameElement(_ value: TermID, as wanted: TermID) -> Ref {
    if case .int(let one)? = problem.terms.value(of: value),
      case .int(let other)? = problem.terms.value(of: wanted)
    {
      return Double(one) == Double(other) ? .yes : .no
    }
    let numbers: TypeSet = [.int, .float]
    let areNumbers = problem.graph.and(
      problem.isType(of: value, in: numbers), problem.isType(of: wanted, in: numbers))
    return problem.graph.or(
      problem.same(value, wanted), problem.graph.and(areNumbers, isSame(value, as: wanted)))
  }

  /// Returns the condition under which filters that imply `field op value` imply the bound of a rule.
  private func isBounded(
    _ bound: BinaryOperator, at wanted: TermID, by op: BinaryOperator, at value: TermID
  ) -> Ref {
    let isLower = bound == .greater || bound == .greaterEqual
    let isStrict = bound == .greater || bound == .less
    switch op {
    case .equal: break
    case .greater, .greaterEqual: if !isLower { return .no }
    case .less, .lessEqual: if isLower { return .no }
    case .notEqual, .in, .and, .or, .add, .subtract, .multiply, .divide, .remainder: return .no
    }
    if !isStrict { return isBeyond(wanted, value: value, isLower: isLower, reach: .reached) }
    let isOpen = op == .greater || op == .less
    return isBeyond(
      wanted, value: value, isLower: isLower, reach: isOpen ? .reachedExactly : .passed)
  }

  /// The distance that a filter's bound needs for a rule's bound to follow.
  private enum Reach {
    /// The bounds may be equal.
    case reached
    /// The bounds may be equal unless the next int rounds to the rule's bound.
    case reachedExactly
    /// The filter's bound must be tighter.
    case passed
  }

  /// Returns the proposition that a filter's lower or upper bound is compared with a rule's and reaches it.
  private func isBeyond(
    _ wanted: TermID, value: TermID, isLower: Bool, reach: Reach
  ) -> Ref {
    let isCompared = isCompared(value, with: wanted)
    let (less, greater) = isLower ? (wanted, value) : (value, wanted)
    let isPast = compared(.less, left: less, right: greater)
    if reach == .passed { return problem.graph.and(isCompared, isPast) }
    let isReached = problem.graph.and(isCompared, compared(.lessEqual, left: less, right: greater))
    let isRounded = problem.graph.and(problem.isType(of: value, in: .int), isCoarse(wanted))
    if reach == .reached || isRounded == .no { return isReached }
    return problem.graph.and(isReached, problem.graph.or(isPast, !isRounded))
  }

  /// Returns the condition under which filters that imply `field op value` imply `field != wanted`.
  private func excludes(
    _ wanted: TermID, by op: BinaryOperator, value: TermID, own: TermID
  ) -> Ref {
    switch op {
    case .greater, .less:
      return isBeyond(wanted, value: value, isLower: op == .greater, reach: .reachedExactly)
    case .greaterEqual, .lessEqual:
      return isBeyond(wanted, value: value, isLower: op == .greaterEqual, reach: .passed)
    case .equal: return isDifferent(value, from: wanted)
    case .notEqual:
      // A filter for 2.0 implies `!= 2`, but not `!= 2.0`.
      let isMixed = problem.graph.and(
        problem.isType(of: value, in: .int), problem.isType(of: wanted, in: .float))
      let isOther = problem.graph.and(!isCoarse(wanted), !compared(.equal, left: own, right: value))
      return problem.graph.and(isSame(value, as: wanted), problem.graph.or(!isMixed, isOther))
    case .in, .and, .or, .add, .subtract, .multiply, .divide, .remainder: return .no
    }
  }

  /// Returns the proposition that two values differ and have one type or are both numbers, so that a filter
  /// for one implies that the field is not the other one.
  private func isDifferent(_ value: TermID, from wanted: TermID) -> Ref {
    guard oddlyEqual(value, wanted).isEmpty else { return .no }
    let numbers: TypeSet = [.int, .float]
    let shared = problem.terms.types(of: value).intersection(problem.terms.types(of: wanted))
    var cases = [
      problem.graph.and(
        problem.isType(of: value, in: numbers), problem.isType(of: wanted, in: numbers))
    ]
    for type in shared.subtracting(numbers).types {
      let isOf = TypeSet(type)
      cases.append(
        problem.graph.and(problem.isType(of: value, in: isOf), problem.isType(of: wanted, in: isOf))
      )
    }
    return problem.graph.and(
      problem.graph.or(cases), compared(.notEqual, left: value, right: wanted))
  }

  // MARK: Comparisons that few filters imply

  /// Requires that filters which imply `== 2.0` are for 2.0 or 2.
  private func linkFloat(_ one: Asked, among questions: [Asked]) {
    guard one.op == .equal, case .float(let number)? = problem.terms.value(of: one.values[0]),
      number.magnitude < 0x1p53, let int = Int64(exactly: number)
    else { return }
    let filters = [Value.float(number), .int(int)].map { FieldFilter(.equal, value: $0) }
    problem.require(
      one.isImplied, implies: problem.graph.or(filters.map { implied(by: $0, questions) }))
  }

  /// Requires that a filter which implies `!= 2` and finds 2 is for 2.0.
  private func linkInt(_ one: Asked, among questions: [Asked], own: TermID) {
    guard one.op == .notEqual, let value = one.values.first, !isNever(value, of: .int) else {
      return
    }
    let isFound = problem.graph.and(
      one.isImplied, problem.isType(of: value, in: .int),
      problem.graph.and(!problem.canBeRounded(value), compared(.equal, left: own, right: value)))
    if isFound == .no { return }
    for question in questions where question.op != .in {
      let wanted = question.values[0]
      let isFloat = problem.isType(of: wanted, in: .float)
      let follows =
        question.op == .notEqual
        ? problem.graph.or(
          problem.isType(of: wanted, in: .int),
          problem.graph.and(isFloat, compared(.notEqual, left: value, right: wanted)))
        : problem.graph.and(isFloat, compared(question.op, left: value, right: wanted))
      problem.require(problem.graph.and(isFound, follows), implies: question.isImplied)
    }
  }

  /// Requires that a filter which finds a NaN and implies more than an inequality is the filter for NaN,
  /// which implies every comparison with a number.
  private func linkNaN(_ one: Asked, among questions: [Asked], own: TermID) {
    if one.op == .notEqual || one.op == .in { return }
    let isNaN = problem.same(own, problem.constant(.float(.nan)))
    let isFound = problem.graph.and(one.isImplied, isNaN)
    for question in questions where question.op != .in {
      for value in question.values {
        let isAbout = problem.graph.and(isFound, problem.isType(of: value, in: [.int, .float]))
        problem.require(isAbout, implies: question.isImplied)
      }
    }
  }

  /// Returns the conjunction of the comparisons that a filter implies.
  private func implied(by filter: FieldFilter, _ questions: [Asked]) -> Ref {
    var parts: [Ref] = []
    for question in questions {
      let isImplied = question.values.contains { term in
        problem.terms.value(of: term).map { filter.implies(question.op, value: $0) } ?? false
      }
      if isImplied { parts.append(question.isImplied) }
    }
    return problem.graph.and(parts)
  }

  /// Requires that filters on a value of a type with an order imply that the field is not null.
  private func linkNull(_ one: Asked, of field: TermID, own: TermID) {
    guard one.op == .notEqual, one.values == [problem.terms.null],
      case .apply(.field, let place) = problem.terms[field]
    else { return }
    let isThere = problem.graph.and(
      problem.isType(of: place[0], in: .map), problem.has(place[0], key: place[1]),
      problem.isType(of: field, in: .constraint))
    problem.require(
      isThere,
      implies: problem.graph.or(one.isImplied, problem.isType(of: own, in: FieldFilter.unordered)))
  }

  // MARK: Elements

  /// Requires that a query which contains one of several elements has a filter for one of them.
  private func linkElements(_ one: Asked, among questions: [Asked]) {
    guard one.op == .in, one.values.count > 1 else { return }
    var cases: [Ref] = []
    for term in one.values {
      guard let value = problem.terms.value(of: term) else { return }
      cases.append(implied(by: FieldFilter(.arrayContains, value: value), questions))
    }
    problem.require(one.isImplied, implies: problem.graph.or(cases))
  }

  /// Requires that two membership comparisons are implied together only if one element satisfies both: a
  /// query asks for one element of one list.
  private func linkContained(_ asked: [TermID: [Asked]]) {
    var found: [(field: TermID, asked: Asked)] = []
    for field in asked.keys.sorted() where problem.terms.isNamed(field) {
      for one in asked[field] ?? [] where one.op == .in { found.append((field, one)) }
    }
    for (place, one) in found.enumerated() {
      guard problem.goesOn(found.count) else { return }
      for other in found[..<place] {
        var common: [Ref] = []
        if one.field == other.field {
          for value in one.asked.values {
            for wanted in other.asked.values { common.append(isAnyElement(value, and: wanted)) }
          }
        }
        problem.require(
          problem.graph.and(one.asked.isImplied, other.asked.isImplied),
          implies: problem.graph.or(common))
      }
    }
  }

  /// Returns the proposition that one filter may ask for both elements.
  private func isAnyElement(_ one: TermID, and other: TermID) -> Ref {
    guard oddlyEqual(one, other).isEmpty else { return .yes }
    // The engine rounds ints here.
    return problem.graph.or(
      compared(.equal, left: one, right: other), problem.canBeRounded(one),
      problem.canBeRounded(other))
  }
}

extension TermTable {
  /// True if all names in a field's path are constants, so that different terms are different fields.
  fileprivate func isNamed(_ field: TermID) -> Bool {
    var field = field
    while case .apply(.field, let place) = self[field] {
      guard isConstant(place[1]) else { return false }
      field = place[0]
    }
    return true
  }
}

extension BinaryOperator {
  /// True if the operator compares two values.
  package var isComparison: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessEqual, .greater, .greaterEqual, .in: true
    case .and, .or, .add, .subtract, .multiply, .divide, .remainder: false
    }
  }
}
