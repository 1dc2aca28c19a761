// What follows from a question without a search: where all that matters is which parts of conditions are
// reached, that is enough, and costs a hundredth of one.
//
// Sound: what is refuted contradicts what is stated and asked for, by propagation alone. What is not may be
// impossible as well.

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
