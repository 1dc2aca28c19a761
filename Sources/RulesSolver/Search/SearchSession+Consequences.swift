// Consequences of a query by unit propagation, without a search. They suffice to find the parts of conditions
// that requests reach, at a hundredth of the cost.
//
// Soundness: a refuted proposition contradicts the axioms and the roots. Completeness is not promised: other
// propositions may be impossible, too.

extension SearchSession {
  /// Returns the candidates that are false by propagation from `roots`; all of them if the roots
  /// are contradictory. A prefix shared with the previous roots costs nothing.
  package func refuted(
    _ candidates: [Ref], by roots: [Ref], of problem: Problem, within budget: Budget
  ) -> Set<Ref> {
    propagating(roots, asking: candidates, of: problem, within: budget) { search, isRefuted in
      isRefuted ? Set(candidates) : Set(candidates.filter { search.value(of: $0) == false })
    } ?? []
  }
}
