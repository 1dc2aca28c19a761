import RulesEval
package import RulesLang
package import RulesSolver

// The operators other than `&&`, `||` and `!`.

extension Compiler {
  /// Applies a function to the shape of each case of a value.
  package func each(of value: Cases, _ body: (Shape) -> Cases) -> Cases {
    Cases(cases: value.cases.flatMap { under($0.guardRef, value: body($0.shape)).cases })
  }

  /// Returns `left op right` for an operator that evaluates both operands.
  package func binary(_ op: BinaryOperator, left: Cases, right: Cases, at id: ExprID) -> Cases {
    if let one = left.onlyTerm, let other = right.onlyTerm {
      let known = evaluated([.term(one), .term(other)], at: id) {
        values throws(EvaluationError.Reason) in
        try PureFunctions.apply(op, to: values[0], and: values[1])
      }
      if let known { return known }
    }
    let rows = OperandTypes.rows(op)
    switch op {
    case .equal, .notEqual: return cases(of: equality(op, left: left, right: right, at: id))
    case .less, .lessEqual, .greater, .greaterEqual:
      return cases(
        of: guardedRails(by: rows, left: left, right: right) {
          order(op, left: $0, right: $1, at: id)
        })
    case .add, .subtract, .multiply, .divide, .remainder:
      return guarded(by: rows, operands: [left, right], at: id) {
        arithmetic(op, left: $0[0], right: $0[1], at: id)
      }
    case .in: return cases(of: membership(of: left, in: right, at: id))
    case .and, .or: return opaque(at: id, reason: "an operand of a condition")
    }
  }

  // MARK: Equality

  /// Returns the rails of `==` or `!=`.
  private func equality(
    _ op: BinaryOperator, left: Cases, right: Cases, at id: ExprID
  ) -> Rails {
    guardedRails(by: OperandTypes.rows(op), left: left, right: right) { one, other in
      let isPromise = problem.graph.or(
        isType(of: one, in: .constraint), isType(of: other, in: .constraint))
      var plain: Rails
      if let left = one.asTerm, let right = other.asTerm {
        plain = equality(of: left, and: right, at: id)
      } else {
        plain = equality(of: one, and: other, at: id)
      }
      if op == .notEqual { plain = Rails(yes: plain.no, no: plain.yes) }
      if isPromise == .no { return plain }
      // A comparison with a constraint is true if the filters imply it, and an error otherwise.
      let promised: Ref
      if let left = one.asTerm, let right = other.asTerm {
        promised = promise(op, left: left, right: right, at: id)
      } else {
        promised = opaqueRails(at: id, reason: "a filter for a computed value").yes
      }
      return Rails(
        yes: problem.graph.or(
          problem.graph.and(!isPromise, plain.yes), problem.graph.and(isPromise, promised)),
        no: problem.graph.and(!isPromise, plain.no))
    }
  }

  /// Returns the rails of a condition that is never an error.
  package func total(_ proposition: Ref) -> Rails { Rails(yes: proposition, no: !proposition) }

  /// Returns the rails of the equality of two values, which is never an error.
  ///
  /// - Requires: At least one shape is more than a term, and neither is a constraint of a query's filters.
  private func equality(of left: Shape, and right: Shape, at id: ExprID) -> Rails {
    switch (left, right) {
    case (.truth(let one), .truth(let other)): return total(problem.graph.iff(one, other))
    case (.truth(let one), .term(let other)), (.term(let other), .truth(let one)):
      return total(
        problem.graph.or(
          problem.graph.and(one, problem.same(other, problem.terms.yes)),
          problem.graph.and(!one, problem.same(other, problem.terms.no))))
    case (.path(let one), .path(let other)): return total(areSegmentsSame(one, other))
    case (.path(let segments), .term(let term)), (.term(let term), .path(let segments)):
      return equality(of: term, and: self.term(ofPath: segments), at: id)
    case (.keySet(let one), .keySet(let other)): return equality(of: one, and: other, at: id)
    case (.keySet(let keys), .set(let elements)), (.set(let elements), .keySet(let keys)):
      guard let literal = keySet(of: elements) else {
        return opaqueRails(at: id, reason: "a computed set")
      }
      return equality(of: keys, and: literal, at: id)
    case (.keySet(let keys), .term(let term)), (.term(let term), .keySet(let keys)):
      guard case .set(let set) = problem.terms.value(of: term) else {
        return isNever(term, of: .set) ? total(.no) : opaqueRails(at: id, reason: "a computed set")
      }
      // A key set contains strings only.
      if set.elements.contains(where: { $0.type != .string }) { return total(.no) }
      guard let literal = keySet(of: set.elements) else {
        return opaqueRails(at: id, reason: "a computed set")
      }
      return equality(of: keys, and: literal, at: id)
    case (.list, .list), (.list, .term), (.term, .list), (.record, .record), (.record, .term),
      (.term, .record):
      return identical(left, right).map { total($0) }
        ?? opaqueRails(at: id, reason: "comparing lists or maps of computed values")
    case (.keyList(let keys), .term(let term)), (.term(let term), .keyList(let keys)):
      return equality(keyList: keys, and: term, at: id)
    case (.count(let keys), _), (_, .count(let keys)):
      let other = left == .count(keys) ? right : left
      if types(of: other).isDisjoint(with: [.int, .float]) { return total(.no) }
      return count(of: keys, compared: .equal, with: other, at: id)
    case (.diff, .diff): return total(.no)
    default:
      return types(of: left).isDisjoint(with: types(of: right))
        ? total(.no) : opaqueRails(at: id, reason: "comparing values that are computed")
    }
  }

  /// Returns the term of a path of plain segments.
  package func term(ofPath segments: [TermID]) -> TermID {
    var texts: [Text] = []
    for segment in segments {
      guard case .string(let text) = problem.terms.value(of: segment) else {
        return problem.terms.apply(.path, to: segments, types: .path)
      }
      texts.append(text)
    }
    return problem.constant(.path(PathValue(plain: texts)))
  }

  /// True if no value of a term has a type.
  package func isNever(_ term: TermID, of type: ValueType) -> Bool {
    !problem.terms.types(of: term).contains(type)
  }

  /// Returns the rails of an uninterpreted comparison.
  func opaqueRails(at id: ExprID, reason: String) -> Rails {
    rails(of: opaque(at: id, reason: reason, types: .bool))
  }

  /// Returns the truth of an uninterpreted comparison that is never an error.
  func openTruth(at id: ExprID, reason: String) -> Ref {
    opaqueRails(at: id, reason: reason).yes
  }

  /// Returns the rails of the equality of two terms.
  ///
  /// - Requires: Neither term is a constraint of a query's filters.
  private func equality(of left: TermID, and right: TermID, at id: ExprID) -> Rails {
    var plain = problem.equal(left, right)
    let odd = oddlyEqual(left, right)
    if !odd.isEmpty, problem.terms.value(of: left) == nil || problem.terms.value(of: right) == nil {
      let areOdd = problem.graph.and(
        problem.isType(of: left, in: odd), problem.isType(of: right, in: odd))
      plain = problem.graph.or(
        problem.graph.and(!areOdd, plain),
        problem.graph.and(
          areOdd, openTruth(at: id, reason: "comparing sets, paths, or values that contain them"))
      )
    }
    return total(plain)
  }

  func areSegmentsSame(_ one: [TermID], _ other: [TermID]) -> Ref {
    guard one.count == other.count else { return .no }
    return problem.graph.and(zip(one, other).map { problem.same($0.0, $0.1) })
  }

  // MARK: Order

  /// Returns the rails of an order comparison of operands that fit.
  private func order(
    _ op: BinaryOperator, left: Shape, right: Shape, at id: ExprID
  ) -> Rails {
    switch (left, right) {
    case (.count(let keys), _): return count(of: keys, compared: op, with: right, at: id)
    case (_, .count(let keys)):
      return count(of: keys, compared: Compiler.mirrored(op), with: left, at: id)
    case (.term(let one), .term(let other)): return order(op, left: one, right: other, at: id)
    default: return opaqueRails(at: id, reason: "the order of computed values")
    }
  }

  /// Returns the operator of the comparison with operands exchanged.
  package static func mirrored(_ op: BinaryOperator) -> BinaryOperator {
    switch op {
    case .less: .greater
    case .lessEqual: .greaterEqual
    case .greater: .less
    case .greaterEqual: .lessEqual
    case .or, .and, .in, .equal, .notEqual, .add, .subtract, .multiply, .divide, .remainder: op
    }
  }

  private func order(
    _ op: BinaryOperator, left: TermID, right: TermID, at id: ExprID
  ) -> Rails {
    switch op {
    case .greater, .greaterEqual: return order(Self.mirrored(op), left: right, right: left, at: id)
    default: break
    }
    let isStrict = op == .less
    var yes: [Ref] = []
    var no: [Ref] = []
    for domain in [Domain.int, .timestamp, .duration] {
      let both = problem.graph.and(
        problem.isType(of: left, in: TypeSet(domain.type)),
        problem.isType(of: right, in: TypeSet(domain.type)))
      if both == .no { continue }
      let holds = problem.isLess(left, than: right, in: domain, isStrict: isStrict)
      yes.append(problem.graph.and(both, holds))
      no.append(problem.graph.and(both, !holds))
    }
    orderNumbers(left, and: right, isStrict: isStrict, yes: &yes, no: &no)
    for type in [TypeSet.string, .bytes] {
      let both = problem.graph.and(
        problem.isType(of: left, in: type), problem.isType(of: right, in: type))
      if both == .no { continue }
      let holds = problem.isOrdered(left, before: right, isStrict: isStrict)
      yes.append(problem.graph.and(both, holds))
      no.append(problem.graph.and(both, !holds))
    }
    let bound = problem.graph.or(
      problem.isType(of: left, in: .constraint), problem.isType(of: right, in: .constraint))
    if bound != .no {
      yes.append(problem.graph.and(bound, promise(op, left: left, right: right, at: id)))
    }
    return Rails(yes: problem.graph.or(yes), no: problem.graph.or(no))
  }

  /// Adds the rails for numbers of which at least one is a float.
  private func orderNumbers(
    _ left: TermID, and right: TermID, isStrict: Bool, yes: inout [Ref], no: inout [Ref]
  ) {
    let numbers: TypeSet = [.int, .float]
    let both = problem.graph.and(
      problem.isType(of: left, in: numbers), problem.isType(of: right, in: numbers),
      problem.graph.or(problem.isType(of: left, in: .float), problem.isType(of: right, in: .float)))
    if both == .no { return }
    let holds = problem.isLessNumber(left, than: right, isStrict: isStrict)
    yes.append(problem.graph.and(both, holds))
    no.append(problem.graph.and(both, !holds))
  }

  // MARK: Arithmetic

  /// Returns `-operand`.
  package func negate(_ operand: ExprID, at id: ExprID, in frame: SymbolicFrame) -> Cases {
    // The literal of the least int exists only negated, and its value is already negative.
    if case .literal(.int(.min)) = rules.ruleset[operand].kind {
      return cases(of: operand, in: frame)
    }
    return guarded(by: OperandTypes.negate, operands: [cases(of: operand, in: frame)], at: id) {
      shapes in
      evaluated(shapes, at: id) { values throws(EvaluationError.Reason) in
        try PureFunctions.negate(values[0])
      } ?? opaque(at: id, reason: "unary minus", types: results(of: OperandTypes.negate, shapes))
    }
  }

  private func arithmetic(
    _ op: BinaryOperator, left: Shape, right: Shape, at id: ExprID
  ) -> Cases {
    let known = evaluated([left, right], at: id) { values throws(EvaluationError.Reason) in
      try PureFunctions.apply(op, to: values[0], and: values[1])
    }
    if let known { return known }
    guard let one = left.asTerm, let other = right.asTerm else {
      return opaque(
        at: id, reason: "arithmetic on a number of keys",
        types: results(of: OperandTypes.rows(op), [left, right]))
    }
    guard let (sum, rest) = shifted(op, left: one, right: other) else {
      return function(op, left: one, right: other, at: id)
    }
    return sum.union(under(rest, value: function(op, left: one, right: other, at: id)))
  }

  /// Returns a term plus or minus a constant, in the unit of its domain, and the proposition that the term is
  /// of none of these domains; nil if neither operand is a constant of a domain.
  private func shifted(
    _ op: BinaryOperator, left one: TermID, right other: TermID
  ) -> (sum: Cases, rest: Ref)? {
    let (base, amount): (TermID, Value)
    switch op {
    case .add:
      if let value = problem.terms.value(of: other) {
        (base, amount) = (one, value)
      } else if let value = problem.terms.value(of: one) {
        (base, amount) = (other, value)
      } else {
        return nil
      }
    case .subtract:
      guard let value = problem.terms.value(of: other), let opposite = value.opposite else {
        return nil
      }
      (base, amount) = (one, opposite)
    default: return nil
    }
    let domains: [Domain]
    let steps: Int64?
    switch amount {
    case .int(let number): (domains, steps) = ([.int], number)
    case .duration(let length):
      let nanos = Value.duration(length).count(in: .duration)
      (domains, steps) = ([.timestamp, .duration], nanos.flatMap { Int64(exactly: $0) })
    default: return nil
    }
    guard let steps else { return nil }
    let sum = Cases(
      cases: domains.compactMap { domain in
        let isOf = problem.isType(of: base, in: TypeSet(domain.type))
        if isOf == .no { return nil }
        let sum =
          steps == 0
          ? base
          : problem.terms.apply(.plus(domain, steps), to: [base], types: TypeSet(domain.type))
        let fits = problem.graph.and(isOf, problem.isInRange(base, shiftedBy: steps, in: domain))
        return Cases.Case(guardRef: fits, shape: .term(sum))
      })
    return (sum, !problem.isType(of: base, in: domains.typeSet))
  }

  /// Returns the result of an operator as an uninterpreted function, of which only the types are known.
  private func function(
    _ op: BinaryOperator, left one: TermID, right other: TermID, at id: ExprID
  ) -> Cases {
    let shapes = [Shape.term(one), .term(other)]
    let rows = OperandTypes.rows(op).filter { canFit($0, given: shapes) }
    let results = results(of: rows, shapes)
    let isDefined = problem.holds(.definedOperation(op), of: [one, other])
    let value = problem.terms.apply(.operation(op), to: [one, other], types: results)
    let whether = problem.terms.apply(.definedOperation(op), to: [one, other], types: .bool)
    note([value, whether], at: id, as: "`\(op.symbol)` of two unknown values")
    var fits: [Ref] = []
    for row in rows {
      let isOf = problem.graph.and(
        problem.isType(of: one, in: row.operands[0]), problem.isType(of: other, in: row.operands[1])
      )
      fits.append(isOf)
      // Concatenation of strings never fails.
      if row.result == .string { problem.require(isOf, implies: isDefined) }
      problem.require(
        problem.graph.and(isDefined, isOf), implies: problem.isType(of: value, in: row.result))
    }
    problem.require(isDefined, implies: problem.graph.or(fits))
    return Cases(cases: [Cases.Case(guardRef: isDefined, shape: .term(value))])
  }
}

extension [Domain] {
  fileprivate var typeSet: TypeSet { reduce([]) { $0.union(TypeSet($1.type)) } }
}

extension Value {
  /// The additive inverse; nil if there is none.
  fileprivate var opposite: Value? {
    switch self {
    case .int(let number) where number != .min: .int(-number)
    case .duration(let length): .duration(-length)
    default: nil
    }
  }
}
