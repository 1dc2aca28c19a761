import RulesEval
import RulesLang
import RulesSolver

// Conditions that no request makes fail can still be stopped by the limits of the engine. Which requests
// cost most is not a matter of propositions, so some are made with which each statement is gone through
// as far as possible, and the evaluator decides them.

extension Prover {
  /// A request that shows that a claim does not hold because the rules are stopped by a limit.
  func overspent(in goal: Goal, of claim: CompiledClaim) -> Counterexample? {
    let world: [Ref]
    switch claim.claim.obligation {
    case .onlyIf, .never: return nil
    case .alwaysIf: world = [goal.scope, goal.condition]
    case .noErrors: world = [goal.scope]
    }
    for draft in goal.dearRequests(in: world, grants: goal.grants) {
      if let found = confirmed(draft, against: claim, shrinking: true) { return found }
    }
    return nil
  }
}
