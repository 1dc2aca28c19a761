import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesProof
@testable import RulesTesting

/// The propositions of a condition against the evaluator, on requests at random: where the condition
/// is true, exactly its true rail holds; where it is false, exactly its false rail; where it ends in
/// an error, neither. And what is required of every request holds of each.
@Suite struct RailTests {
  private static let cases = Wanted.number("PROOF_CASES", usually: 150, sample: 25)
  private static let seed = Wanted.seed("PROOF_SEED")

  @Test func railsAreTrueOfRequests() throws {
    var compared = 0
    var opened = 0
    var problems: [String] = []
    for number in 0..<Self.cases {
      var maker = PolicyMaker(dice: Dice(seed: Self.seed, UInt64(number)))
      let policy = maker.policy()
      let checked = try #require(Checker.check(SourceText(name: "r", policy.rules)).checked)
      let set = try ClaimSet([try #require(policy.claim)], about: checked)
      for scenario in set.scenarios(of: set.claims[0]) where scenario.access == .document {
        let goal = Goal(set.claims[0], in: set, for: scenario)
        var requests = RandomRequests(dice: Dice(seed: Self.seed, UInt64(number), 2))
        for _ in 0..<10 {
          let candidate = requests.candidate(scenario.method)
          // A draft whose method is not what its documents make of it is a request of another kind.
          guard (candidate.method == .create) == (candidate.before == nil && candidate.after != nil)
          else {
            continue
          }
          switch RailCheck.compare(candidate, with: goal, of: set) {
          case .same: compared += 1
          case .open: opened += 1
          case .refused: continue
          case .different(let problem):
            let request = JSONText(
              SuiteWriter.test(name: "", candidate.request, on: candidate.documents, expect: .allow)
            ).compact
            problems.append("case \(number): \(request): \(problem)\n\(policy.rules)")
          }
        }
      }
    }
    print("rails: \(compared) requests compared, \(opened) in part")
    #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(2).joined(separator: "\n\n"))")
    #expect(compared > Self.cases)
  }
}
