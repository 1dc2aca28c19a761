import RulesEval

extension Prover {
  /// Decides one claim. Without `shrinking` a counterexample is the first that was found, and may have
  /// more in it than matters.
  public func decide(_ index: Int, shrinking: Bool = true) -> Verdict {
    let verdict = decideRequest(index, shrinking: shrinking)
    guard let through = set.claims[index].claim.through, case .proved(let proof) = verdict else {
      return verdict
    }
    return SequenceProver(self, claim: index).verdict(through, proof: proof)
  }
}
