import RulesEval
import RulesLang

// The query of two versions of rules for one kind of request. One encoder encodes both over the same
// unknowns, so a model is one request and what each version says to it.
//
// Sound: every request that one version grants, with its commit, and the other one denies satisfies the
// axioms and the propositions of a direction. This needs:
// - an unknown, or an uninterpreted function, means the same in both versions. Its key (`Unknown`, `Functor`)
//   is a part of the request, of the database or of its path, or an operation of the language, never a place
//   in the rules; a numbered unknown (`named`) belongs to one condition and is not made twice;
// - axioms are true of every request, whatever the rules are: the named keys of key sets are those of both
//   versions, and none is derived from what a version grants;
// - profile and database of both versions are the same, and no limit stops a version that would grant.

/// The SMT query "one version of rules grants a request of a kind and the other one denies it".
package struct VersionQuestion: Sendable {
  /// A direction of the comparison.
  package enum Direction: CaseIterable, Sendable {
    /// The newer version grants, and the older one denies.
    case loosened
    /// The older version grants, and the newer one denies.
    case tightened
  }

  /// One version: a statement grants the request, and the rules grant the other writes of its commit.
  private struct Version {
    var isGranted: Prop
    var commit: Prop
  }

  /// The axioms, each true of every request of the kind, and the propositions of both versions.
  package let question: Question
  /// The document is none of the path's exceptions.
  private let isMeant: Prop
  private var older, newer: Version

  /// Encodes both versions. Where they grant by one proposition, commits and further axioms are left out,
  /// for no request can be decided differently. Throws if conditions are too large, or could exceed an
  /// evaluation limit or compute something that the evaluator does not model.
  ///
  /// - Requires: The older rules are those of the claim, which is "never" and has no conditions.
  init(_ stated: StatedClaim, and new: Checked, for kind: RequestKind) throws(StatementProblem) {
    let encoder = Encoder(stated, for: kind)
    let grantedBefore = try encoder.isGranted()
    encoder.turn(to: new)
    let grantedNow = try encoder.isGranted()
    isMeant = encoder.isNone(of: stated.claim.path.exceptions)
    older = Version(isGranted: grantedBefore, commit: .yes)
    newer = Version(isGranted: grantedNow, commit: .yes)
    if grantedBefore != grantedNow {
      newer.commit = encoder.otherWritesAreGranted()
      try encoder.endPart()
      encoder.turn(to: stated.rules)
      older.commit = encoder.otherWritesAreGranted()
      try encoder.endPart()
      encoder.close()
      try encoder.endPart()
    }
    question = encoder.question
    if question.isUnmodelled {
      throw StatementProblem("the conditions compute what no evaluation says")
    }
  }

  /// Returns propositions that are true of every difference in a direction.
  package func difference(_ direction: Direction) -> [Prop] {
    let (granting, denying) = direction == .loosened ? (newer, older) : (older, newer)
    return [granting.isGranted, !denying.isGranted, isMeant, granting.commit]
  }
}

extension Encoder {
  /// Returns "a statement of the version grants the request". Throws if its absence would prove nothing.
  fileprivate func isGranted() throws(StatementProblem) -> Prop {
    let statements = statements()
    var grants: [Prop] = []
    for statement in statements {
      let rails = rails(of: statement)
      grants.append(question.all([statement.applies, rails.yes]))
    }
    try endPart()
    if let problem = problemOfDenials(by: statements) { throw problem }
    return question.any(grants)
  }
}
