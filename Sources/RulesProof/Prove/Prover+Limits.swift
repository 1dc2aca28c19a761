import RulesEval
import RulesLang

// Conditions that no request makes fail can still be stopped by the limits of the engine. Which requests
// cost most is not a matter of propositions, so some are made with which each statement is gone through
// as far as possible, and the evaluator decides them.

extension Prover {
  /// A request that shows that a claim does not hold because the rules are stopped by a limit.
  func overspent(_ goal: Goal, _ claim: CompiledClaim) -> Counterexample? {
    let world: [Ref]
    switch claim.claim.obligation {
    case .onlyIf, .never: return nil
    case .alwaysIf: world = [goal.scope, goal.condition]
    case .noErrors: world = [goal.scope]
    }
    for draft in goal.dearRequests(world, goal.grants) {
      if let found = confirmed(draft, claim, true) { return found }
    }
    return nil
  }
}

extension Goal {
  /// So many statements are gone through.
  private static let greatestStatements = 4

  /// Requests for which statements are likely to cost much: those that nothing grants, and those for
  /// which one after the other is true, from the last one on. All satisfy `world`.
  func dearRequests(_ world: [Ref], _ grants: [Ref]) -> [Draft] {
    var questions = [world + grants.map { !$0 }]
    for place in grants.indices.reversed().prefix(Self.greatestStatements) {
      questions.append(world + grants[..<place].map { !$0 } + [grants[place]])
    }
    questions.append(world)
    var found: [Draft] = []
    for question in questions where !budget.isSpent {
      let (search, result) = search(question, SearchBudget(conflicts: 200))
      guard result == .satisfiable else { continue }
      if let draft = Model(search, compiler.scene).draft() { found.append(draft) }
    }
    return found
  }
}
