import RulesEncoding
import RulesEval
import RulesLang

// Circumstances are found for the counterexample that is shown, never for those that a search passes.

extension Prover {
  /// A counterexample to a claim with what makes it one.
  func explained(_ found: Counterexample, against claim: CompiledClaim) -> Counterexample {
    var found = found
    if found.steps.isEmpty, let draft = found.draft {
      found.circumstances = Circumstances(of: draft) {
        set.refutation(by: $0, of: claim) != nil
      }
    } else {
      found.explain(by: set.engine)
    }
    return found
  }
}
