package import RulesEncoding
package import RulesEval
package import RulesLang

/// One of the two rules files that are compared.
package enum DiffSide: Hashable, Sendable {
  case old, new
}

/// What a change does to the requests of one kind.
package enum DiffVerdict: String, Sendable, CaseIterable {
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
package struct AccessChange: Sendable {
  /// Whether the requests became allowed, rather than denied.
  package var isLoosened: Bool
  /// Who makes the requests: "a signed-in user who is not the owner".
  package var who: String
  /// For a write what is written: "only `fcmToken` of"; empty if that does not matter.
  package var what: String
  /// What else must be so: "if `resource.data.open`", "unless ..."; empty if nothing must.
  package var conditions: [String]
  /// Who could do that before, in words: "only the owner", "nobody"; nil if that takes too many.
  package var before: String?
  /// Of what became denied: who can still do it, if all that is left is what was allowed before, and fits
  /// into words.
  package var remaining: String?
  /// Whether documents that fit the pattern may be spoken of elsewhere, under patterns that are more
  /// special.
  package var isOfRest = false
  /// The methods, each with a request that both evaluators have decided.
  package var witnesses: [DiffWitness]
}

/// A request that two rules files decide differently.
package struct DiffWitness: Sendable {
  /// The method.
  package var method: Method
  /// The request.
  package var request: Request
  /// What is stored when it is made.
  package var documents: Documents
  /// The document that it is about.
  package var document: DocumentPath
  /// The fields that a write changes, sorted.
  package var fields: [Text]
  /// The circumstances under which the files decide differently; nil if they were not looked for.
  package var circumstances: Circumstances?
  /// The statement that allows it in the file that does.
  package var allowing: AllowID?
  /// The statements that were tried in the other file.
  package var refusing: [AllowID]
  /// What it does: the method, and for a query that is not a plain one of what kind it is.
  package var verb: String
  /// Set if the search had said that there is none: a defect of ours, which only an attack by requests
  /// showed. The files differ all the same.
  package var missed: FailedReplay?
}

/// A reason why something could not be decided, in one of the files.
package struct DiffDoubt: Hashable, Sendable {
  /// The file.
  package var side: DiffSide
  /// The reason.
  package var doubt: Doubt
}

/// What a change does to the documents of one pattern.
package struct PathDiff: Sendable {
  /// The pattern.
  package var path: String
  /// What it does to each method that either file has a statement for.
  package var methods: [MethodDiff]
  /// The differences; those that several methods share are one.
  package var differences: [AccessChange]
}

/// What a change does to one method on the documents of one pattern.
package struct MethodDiff: Sendable {
  /// The method.
  package var method: Method
  /// What it does.
  package var verdict: DiffVerdict
  /// Why it could not be decided, or not completely.
  package var doubts: [DiffDoubt]
  /// Whether there may be differences beside those that are listed.
  package var isPartial: Bool
  /// Whether it is open if something became allowed, beside what is listed.
  package var mayBeLoosened: Bool
}
