/// The limits of a search.
package struct SearchBudget {
  /// Maximum conflicts; by default only the budget ends a search.
  package var conflicts: Int
  /// The budget of the query; nil if unlimited.
  package var question: Budget?

  /// Creates limits.
  package init(conflicts: Int = .max, question: Budget? = nil) {
    self.conflicts = conflicts
    self.question = question
  }

  /// The limits of a search after which others follow.
  package static var brief: SearchBudget { SearchBudget(conflicts: SearchStrategy.fewConflicts) }
}

/// A step of a proof trace: a clause.
package enum ProofStep {
  /// A theory lemma: the negated literals are inconsistent.
  case theory([Ref])
  /// A clause that follows by unit propagation from axioms, roots, gate definitions and the steps before
  /// (RUP).
  case learned([Ref])
}
