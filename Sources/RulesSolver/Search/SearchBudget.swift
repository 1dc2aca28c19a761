/// The limits of a search.
package struct SearchBudget {
  /// Maximum conflicts.
  package var conflicts: Int
  /// The budget of the query; nil if unlimited.
  package var question: Budget?

  /// Creates limits.
  package init(conflicts: Int = 100_000, question: Budget? = nil) {
    self.conflicts = conflicts
    self.question = question
  }

  /// Conflicts of a search that is not the last word: of 282,000 searches of 186 real files seven met more
  /// than a hundred, and where there are so many, more facts help more than more search.
  package static let fewConflicts = 200
  /// A search that is not the last word.
  package static var brief: SearchBudget { SearchBudget(conflicts: fewConflicts) }
}

/// A step of a proof trace: a clause.
package enum ProofStep {
  /// A theory lemma: the negated literals are inconsistent.
  case theory([Ref])
  /// A clause that follows by unit propagation from the definitions and the steps before (RUP).
  case learned([Ref])
}
