package import RulesEval
package import RulesLang
package import RulesSolver

// Guards of operations. `OperandTypes` and `Builtins.table` list the operands that an operation takes; the
// guard of its result is made from these rows. Each encoding is for operands that fit. For what it does not
// interpret it returns an opaque value, never an error.

extension Compiler {
  /// The possible types of values: only a query has constraints.
  var valueTypes: TypeSet {
    scene.scenario.method == .list ? .any : TypeSet.any.subtracting(.constraint)
  }

  /// Returns the possible types of a shape.
  package func types(of shape: Shape) -> TypeSet {
    switch shape {
    case .term(let term): problem.terms.types(of: term)
    case .truth: .bool
    case .list, .keyList: .list
    case .set, .keySet: .set
    case .record, .view: .map
    case .path: .path
    case .count: .int
    case .diff: .mapDiff
    }
  }

  /// Returns the proposition that a value has one of some types.
  package func isType(of shape: Shape, in types: TypeSet) -> Ref {
    if case .term(let term) = shape { return problem.isType(of: term, in: types) }
    return types.isSuperset(of: self.types(of: shape)) ? .yes : .no
  }

  /// True if values of these shapes may fit a row.
  package func canFit(_ row: OperandTypes.Row, given shapes: [Shape]) -> Bool {
    for (wanted, shape) in zip(row.operands, shapes)
    where wanted.isDisjoint(with: types(of: shape)) { return false }
    return row.operands.count == shapes.count
  }

  /// Returns the types of results for values of these shapes.
  package func results(of rows: [OperandTypes.Row], _ shapes: [Shape]) -> TypeSet {
    rows.reduce([]) { canFit($1, given: shapes) ? $0.union($1.result) : $0 }
  }

  /// Returns the proposition that values of these shapes fit one of the rows.
  package func fits(_ rows: [OperandTypes.Row], given shapes: [Shape]) -> Ref {
    var cases: [Ref] = []
    for row in rows where canFit(row, given: shapes) {
      var parts: [Ref] = []
      for (wanted, shape) in zip(row.operands, shapes) {
        parts.append(isType(of: shape, in: wanted))
      }
      cases.append(problem.graph.and(parts))
    }
    return problem.graph.or(cases)
  }

  /// Returns the result of an operation: for each combination of operand shapes, the result of `body` if the
  /// operands fit a row, otherwise an error.
  func guarded(
    by rows: [OperandTypes.Row], operands: [Cases], at id: ExprID, body: ([Shape]) -> Cases
  ) -> Cases {
    guard let combinations = combinations(of: operands) else {
      return opaque(at: id, reason: "too many cases")
    }
    var result: [Cases.Case] = []
    for each in combinations {
      let condition = problem.graph.and(each.guardRef, fits(rows, given: each.shapes))
      if condition == .no { continue }
      result += under(condition, value: body(each.shapes)).cases
    }
    return Cases(cases: result)
  }

  /// Returns the combinations of cases that can apply together; nil if there are too many.
  private func combinations(of values: [Cases]) -> [(guardRef: Ref, shapes: [Shape])]? {
    var combinations: [(guardRef: Ref, shapes: [Shape])] = [(.yes, [])]
    for value in values {
      var longer: [(guardRef: Ref, shapes: [Shape])] = []
      for combination in combinations {
        for each in value.cases {
          let both = problem.graph.and(combination.guardRef, each.guardRef)
          if both != .no { longer.append((both, combination.shapes + [each.shape])) }
        }
      }
      combinations = longer
      if combinations.count > EncodingStrategy.cases { return nil }
    }
    return combinations
  }

  /// Returns the rails of a relation: for each combination of operand shapes, the result of `body` if the
  /// operands fit a row, otherwise an error.
  func guardedRails(
    by rows: [OperandTypes.Row], left: Cases, right: Cases, body: (Shape, Shape) -> Rails
  ) -> Rails {
    var yes: [Ref] = []
    var no: [Ref] = []
    for one in left.cases {
      for other in right.cases {
        let shapes = [one.shape, other.shape]
        var both = problem.graph.and(one.guardRef, other.guardRef)
        guard both != .no, rows.contains(where: { canFit($0, given: shapes) }) else { continue }
        // A relation of two terms distinguishes their types by itself.
        if one.shape.asTerm == nil || other.shape.asTerm == nil {
          both = problem.graph.and(both, fits(rows, given: shapes))
        }
        let rails = body(one.shape, other.shape)
        yes.append(problem.graph.and(both, rails.yes))
        no.append(problem.graph.and(both, rails.no))
      }
    }
    return Rails(yes: problem.graph.or(yes), no: problem.graph.or(no))
  }

  // MARK: Constants

  /// Returns the evaluator's result for constants; nil if an operand is not a constant. It is opaque where
  /// the evaluator gives neither a value nor an error.
  package func evaluated(
    _ shapes: [Shape], at id: ExprID, body: ([Value]) throws(EvaluationError.Reason) -> Value
  ) -> Cases? {
    var values: [Value] = []
    for shape in shapes {
      guard let value = value(of: shape) else { return nil }
      values.append(value)
    }
    do throws(EvaluationError.Reason) {
      return Cases(problem.constant(try body(values)))
    } catch {
      return error.isUnsupported ? unmodelled(at: id, reason: error) : .error
    }
  }

  /// Returns an opaque value for a place at which the evaluator gives no answer.
  func unmodelled(at id: ExprID, reason: EvaluationError.Reason) -> Cases {
    let place = OpenReason(reason.unsupportedText, at: rules.ruleset[id].range)
    if !unmodelledPlaces.contains(place) { unmodelledPlaces.append(place) }
    return opaque(at: id, reason: reason.unsupportedText)
  }

  /// Returns the value of a constant; nil for other shapes.
  package func value(of shape: Shape) -> Value? {
    shape.asTerm.flatMap { problem.terms.value(of: $0) }
  }

  // MARK: Uninterpreted values

  /// True if a value may be or contain a constraint of a query's filters, which sets and `diff()` do not
  /// accept.
  func canHoldConstraint(_ shape: Shape) -> Bool {
    guard valueTypes.contains(.constraint) else { return false }
    switch shape {
    case .term(let term):
      let types = problem.terms.types(of: term)
      if types.contains(.constraint) { return true }
      return !types.isDisjoint(with: [.list, .map]) && problem.terms.value(of: term) == nil
        && memberTypes(of: term).contains(.constraint)
    case .list(let elements), .set(let elements):
      return elements.contains { canHoldConstraint($0) }
    case .record(let fields), .view(let fields):
      return fields.contains { canHoldConstraint($0.value) }
    case .truth, .path, .keyList, .keySet, .count, .diff: return false
    }
  }

  /// True if a value may be or contain a constraint of a query's filters.
  func canHoldConstraint(_ value: Cases) -> Bool {
    value.cases.contains { canHoldConstraint($0.shape) }
  }

  /// Returns the types for which equality of two terms may differ from identity: sets have no order, a
  /// `diff()` equals nothing, and a path may have captures. No document or token contains these. Numbers are
  /// not included.
  func oddlyEqual(_ left: TermID, _ right: TermID) -> TypeSet {
    let shared = problem.terms.types(of: left).intersection(problem.terms.types(of: right))
    let odd: TypeSet = [.set, .mapDiff, .path, .list, .map]
    if shared.isDisjoint(with: odd) { return [] }
    let (one, other) = (problem.terms.isPlain(left), problem.terms.isPlain(right))
    if one && other { return [] }
    return shared.intersection(one || other ? .path : odd)
  }
}

extension EvaluationError.Reason {
  /// The open reason where the evaluator gives no answer.
  fileprivate var unsupportedText: String {
    switch self {
    case .patternTooLarge: "matches of a regular expression of this size are not modelled"
    case .valueTooLarge: "a value of this size is not modelled"
    default: "the evaluator's result here is not modelled"
    }
  }
}

extension Shape {
  /// The term of the shape; nil for other shapes.
  var asTerm: TermID? {
    if case .term(let term) = self { return term }
    return nil
  }
}

extension TermTable {
  /// True if the equality of whatever a term may be or contain is identity, except for numbers.
  package func isPlain(_ term: TermID) -> Bool {
    if let value = value(of: term) { return value.isPlain }
    if types(of: term).isDisjoint(with: [.set, .mapDiff, .path, .list, .map]) { return true }
    var root = term
    while case .apply(let op, let arguments) = self[root], let first = arguments.first {
      switch op {
      case .field, .element, .data: root = first
      case .path, .builtin(.stringSplit): return true
      default: return isDocument(root)
      }
    }
    switch self[root] {
    case .variable(.token), .variable(.promise), .variable(.before), .variable(.after): return true
    case .constant, .variable, .apply: return isDocument(root)
    }
  }

  private func isDocument(_ term: TermID) -> Bool {
    if case .apply(.document, _) = self[term] { return true }
    return false
  }
}

extension Value {
  /// True if the value contains no set, `diff()` or path with captures.
  fileprivate var isPlain: Bool {
    switch self {
    case .set, .mapDiff: false
    case .list(let elements): elements.allSatisfy { $0.isPlain }
    case .map(let map): map.values.allSatisfy { $0.isPlain }
    case .path(let path):
      path.segments.allSatisfy { segment in
        if case .plain = segment { return true }
        return false
      }
    case .null, .bool, .int, .float, .string, .bytes, .timestamp, .duration, .latlng, .vector,
      .constraint:
      true
    }
  }
}
