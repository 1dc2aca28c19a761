import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

extension Prover {
  /// Returns the answer of the proof checker to a proved claim.
  ///
  /// - Parameter grantsNothing: True if the verdict also says that nothing in scope is ever granted.
  func check(of claim: Claim, grantsNothing: Bool) -> ProofCheck {
    let part = budget.question(steps: budget.steps / Strategy.checkShare)
    defer { part.settle() }
    func confirmed(_ claim: Claim) throws(Unconfirmed) -> ConfirmedClaim {
      try ProofChecker.confirm(
        claim, about: set.givenRules, profile: set.engine.profile, within: part)
    }
    do throws(Unconfirmed) {
      let own = try confirmed(claim)
      return .checked(own, grantsNothing: grantsNothing ? try confirmed(claim.asNever) : nil)
    } catch {
      return .unchecked(error.reason(within: part))
    }
  }
}
