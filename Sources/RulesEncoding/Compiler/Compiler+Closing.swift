import RulesEval
import RulesLang
import RulesSolver

extension Compiler {
  /// Adds the axioms that relate compiled propositions to each other. A second call does nothing.
  ///
  /// - Requires: All conditions are compiled.
  package func close() {
    if isClosed { return }
    isClosed = true
    let outer = problem.budget?.stage
    problem.budget?.stage = .closing
    defer { if let outer { problem.budget?.stage = outer } }
    for (list, allowed) in onlyElements {
      guard case .list(let values) = problem.terms.value(of: allowed) else { continue }
      guard problem.goesOn(problem.terms.count) else { return }
      let only = problem.holds(.onlyElements, of: [list, allowed])
      for member in problem.terms.elements(asked: list) {
        var parts: [Ref] = []
        for value in values { parts.append(problem.areMembers(member, problem.constant(value))) }
        let isMember = problem.holds(.member, of: [list, member])
        guard problem.goesOn() else { return }
        problem.require(
          problem.graph.and(only, isMember), implies: problem.graph.or(parts))
      }
      if values.allSatisfy({ Value.areEqual($0, $0) }) {
        // Each element equals an allowed value, so none is or contains a NaN.
        problem.require(only, implies: !problem.holds(.odd, of: [list]))
      }
    }
    linkPromisedKeys()
    linkPromisedComparisons()
    problem.linkClaims()
    problem.linkEqualOrder()
    problem.linkAlike()
    problem.linkNearValues(keys)
    linkMaps()
    problem.linkLists()
    problem.linkOddValues()
    problem.linkTextOrder()
    problem.linkMixedOrder()
    problem.linkBoundedOrder()
    problem.linkClosePairs()
    problem.linkPossible()
  }
}

extension TermTable {
  /// Returns the values whose membership in a list is a term.
  fileprivate func elements(asked list: TermID) -> [TermID] {
    (0..<count).compactMap { index in
      guard case .apply(.member, let arguments) = self[TermID(index)], arguments[0] == list else {
        return nil
      }
      return arguments[1]
    }
  }
}
