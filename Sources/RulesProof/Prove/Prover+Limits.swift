import RulesEval
import RulesLang
import RulesSolver

// Evaluation limits can stop conditions that never fail otherwise. The most expensive requests
// cannot be expressed as propositions, so requests that reach as much as possible of each statement
// are generated and evaluated.

extension Prover {
  /// Returns a request that violates a claim because an evaluation limit stops the rules, or nil.
  func overspent(in goal: Goal, of claim: CompiledClaim) -> Counterexample? {
    let world: [Ref]
    switch claim.claim.obligation {
    case .onlyIf, .never: return nil
    case .alwaysIf: world = [goal.scope, goal.condition]
    case .noErrors: world = [goal.scope]
    }
    for candidate in goal.mostExpensiveRequests(in: world, grants: goal.grants) {
      if let found = confirmed(candidate, against: claim, shrinking: true) { return found }
    }
    return nil
  }
}
