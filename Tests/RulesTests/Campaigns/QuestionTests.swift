import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesProof
@testable import RulesTesting
@testable import RulesVerify

/// The checker's questions against the evaluator, on requests at random: a request that refutes a claim
/// is a model of its question, and what the question asks is exactly what the evaluator says.
@Suite struct QuestionTests {
  private static let cases = Wanted.number("PROOF_CASES", usually: 100, sample: 15)
  private static let seed = Wanted.seed("PROOF_SEED")

  /// What came of comparing.
  private struct Tally {
    var compared = 0
    var unsure = 0
    var refuted = 0
    var problems: [String] = []
  }

  @Test func requestsThatRefuteAClaimAreModelsOfItsQuestion() throws {
    var tally = Tally()
    for number in 0..<Self.cases {
      var maker = PolicyMaker(dice: Dice(seed: Self.seed, UInt64(number)))
      let policy = maker.policy()
      let checked = try #require(Checker.check(SourceText(name: "r", policy.rules)).checked)
      let claim = try #require(policy.claim)
      var always = claim
      always.obligation = .alwaysIf(Claim.Condition("true"))
      var errors = claim
      errors.obligation = .noErrors
      for claim in [claim, always, errors] {
        try compare(claim, checked, number, &tally)
      }
    }
    print(
      "questions: \(tally.compared) compared, \(tally.refuted) refuted, \(tally.unsure) unsure")
    #expect(
      tally.problems.isEmpty,
      "\(tally.problems.count): \(tally.problems.prefix(2).joined(separator: "\n\n"))")
    #expect(tally.compared > Self.cases)
  }

  private func compare(
    _ claim: Claim, _ checked: Checked, _ number: Int, _ tally: inout Tally
  ) throws {
    let set = try ClaimSet([claim], about: checked)
    let stated = try StatedClaim(claim, about: checked, profile: .emulator)
    for kind in stated.kinds where kind.path.count == 2 {
      guard let question = try? stated.question(for: kind) else { continue }
      var requests = RandomRequests(dice: Dice(seed: Self.seed, UInt64(number), 2))
      for _ in 0..<12 {
        let candidate = requests.candidate(kind.method)
        guard Self.reaches(candidate, kind.access),
          (candidate.method == .create) == (candidate.before == nil && candidate.after != nil),
          var world = QuestionInterpretation(
            question, naming: stated.rules.namedKeys, candidate.request, on: candidate.documents,
            of: candidate.path, in: stated.rules.database)
        else { continue }
        let refutes = set.refutation(by: candidate, of: set.claims[0]) != nil
        if let problem = Self.problem(&world, refutes, claim, &tally) {
          let text = JSONText(
            SuiteWriter.test(name: "", candidate.request, on: candidate.documents, expect: .allow)
          ).compact
          tally.problems.append(
            "case \(number), \(kind.line): \(problem)\n\(text)\n\(claim)\n\(String(decoding: checked.ruleset.source.bytes, as: UTF8.self))"
          )
        }
      }
    }
  }

  /// Whether a draft reaches its document in a way.
  private static func reaches(_ candidate: CandidateRequest, _ access: RequestKind.Access) -> Bool {
    switch (candidate.access, access) {
    case (.document, .document), (.query, .query), (.namedQuery, .namedQuery): true
    case (.group(let one), .group(let other)): one == other
    default: false
    }
  }

  /// What is wrong with a question in a world; nil if nothing is.
  private static func problem(
    _ world: inout QuestionInterpretation, _ refutes: Bool, _ claim: Claim, _ tally: inout Tally
  ) -> String? {
    let nodes = world.propositions()
    tally.compared += 1
    func holds(_ prop: Prop) -> Bool? { nodes[prop.node].map { $0 != prop.isDenied } }
    let goals = Set(world.question.goals)
    for axiom in world.question.axioms where !goals.contains(axiom) && holds(axiom) == false {
      return "an axiom does not hold: \(world.describe(axiom))"
    }
    let isNoModel = world.question.goals.contains { holds($0) == false }
    if !isNoModel, world.question.goals.contains(where: { holds($0) == nil }) { tally.unsure += 1 }
    if refutes { tally.refuted += 1 }
    if refutes, isNoModel { return "it refutes the claim, and is no model" }
    return nil
  }
}

extension Checked {
  /// The strings that a checker's question about the rules names as keys.
  var namedKeys: Set<Text> {
    Set(
      ruleset.expressions.compactMap { expression in
        switch expression.kind {
        case .literal(.string(let text)): text
        case .member(_, let name): name.text
        default: nil
        }
      })
  }
}
