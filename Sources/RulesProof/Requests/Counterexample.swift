package import RulesEncoding
package import RulesEval
package import RulesLang

/// A request that shows that a claim does not hold.
package struct Counterexample: Sendable {
  /// The request.
  package var request: Request
  /// What is stored when it is made.
  package var documents: Documents
  /// The document that the claim is about.
  package var document: DocumentPath
  /// The method.
  package var method: Method
  /// What the evaluator says to it.
  package var decision: Decision
  /// The statement that grants it; nil if none does.
  package var allow: AllowID?
  /// The first statement whose condition ends in an error, if the claim is that none does.
  package var failed: AllowID?
  /// The fields that a write changes, sorted.
  package var fields: [Text]
  /// What the further variables of the claim stand for (`ClaimPath.others`).
  var variables: [Text] = []
  /// The requests of the same client that come before it, in order, if there are any: each finds the
  /// documents that those before it have left.
  package var steps: [Counterexample] = []
  /// The circumstances of the request, or of all requests of a sequence; nil if they were not looked for.
  package var circumstances: Circumstances?
  /// The database that it is a request to.
  package var database: DatabaseName { decision.accesses.first?.access.database ?? .standard }
  /// The same in parts, if it was one request that was asked for.
  var draft: Draft?
  /// Set if the search had said that there is none: a defect of ours, which only an attack by requests
  /// showed. The claim is violated all the same.
  package var missed: FailedReplay?
}
