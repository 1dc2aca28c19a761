public import RulesEval
public import RulesLang
public import RulesProof

/// What came of one claim.
public struct ClaimResult: Sendable {
  /// The claim.
  public var claim: Claim
  /// What the prover says.
  public var verdict: Verdict
  /// How long it took.
  public var nanoseconds: UInt64
  /// The rules that it was decided about, with the conditions of the claims beside it.
  public var rules: Ruleset
  /// Whose behaviour was followed.
  public var profile: Profile
  /// The fields of the claim that neither rules nor documents mention.
  public var unknownFields: [UnknownField] = []
  /// For a violated claim changes of the rules under which it is proved; nil if nobody looked for any.
  public var repairs: [Repair]?

  /// What the prover says of a claim, and how long it took.
  public init(
    claim: Claim, verdict: Verdict, nanoseconds: UInt64, rules: Ruleset, profile: Profile
  ) {
    self.claim = claim
    self.verdict = verdict
    self.nanoseconds = nanoseconds
    self.rules = rules
    self.profile = profile
  }

  /// Whether the prover found what was expected.
  public var isPassed: Bool { verdict.isExpected(claim.expectation) }

  /// Whether only an attack showed that the claim does not hold.
  public var isMissed: Bool {
    if case .violated(let found) = verdict { return found.missed != nil }
    return false
  }

  /// What it comes to: an undecided claim is no failure, but no success either.
  public var conclusion: Conclusion {
    if case .undecided = verdict { return .undecided }
    return isPassed ? .success : .failure
  }
}
