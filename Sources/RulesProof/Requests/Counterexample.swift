package import RulesEncoding
package import RulesEval
package import RulesLang

/// A request that refutes a claim, confirmed by the evaluator.
package struct Counterexample: Sendable {
  /// The request.
  package var request: Request
  /// The documents stored when it is made.
  package var documents: Documents
  /// The document that the claim is about.
  package var document: DocumentPath
  /// The method.
  package var method: Method
  /// The evaluator's decision.
  package var decision: Decision
  /// The statement that grants it; nil if denied.
  package var allow: AllowID?
  /// The first statement whose condition ends in an error, for claims about errors.
  package var failed: AllowID?
  /// The fields that a write changes, sorted.
  package var fields: [Text]
  /// The values of the claim's further variables (`ClaimPath.others`).
  var variables: [Text] = []
  /// Earlier requests of the same client or person, in order; each sees the documents as the previous
  /// ones left them.
  package var steps: [Counterexample] = []
  /// The circumstances of the request or sequence; nil if not computed.
  package var circumstances: Circumstances?
  /// The database of the request.
  package var database: DatabaseName { decision.accesses.first?.access.database ?? .standard }
  /// The request in parts; nil for sequences.
  var candidate: CandidateRequest?
  /// Set if the search had missed it: a defect of ours, revealed by an attack. The claim is
  /// violated all the same.
  package var missed: FailedReplay?
}
