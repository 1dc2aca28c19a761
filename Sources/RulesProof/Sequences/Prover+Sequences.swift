import RulesEncoding
import RulesEval
import RulesLang

extension Prover {
  /// Decides one claim, also over sequences if it says so.
  ///
  /// - Parameter shrinking: False to return the first counterexample, with irrelevant parts.
  package func decide(_ index: Int, shrinking: Bool = true) -> Verdict {
    let claim = set.claims[index]
    if claim.claim.kept != nil, let kept = claim.obligation, set.rules.looksUp(kept) {
      return .undecided([
        Doubt("what documents keep is not followed where it looks other documents up")
      ])
    }
    var verdict = decideRequest(index, shrinking: shrinking)
    if let through = claim.claim.through, case .proved(let proof) = verdict {
      verdict = SequenceProver(self, claim: index).verdict(through, proof: proof)
    }
    guard shrinking, case .violated(let found) = verdict else { return verdict }
    return .violated(explained(found, against: claim))
  }
}
