import RulesEncoding
import RulesEval
import RulesLang

extension Prover {
  /// Decides one claim, also over sequences if it says so.
  ///
  /// - Parameters:
  ///   - shrinking: False to return the first counterexample, with irrelevant parts.
  ///   - checking: False to leave a proof unchecked that is not reported.
  package func decide(
    _ index: Int, shrinking: Bool = true, checking: Bool = true
  ) -> Verdict {
    let claim = set.claims[index]
    if claim.claim.kept != nil, let kept = claim.obligation, set.rules.looksUp(kept) {
      return .undecided([
        OpenReason("a `keeps` condition that looks up other documents is not analysed")
      ])
    }
    let check = checking && claim.claim.through == nil ? ClaimCheck(claim.claim, by: self) : nil
    var verdict = decideRequest(index, shrinking: shrinking, asking: check)
    if case .proved(var proof) = verdict {
      if claim.claim.through != nil {
        proof.check = .unchecked(.severalRequests)
        verdict = SequenceProver(self, claim: index).verdict(proof: proof)
      } else if let check {
        proof.check = check.answer(grantsNothing: proof.grantsNothing)
        verdict = .proved(proof)
      }
    }
    guard shrinking, case .violated(let found) = verdict else { return verdict }
    return .violated(explained(found, against: claim))
  }
}
