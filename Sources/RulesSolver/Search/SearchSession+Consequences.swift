#if !hasFeature(Embedded)
  // Consequences by propagation alone, which cost about 1 % of a search. Sufficient where only
  // reachability of parts of conditions matters.
  //
  // Sound but incomplete: a refuted candidate contradicts axioms and roots; one that is not refuted
  // may be impossible, too.

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

    /// Returns the negations of the unassigned atoms that contradict `roots` by propagation, such
    /// as a second value or type of a term; empty if the roots are contradictory.
    package func excluded(by roots: [Ref], of problem: Problem, within budget: Budget) -> [Ref] {
      propagating(roots, asking: [], of: problem, within: budget) { search, isRefuted in
        if isRefuted { return [] }
        let open = search.openAtoms
        return open.filter { atom in
          search.propagate(assuming: roots + [atom], within: SearchBudget(question: budget))
            == .unsatisfiable
        }.map { !$0 }
      } ?? []
    }
  }
#endif
