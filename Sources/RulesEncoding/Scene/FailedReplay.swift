package import RulesEval

/// What a search and the evaluator do not agree about: a model that rests on nothing but what the
/// theories interpret and that no evaluation confirms, or a request that the evaluator confirms where
/// the search says that there is none. A defect of the prover, in a form that can be sent to whoever
/// mends it.
package struct FailedReplay: Sendable {
  /// The request as a test that expects what the search does; nil if there can be no such request.
  package var test: JSON?
  /// The question and what the search found, in the words of certificates (Docs/Proofs.md §5); the
  /// line `holds` lists the propositions.
  package var found: [String]

  /// Makes one of what the search found.
  package init(test: JSON?, found: [String]) {
    self.test = test
    self.found = found
  }
}
