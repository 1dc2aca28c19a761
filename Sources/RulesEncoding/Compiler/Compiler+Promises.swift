import RulesEval
package import RulesLang
package import RulesSolver

// List requests: what the rules see is made of a query's filters alone. A field without a filter is
// missing, one with an equality has its value, any other is a *constraint*, about which a comparison
// is either true, because a filter implies it, or unknown. The documents that the query returns meet
// the filters; that is all that ties the two together.

extension Compiler {
  /// Ties a field of the promise to the same field of the document that the query returns.
  func linkPromise(_ term: TermID) {
    guard let own = counterpart(of: term), linked.insert(term).inserted,
      case .apply(.field, let arguments) = problem.terms[term],
      let ownMap = counterpart(of: arguments[0])
    else { return }
    let isThere = problem.graph.and(
      problem.isType(arguments[0], .map), problem.has(arguments[0], arguments[1]))
    // A document without the field meets no filter on it.
    problem.require(
      isThere,
      implies: problem.graph.and(
        problem.isType(ownMap, .map), problem.has(ownMap, arguments[1])))
    let isConstraint = problem.isType(term, .constraint)
    let isPartial = problem.holds(.unnamedFew(0), [term])
    problem.require(isPartial, implies: problem.isType(term, .map))
    problem.require(
      problem.graph.and(isThere, !isConstraint, !isPartial),
      implies: problem.setEqual(term, own))
    problem.require(
      problem.graph.and(isThere, isPartial), implies: problem.isType(own, .map))
  }

  /// Ties the keys that filters name to the document that the query returns. To be called once all
  /// conditions are compiled.
  func linkPromisedKeys() {
    guard scene.scenario.method == .list else { return }
    for index in 0..<problem.terms.count {
      guard case .apply(let op, let arguments) = problem.terms[TermID(index)],
        op == .has || op == .unnamedKey, let own = counterpart(of: arguments[0])
      else { continue }
      guard problem.goesOn() else { return }
      let isMap = problem.graph.and(
        problem.isType(arguments[0], .map), problem.same(TermID(index), problem.terms.yes))
      let isThere =
        op == .has ? problem.has(own, arguments[1]) : problem.holds(.unnamedKey, [own])
      problem.require(
        isMap, implies: problem.graph.and(problem.isType(own, .map), isThere))
    }
  }

  /// The term of the returned document that a term of the promise speaks about.
  func counterpart(of term: TermID) -> TermID? {
    if term == scene.promise { return scene.before }
    guard case .apply(.field, let arguments) = problem.terms[term],
      let map = counterpart(of: arguments[0])
    else { return nil }
    return problem.field(map, arguments[1], Variable.storable)
  }

  /// The filters imply a comparison of a constraint with a value; then it is true of the document,
  /// but for the engine's oddities.
  package func promise(_ op: BinaryOperator, _ left: TermID, _ right: TermID) -> Ref {
    // The filters of two fields say nothing about how these compare: that is always an error.
    let areBoth = problem.graph.and(
      problem.isType(left, .constraint), problem.isType(right, .constraint))
    let implied = problem.graph.and(
      problem.holds(.definedOperation(op), [left, right]), !areBoth)
    guard promised.insert(PromiseKey(op: op, left: left, right: right)).inserted else {
      return implied
    }
    let (one, other) = (counterpart(of: left) ?? left, counterpart(of: right) ?? right)
    if one != left || other != right {
      // Stated once only, so what is unknown here is nobody else's.
      let outer = unknowns.enter(nil)
      defer { unknowns.leave(to: outer) }
      let rails: Rails
      if op == .in {
        rails = membership(Cases(other), Cases(one), ExprID(0))
      } else {
        rails = self.rails(of: binary(op, Cases(one), Cases(other), ExprID(0)))
      }
      var cases = [rails.yes]
      if one != left { cases += oddities(op, one, other) }
      if other != right { cases += oddities(op, other, one) }
      problem.require(implied, implies: problem.graph.or(cases))
    }
    return implied
  }

  /// When the filters imply a comparison of a field that is not true of the document: a filter for
  /// NaN implies every comparison with a number, one for a float that the field is no int, though it
  /// finds the int of the same value (Docs/Fidelity.md §5).
  private func oddities(_ op: BinaryOperator, _ own: TermID, _ wanted: TermID) -> [Ref] {
    if op == .in { return [] }
    let isNaN = problem.graph.and(
      problem.same(own, problem.constant(.float(.nan))),
      problem.isType(wanted, [.int, .float]))
    guard op == .notEqual else { return [isNaN] }
    return [
      isNaN, problem.graph.and(problem.isType(wanted, .int), problem.equal(own, wanted)),
    ]
  }

  /// `hasAny` of a constraint: whether a filter asks for one of the elements; nil if these are computed.
  func promiseHasAny(_ term: TermID, _ argument: Shape) -> Cases? {
    guard case .term(let list) = argument, case .list(let values) = problem.terms.value(of: list)
    else { return nil }
    let asked = problem.holds(.definedBuiltin(.constraintHasAny), [term, list])
    if let own = counterpart(of: term) {
      let members = values.map { problem.holds(.member, [own, problem.constant($0)]) }
      problem.require(
        asked,
        implies: problem.graph.and(problem.isType(own, .list), problem.graph.or(members)))
    }
    return Cases(.truth(asked))
  }
}
