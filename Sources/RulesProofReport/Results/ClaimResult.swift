package import RulesEval
package import RulesLang
package import RulesProof
package import RulesReport

/// The result of one claim.
package struct ClaimResult: Sendable {
  /// The claim.
  package var claim: Claim
  /// The verdict of the prover.
  package var verdict: Verdict
  /// The time it took.
  package var nanoseconds: UInt64
  /// The rules, extended with the claims' conditions.
  package var rules: Ruleset
  /// The profile.
  package var profile: Profile
  /// Fields in the claim that neither rules nor documents mention.
  package var unknownFields: [UnknownField] = []
  /// For a violated claim, changes of the rules that make it proved; nil if none were searched.
  package var repairs: [Repair]?

  /// Creates the result of a claim.
  package init(
    claim: Claim, verdict: Verdict, nanoseconds: UInt64, rules: Ruleset, profile: Profile
  ) {
    self.claim = claim
    self.verdict = verdict
    self.nanoseconds = nanoseconds
    self.rules = rules
    self.profile = profile
  }

  /// True if the verdict is the expected one.
  package var isPassed: Bool { verdict.isExpected(claim.expectation) }

  /// True if the prover missed a violation that random testing found.
  package var isMissed: Bool {
    if case .violated(let found) = verdict { return found.missed != nil }
    return false
  }

  /// True if the proof checker refuses a step of a proof.
  package var isRefused: Bool {
    if case .proved(let proof) = verdict, case .unchecked(let reason) = proof.check {
      return reason.isDefect
    }
    return false
  }

  /// The outcome: an undecided claim is neither a failure nor a success.
  package var conclusion: Conclusion {
    if case .undecided = verdict { return .undecided }
    return isPassed ? .success : .failure
  }
}
