package import RulesEval
package import RulesLang
package import RulesSolver

// Which operands an operation takes is said once, in `OperandTypes` and `Builtins.table`; here it becomes
// the guard of what the operation gives. Whoever compiles an operation does it for operands that fit, and
// where it knows no better says "opaque": that something ends in an error is said by the table alone, or
// by the evaluator about operands that are known.

extension Compiler {
  /// What a value of the scenario can be: only a query leaves constraints.
  var valueTypes: TypeSet {
    scene.scenario.method == .list ? .any : TypeSet.any.subtracting(.constraint)
  }

  /// The types that a shape can have.
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

  /// When a value of a shape has one of some types.
  package func isType(of shape: Shape, in types: TypeSet) -> Ref {
    if case .term(let term) = shape { return problem.isType(of: term, in: types) }
    return types.isSuperset(of: self.types(of: shape)) ? .yes : .no
  }

  /// Whether values of these shapes can fit a row at all.
  package func canFit(_ row: OperandTypes.Row, given shapes: [Shape]) -> Bool {
    for (wanted, shape) in zip(row.operands, shapes)
    where wanted.isDisjoint(with: types(of: shape)) { return false }
    return row.operands.count == shapes.count
  }

  /// The types of what comes out where values of these shapes fit.
  package func results(of rows: [OperandTypes.Row], _ shapes: [Shape]) -> TypeSet {
    rows.reduce([]) { canFit($1, given: shapes) ? $0.union($1.result) : $0 }
  }

  /// When values of these shapes fit one of some rows.
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

  /// What an operation gives: for each combination of its operands' shapes, where they fit a row, what
  /// `body` says, and elsewhere an error. If all are constants the evaluator says it.
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

  /// The combinations of the cases of some values that can apply; nil if there are too many.
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
      if combinations.count > Self.greatestCombinations { return nil }
    }
    return combinations
  }

  /// More combinations of operands are not followed.
  private static let greatestCombinations = 600

  /// The same for a relation of two values.
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
        // Of two terms the relation itself says what becomes of each type.
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

  /// What the evaluator says of values that are all known; nil if one is not. Where it has no answer,
  /// neither a value nor an error, nothing is known.
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

  /// A value of which the evaluator does not say what it is, nor whether it is an error.
  func unmodelled(at id: ExprID, reason: EvaluationError.Reason) -> Cases {
    let place = Doubt(reason.unsupportedText, at: rules.ruleset[id].range)
    if !unmodelledPlaces.contains(place) { unmodelledPlaces.append(place) }
    return opaque(at: id, reason: reason.unsupportedText)
  }

  /// The value of a shape that is a constant.
  package func value(of shape: Shape) -> Value? {
    shape.asTerm.flatMap { problem.terms.value(of: $0) }
  }

  // MARK: Values that are not followed

  /// Whether a value can be, or have inside, a promise of a query's filters: sets and `diff()` take none.
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

  /// Whether one of a value's cases can.
  func canHoldConstraint(_ value: Cases) -> Bool {
    value.cases.contains { canHoldConstraint($0.shape) }
  }

  /// The types for which two terms can be equal without being the same value, or the same without being
  /// equal: sets have no order, a `diff()` equals nothing, and a path may have captures. Nothing of that
  /// is stored or in a token.
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
  /// What is not modelled, as a reason for doubt.
  fileprivate var unsupportedText: String {
    switch self {
    case .patternTooLarge: "what a regular expression of this size matches is not modelled"
    case .valueTooLarge: "a value of this size is not modelled"
    default: "what the evaluator says here is not modelled"
    }
  }
}

extension Shape {
  /// The term, if that is all there is.
  var asTerm: TermID? {
    if case .term(let term) = self { return term }
    return nil
  }
}

extension TermTable {
  /// Whether all that a term can be, and have inside, is of types whose equality is being the same, but
  /// for numbers.
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
  /// Whether nothing in it is a set, a `diff()`, or a path with captures.
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
