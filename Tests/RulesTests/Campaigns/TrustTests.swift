import RulesEval
import RulesLang
import RulesVerify
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// What the prover says is compared with requests at random: no request may refute what is proved, whose
/// certificate the checker confirms, and what is violated comes with a request that the evaluator
/// confirms.
///
/// `PROOF_CASES=20000 PROOF_SEED=7 swift test --filter TrustTests` asks about more.
@Suite struct TrustTests {
  private static let cases = Wanted.number("PROOF_CASES", usually: 150, sample: 15)
  private static let seed = Wanted.seed("PROOF_SEED")
  /// So many cases are printed of those that are odd.
  private static let shown = Wanted.number("PROOF_SHOW", usually: 0)

  /// What came of the cases.
  struct Tally {
    var proved = 0
    var violated = 0
    var undecided = 0
    var unexplained: [String] = []
    var wrong: [String] = []
    var withoutCertificate: [String] = []
  }

  @Test func randomRequestsRefuteNothingThatIsProved() throws {
    var tally = Tally()
    for number in 0..<Self.cases {
      try Self.judge(number, &tally)
    }
    print(
      "trust: \(tally.proved) proved, \(tally.violated) violated, \(tally.undecided) undecided,")
    print("  \(tally.unexplained.count) without a reason (seed \(Self.seed))")
    for text in tally.unexplained.prefix(Self.shown) { print(text) }
    #expect(tally.wrong.isEmpty, "\(tally.wrong.prefix(3).joined(separator: "\n\n"))")
    print("  \(tally.withoutCertificate.count) of the proved ones without a certificate")
    for text in tally.withoutCertificate.prefix(Self.shown) { print(text) }
    // The checker knows less than the prover on purpose; but it must not be of no use.
    #expect(
      tally.withoutCertificate.count * 5 < tally.proved,
      "\(tally.withoutCertificate.prefix(3).joined(separator: "\n\n"))")
    #expect(tally.proved > Self.cases / 10)
    #expect(tally.violated > Self.cases / 10)
    // A model that is not confirmed although everything was interpreted is a defect of ours.
    #expect(tally.unexplained.isEmpty, "\(tally.unexplained.prefix(3).joined(separator: "\n\n"))")
  }

  private static func judge(_ number: Int, _ tally: inout Tally) throws {
    var maker = PolicyMaker(dice: Dice(seed: seed, UInt64(number)))
    let policy = maker.policy()
    let source = SourceText(name: "random.rules", policy.rules)
    let outcome = Checker.check(source)
    let checked = try #require(
      outcome.checked, "\(policy.rules) \(outcome.diagnostics.map { $0.message })")
    let claim = try #require(policy.claim, "\(policy)")
    let set = try ClaimSet([claim], about: checked)
    switch Prover(set).decide(0) {
    case .proved(let proof):
      tally.proved += 1
      if proof.grantsNothing, let granted = inScope(set, number, isMet: true) {
        tally.wrong.append("case \(number): \(policy)\n\(policy.rules)\ngrants \(granted)")
      }
      if let refutation = refute(set, number) {
        tally.wrong.append("case \(number): \(policy)\n\(policy.rules)\nrefuted by \(refutation)")
      }
      switch proof.check {
      case .checked(let own, let nothing):
        #expect(proof.grantsNothing == (nothing != nil))
        for confirmed in [own, nothing].compactMap({ $0 }) {
          if let reason = confirmed.refusal(about: checked) {
            tally.wrong.append("case \(number): \(policy)\n\(policy.rules)\n\(reason)")
          }
        }
      case .unchecked(let reason):
        tally.withoutCertificate.append(
          "case \(number): \(policy)\n\(policy.rules)\n\(reason.sentence)")
        if reason.isDefect { tally.wrong.append(reason.sentence) }
      }
    case .violated(let counterexample):
      tally.violated += 1
      let isAllowed = counterexample.decision.isAllowed
      #expect(isAllowed == (policy.obligation.key != "alwaysIf"))
    case .vacuous:
      tally.proved += 1
      if let request = inScope(set, number, isMet: false) {
        tally.wrong.append("case \(number): \(policy)\n\(policy.rules)\nin scope: \(request)")
      }
    case .undecided(let openReasons):
      tally.undecided += 1
      if openReasons.contains(where: { $0.replay != nil }) {
        tally.unexplained.append(
          "case \(number): \(policy.obligation) given \(policy.given ?? "-") \(policy.methods)\n\(policy.rules)\n\(openReasons.map { $0.reason })"
        )
      }
    }
  }

  /// A random request that is in the scope of the only claim, and with `isMet` granted.
  private static func inScope(_ set: ClaimSet, _ number: Int, isMet: Bool) -> String? {
    var requests = RandomRequests(dice: Dice(seed: seed, UInt64(number), 2))
    let claim = set.claims[0]
    for _ in 0..<400 {
      let candidate = requests.candidate(requests.dice.pick(claim.methods))
      if set.isInScope(candidate, of: claim, isMet: isMet) { return "\(candidate)" }
    }
    return nil
  }

  private static func refute(_ set: ClaimSet, _ number: Int) -> String? {
    var requests = RandomRequests(dice: Dice(seed: seed, UInt64(number), 1))
    let claim = set.claims[0]
    for _ in 0..<400 {
      let method = requests.dice.pick(claim.methods)
      if let found = set.refutation(by: requests.candidate(method), of: claim) {
        return JSONText(found.test).compact
      }
    }
    return nil
  }
}

extension PolicyMaker.Policy {
  /// The claim, read as a suite would state it.
  var claim: Claim? {
    var members = [
      JSON.Member("path", value: JSON(.string(Text(path)))),
      JSON.Member("methods", value: JSON(.array(methods.map { JSON(.string(Text($0))) }))),
    ]
    if let given { members.append(JSON.Member("given", value: JSON(.string(Text(given))))) }
    let value = obligation.condition.map { JSON(.string(Text($0))) } ?? JSON(.bool(true))
    members.append(JSON.Member(Text(obligation.key), value: value))
    let suite = JSON(
      .object([JSON.Member("claims", value: JSON(.array([JSON(.object(members))])))]))
    return SuiteReader.read(suite, in: SourceText(name: "claim", "")).0?.claims.first
  }
}
