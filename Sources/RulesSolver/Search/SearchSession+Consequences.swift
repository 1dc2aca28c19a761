// What follows from a question without a search: where all that matters is which parts of conditions are
// reached, that is enough, and costs a hundredth of one.
//
// Sound: what is refuted contradicts what is stated and asked for, by propagation alone. What is not may be
// impossible as well.

extension SearchSession {
  /// Which of some propositions cannot hold where some roots do, by what follows from these without
  /// anything being decided; all of them if the roots contradict each other. What they have in common with
  /// the roots before at their beginning costs nothing.
  package func refuted(
    _ candidates: [Ref], by roots: [Ref], of problem: Problem, within budget: Budget
  ) -> Set<Ref> {
    propagating(roots, asking: candidates, of: problem, within: budget) { search, isRefuted in
      isRefuted ? Set(candidates) : Set(candidates.filter { search.value(of: $0) == false })
    } ?? []
  }
}
