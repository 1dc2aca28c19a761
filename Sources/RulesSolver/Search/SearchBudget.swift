/// When a search has to give up.
package struct SearchBudget {
  /// The greatest number of conflicts.
  package var conflicts: Int
  /// What the question may cost in all; nil for no limit.
  package var question: Budget?

  /// Makes one of its parts.
  package init(conflicts: Int = 100_000, question: Budget? = nil) {
    self.conflicts = conflicts
    self.question = question
  }
}

/// A step of a proof, as clauses: lists of propositions of which one holds.
package enum ProofStep {
  /// A theory shows that the negations cannot hold together.
  case theory([Ref])
  /// Follows from the definitions and the steps before by unit propagation.
  case learned([Ref])
}
