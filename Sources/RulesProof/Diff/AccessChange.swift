public import RulesEncoding
public import RulesEval
public import RulesLang

/// One of the two rules files that are compared.
public enum DiffSide: Hashable, Sendable {
  case old, new
}

/// What a change does to the requests of one kind.
public enum DiffVerdict: String, Sendable, CaseIterable {
  /// Something became allowed, and nothing denied.
  case loosened
  /// Something became denied, and nothing allowed.
  case tightened
  /// Both.
  case changed
  /// All requests are decided as before.
  case equivalent
  /// None of this could be shown.
  case undecided
}

/// Requests that one rules file allows and the other denies, in a sentence, with one of them.
public struct AccessChange: Sendable {
  /// Whether the requests became allowed, rather than denied.
  public var isLoosened: Bool
  /// Who makes the requests: "a signed-in user who is not the owner".
  public var who: String
  /// For a write what is written: "only `fcmToken` of"; empty if that does not matter.
  public var what: String
  /// What else must be so: "if `resource.data.open`", "unless ..."; empty if nothing must.
  public var conditions: [String]
  /// Who could do that before, in words: "only the owner", "nobody"; nil if that takes too many.
  public var before: String?
  /// Of what became denied: who can still do it, if all that is left is what was allowed before, and fits
  /// into words.
  public var remaining: String?
  /// The methods, each with a request that both evaluators have decided.
  public var witnesses: [DiffWitness]
}

/// A request that two rules files decide differently.
public struct DiffWitness: Sendable {
  /// The method.
  public var method: Method
  /// The request.
  public var request: Request
  /// What is stored when it is made.
  public var documents: Documents
  /// The document that it is about.
  public var document: DocumentPath
  /// The statement that allows it in the file that does.
  public var allowing: AllowID?
  /// The statements that were tried in the other file.
  public var refusing: [AllowID]
  /// What it does: the method, and for a query that is not a plain one of what kind it is.
  public var verb: String
  /// Set if the search had said that there is none: a defect of ours, which only an attack by requests
  /// showed. The files differ all the same.
  public var missed: FailedReplay?
}

/// A reason why something could not be decided, in one of the files.
public struct DiffDoubt: Hashable, Sendable {
  /// The file.
  public var side: DiffSide
  /// The reason.
  public var doubt: Doubt
}

/// What a change does to the documents of one pattern.
public struct PathDiff: Sendable {
  /// The pattern.
  public var path: String
  /// What it does to each method that either file has a statement for.
  public var methods: [MethodDiff]
  /// The differences; those that several methods share are one.
  public var differences: [AccessChange]
}

/// What a change does to one method on the documents of one pattern.
public struct MethodDiff: Sendable {
  /// The method.
  public var method: Method
  /// What it does.
  public var verdict: DiffVerdict
  /// Why it could not be decided, or not completely.
  public var doubts: [DiffDoubt]
  /// Whether there may be differences beside those that are listed.
  public var isPartial: Bool
  /// Whether it is open if something became allowed, beside what is listed.
  public var mayBeLoosened: Bool
}
