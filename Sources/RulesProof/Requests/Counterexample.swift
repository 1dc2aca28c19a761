public import RulesEncoding
public import RulesEval
public import RulesLang

/// A request that shows that a claim does not hold.
public struct Counterexample: Sendable {
  /// The request.
  public var request: Request
  /// What is stored when it is made.
  public var documents: Documents
  /// The document that the claim is about.
  public var document: DocumentPath
  /// The method.
  public var method: Method
  /// What the evaluator says to it.
  public var decision: Decision
  /// The statement that grants it; nil if none does.
  public var allow: AllowID?
  /// The first statement whose condition ends in an error, if the claim is that none does.
  public var failed: AllowID?
  /// The fields that a write changes, sorted.
  public var fields: [Text]
  /// What the further variables of the claim stand for (`ClaimPath.others`).
  var variables: [Text] = []
  /// The requests of the same client that come before it, in order, if there are any: each finds the
  /// documents that those before it have left.
  public var steps: [Counterexample] = []
  /// Set if the search had said that there is none: a defect of ours, which only an attack by requests
  /// showed. The claim is violated all the same.
  public var missed: FailedReplay?
}
