package import RulesEncoding
package import RulesEval
package import RulesLang

/// One of the two rules files that are compared.
package enum DiffSide: Hashable, Sendable {
  case old, new
}

/// The verdict on a change for one method.
package enum DiffVerdict: String, Sendable, CaseIterable {
  /// Some requests became allowed, and none is known to have become denied.
  case loosened
  /// Some requests became denied, and none is known to have become allowed.
  case tightened
  /// Some requests became allowed, and others became denied.
  case changed
  /// All requests are proved to be decided as before.
  case equivalent
  /// None of the above could be proved or shown by a request.
  case undecided
}

/// A difference between two rules files: requests that one allows and the other denies, described
/// in a sentence, with examples.
package struct AccessChange: Sendable {
  /// True if the requests became allowed; false if they became denied.
  package var isLoosened: Bool
  /// Describes the client: "a signed-in user who is not the owner"; empty if `remaining` says it all.
  package var who: String
  /// Describes what a write changes: "only `fcmToken`"; empty if that does not matter.
  package var what: String
  /// Further conditions: "if `resource.data.open`", "unless …"; empty if there are none.
  package var conditions: [String]
  /// Describes the clients that were allowed before: "only the owner", "nobody"; nil if the description
  /// would be too long, or if the difference is described by a cube.
  package var before: String?
  /// Describes the clients that are still allowed after a restriction; nil unless the newer file
  /// allows nothing new here and the description is short enough.
  package var remaining: String?
  /// True if more specific patterns are reported separately, so that documents of this pattern may
  /// appear there.
  package var isOfRest = false
  /// The methods concerned, each with a request that both evaluators have decided differently.
  package var witnesses: [DiffWitness]
}

/// A request that two rules files decide differently.
package struct DiffWitness: Sendable {
  /// The method.
  package var method: Method
  /// The request.
  package var request: Request
  /// The stored documents before the request.
  package var documents: Documents
  /// The path of the document that the request accesses.
  package var document: DocumentPath
  /// The fields that a write changes, sorted.
  package var fields: [Text]
  /// The circumstances that the difference depends on; nil if they were not looked for.
  package var circumstances: Circumstances?
  /// The statement that grants the request in the allowing file.
  package var allowing: AllowID?
  /// The statements that were tried in the denying file.
  package var refusing: [AllowID]
  /// The method in words, with the kind of query if it is not a plain one.
  package var verb: String
  /// The failed replay if the search had reported unsatisfiable and only an attack found this
  /// request: a defect of the prover. The difference is real all the same.
  package var missed: FailedReplay?
}

/// A reason for an undecided result, with the file that it comes from.
package struct DiffOpenReason: Hashable, Sendable {
  /// The file that the reason is about.
  package var side: DiffSide
  /// The reason.
  package var openReason: OpenReason
}

/// The differences between two files for the documents of one pattern.
package struct PathDiff: Sendable {
  /// The pattern.
  package var path: String
  /// The verdict on each method that either file has a statement for.
  package var methods: [MethodDiff]
  /// The differences found; a difference shared by several methods is listed once.
  package var differences: [AccessChange]
}

/// The verdict on one method for the documents of one pattern.
package struct MethodDiff: Sendable {
  /// The method.
  package var method: Method
  /// The verdict.
  package var verdict: DiffVerdict
  /// The reasons for which the comparison is undecided or incomplete.
  package var openReasons: [DiffOpenReason]
  /// True if there may be differences beside those listed.
  package var isPartial: Bool
  /// True if requests beside those listed may have become allowed.
  package var mayBeLoosened: Bool
  /// The reason why the proof checker has not confirmed that the versions are equivalent; nil if it has.
  package internal(set) var unchecked: ProofCheck.Reason? = .notAsked

  /// True if the verdict rests on a proof alone.
  package var isProvedEquivalent: Bool { verdict == .equivalent && !isPartial }
}
