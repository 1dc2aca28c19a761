package import RulesEval
package import RulesLang
package import RulesProof
package import RulesReport

/// What came of one claim.
package struct ClaimResult: Sendable {
  /// The claim.
  package var claim: Claim
  /// What the prover says.
  package var verdict: Verdict
  /// How long it took.
  package var nanoseconds: UInt64
  /// The rules that it was decided about, with the conditions of the claims beside it.
  package var rules: Ruleset
  /// Whose behaviour was followed.
  package var profile: Profile
  /// The fields of the claim that neither rules nor documents mention.
  package var unknownFields: [UnknownField] = []
  /// For a violated claim changes of the rules under which it is proved; nil if nobody looked for any.
  package var repairs: [Repair]?

  /// What the prover says of a claim, and how long it took.
  package init(
    claim: Claim, verdict: Verdict, nanoseconds: UInt64, rules: Ruleset, profile: Profile
  ) {
    self.claim = claim
    self.verdict = verdict
    self.nanoseconds = nanoseconds
    self.rules = rules
    self.profile = profile
  }

  /// Whether the prover found what was expected.
  package var isPassed: Bool { verdict.isExpected(claim.expectation) }

  /// Whether only an attack showed that the claim does not hold.
  package var isMissed: Bool {
    if case .violated(let found) = verdict { return found.missed != nil }
    return false
  }

  /// What it comes to: an undecided claim is no failure, but no success either.
  package var conclusion: Conclusion {
    if case .undecided = verdict { return .undecided }
    return isPassed ? .success : .failure
  }
}
