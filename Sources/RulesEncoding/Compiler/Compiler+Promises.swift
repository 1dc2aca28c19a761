import RulesEval
package import RulesLang
package import RulesSolver

// List requests: the rules see only what a query's filters promise. A field without a filter is missing, one
// with an equality has its value, and any other is a *constraint*: a comparison with it is true if a filter
// implies it, and an error otherwise. The returned document meets the filters, and nothing else relates the
// two.

extension Compiler {
  /// Links a promised field to the field of the document that the query returns.
  func linkPromise(_ term: TermID) {
    guard let own = counterpart(of: term), linked.insert(term).inserted,
      case .apply(.field, let arguments) = problem.terms[term],
      let ownMap = counterpart(of: arguments[0])
    else { return }
    let isThere = problem.graph.and(
      problem.isType(of: arguments[0], in: .map), problem.has(arguments[0], key: arguments[1]))
    // A document without the field meets no filter on it.
    problem.require(
      isThere,
      implies: problem.graph.and(
        problem.isType(of: ownMap, in: .map), problem.has(ownMap, key: arguments[1])))
    let isConstraint = problem.isType(of: term, in: .constraint)
    let isPartial = isPartial(term)
    problem.require(isPartial, implies: problem.isType(of: term, in: .map))
    let isPlain = problem.graph.and(isThere, !isConstraint, !isPartial)
    problem.require(isPlain, implies: problem.setEqual(term, own))
    // Filters distinguish a vector from the list of its numbers.
    problem.require(
      isPlain,
      implies: problem.graph.iff(
        problem.isType(of: term, in: .vector), problem.isType(of: own, in: .vector)))
    problem.require(
      problem.graph.and(isThere, isPartial), implies: problem.isType(of: own, in: .map))
    // Only an equality finds null, and its field is not a constraint.
    problem.require(
      problem.graph.and(isThere, isConstraint), implies: !problem.isType(of: own, in: .null))
  }

  /// Links the keys that filters name to the document that the query returns.
  ///
  /// - Requires: All conditions are compiled.
  func linkPromisedKeys() {
    guard scene.scenario.method == .list else { return }
    nameKeysOfPartialMaps()
    for index in 0..<problem.terms.count {
      guard case .apply(let op, let arguments) = problem.terms[TermID(index)],
        op == .has || op == .unnamedKey, let own = counterpart(of: arguments[0])
      else { continue }
      guard problem.goesOn() else { return }
      let isMap = problem.graph.and(
        problem.isType(of: arguments[0], in: .map), problem.same(TermID(index), problem.terms.yes))
      let isThere =
        op == .has ? problem.has(own, key: arguments[1]) : problem.holds(.unnamedKey, of: [own])
      problem.require(
        isMap, implies: problem.graph.and(problem.isType(of: own, in: .map), isThere))
    }
  }

  /// Returns the proposition that a promised field is a map of which the filters name only some keys.
  private func isPartial(_ map: TermID) -> Ref { problem.holds(.partlyNamed, of: [map]) }

  /// Requires that a map of which the filters name only some keys has one of these.
  private func nameKeysOfPartialMaps() {
    var named: [TermID: [Ref]] = [:]
    for index in 0..<problem.terms.count {
      guard case .apply(.has, let arguments) = problem.terms[TermID(index)],
        linked.contains(arguments[0])
      else { continue }
      named[arguments[0], default: []].append(problem.has(arguments[0], key: arguments[1]))
    }
    for map in linked.sorted() {
      guard problem.goesOn() else { return }
      let keys = named[map, default: []] + [problem.holds(.unnamedKey, of: [map])]
      problem.require(isPartial(map), implies: problem.graph.or(keys))
    }
  }

  /// Returns the term of the returned document that corresponds to a promised one; nil for other terms.
  func counterpart(of term: TermID) -> TermID? {
    if term == scene.promise { return scene.before }
    guard case .apply(.field, let arguments) = problem.terms[term],
      let map = counterpart(of: arguments[0])
    else { return nil }
    return problem.field(of: map, at: arguments[1], types: RequestVariable.storable)
  }

  /// Returns the proposition that the filters imply a comparison in which one operand is a constraint.
  package func promise(
    _ op: BinaryOperator, left: TermID, right: TermID, at id: ExprID
  ) -> Ref {
    // Filters on two fields imply no comparison of the two, which is an error.
    let areBoth = problem.graph.and(
      problem.isType(of: left, in: .constraint), problem.isType(of: right, in: .constraint))
    let implied = problem.graph.and(
      problem.holds(.definedOperation(op), of: [left, right]), !areBoth)
    guard promised.insert(PromiseKey(op: op, left: left, right: right)).inserted else {
      return implied
    }
    if [left, right].contains(where: { problem.terms.value(of: $0)?.isCoarse ?? false }) {
      let term = problem.terms.apply(.definedOperation(op), to: [left, right], types: .bool)
      note([term], at: id, as: "a filter on so large a number")
    }
    // The axiom is stated only once, so its unknowns are not shared.
    let outer = unknowns.enter(nil)
    defer { unknowns.leave(to: outer) }
    var sides = [(field: left, op: op, value: right)]
    if op != .in { sides.append((right, Self.mirrored(op), left)) }
    for side in sides {
      guard let own = counterpart(of: side.field) else { continue }
      let isPromise = problem.isType(of: side.field, in: .constraint)
      if isPromise == .no { continue }
      // A filter never compares with a constraint, or with a value that contains one.
      let isInside =
        (side.op == .in || side.op == .equal) && problem.terms.isPart(side.field, of: side.value)
      problem.require(
        problem.graph.and(implied, isPromise),
        implies: isInside ? .no : isMet(side.op, own: own, value: side.value, at: id))
    }
    return implied
  }

  /// Returns `hasAny` of a constraint: true if a filter asks for one of the elements; nil if these are
  /// computed.
  func promiseHasAny(_ term: TermID, of argument: Shape, at id: ExprID) -> Cases? {
    guard case .term(let list) = argument, case .list(let values) = problem.terms.value(of: list)
    else { return nil }
    let asked = problem.holds(.definedBuiltin(.constraintHasAny), of: [term, list])
    if values.contains(where: { $0.isCoarse }) {
      let term = problem.terms.apply(
        .definedBuiltin(.constraintHasAny), to: [term, list], types: .bool)
      note([term], at: id, as: "a filter on so large a number")
    }
    if let own = counterpart(of: term) {
      var found: [Ref] = []
      for value in values {
        found.append(isMet(.in, own: own, value: problem.constant(value), at: id))
      }
      problem.require(asked, implies: problem.graph.or(found))
    }
    return Cases(.truth(asked))
  }
}

extension Value {
  /// True for a number that several ints round to, and for an int whose magnitude is at least 2⁵³.
  var isCoarse: Bool {
    switch self {
    case .int(let number): number.magnitude >= 1 << 53
    case .float(let number): number.magnitude >= 0x1p53 && number.magnitude <= 0x1p63
    case .null, .bool, .string, .bytes, .list, .map, .set, .timestamp, .duration, .latlng, .path,
      .mapDiff, .vector, .constraint:
      false
    }
  }
}
