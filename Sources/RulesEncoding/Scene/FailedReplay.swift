package import RulesEval

/// A disagreement between the search and the evaluator, which is a defect of the prover: a model of
/// interpreted terms only that no evaluation confirms, or a request that the evaluator confirms although the
/// search found none. Its form can be sent to a maintainer.
package struct FailedReplay: Sendable {
  /// The request as a test that expects the search's answer; nil if no request has that form.
  package var test: JSON?
  /// The query and the search's result in the notation of certificates (Docs/Proofs.md §5); the line `holds`
  /// lists the propositions.
  package var found: [String]

  /// Creates a disagreement.
  package init(test: JSON?, found: [String]) {
    self.test = test
    self.found = found
  }
}
