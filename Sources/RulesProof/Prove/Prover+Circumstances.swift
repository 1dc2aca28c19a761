import RulesEncoding
import RulesEval
import RulesLang

// Circumstances are only computed for the counterexample that is reported.

extension Prover {
  /// Returns a counterexample with the circumstances that make it one.
  func explained(_ found: Counterexample, against claim: CompiledClaim) -> Counterexample {
    var found = found
    if found.steps.isEmpty, let candidate = found.candidate {
      found.circumstances = Circumstances(of: candidate) {
        set.refutation(by: $0, of: claim) != nil
      }
    } else {
      found.explain(by: set.engine)
    }
    return found
  }
}
