import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesEval
@testable import RulesProof
@testable import RulesTesting
@testable import RulesVerify

/// The question that the cells of a kind of request share, against the evaluator, on requests at random: what
/// refutes a cell satisfies the axioms and all of the cell's propositions.
@Suite struct CellQuestionTests {
  private static let cases = Wanted.number("PROOF_CASES", usually: 100, sample: 15)
  private static let seed = Wanted.seed("PROOF_SEED")

  @Test func requestsThatRefuteACellAreModelsOfItsQuestion() throws {
    var (compared, refuted) = (0, 0)
    for number in 0..<Self.cases {
      var maker = PolicyMaker(dice: Dice(seed: Self.seed, UInt64(number)))
      let policy = maker.policy()
      let checked = try #require(Checker.check(SourceText(name: "r", policy.rules)).checked)
      let cells = CellClaims(of: try #require(policy.claim))
      let set = try ClaimSet(cells.alone, about: checked)
      let stated = try StatedClaim(
        cells.whole, given: cells.conditions, about: checked, profile: .emulator)
      for kind in stated.kinds where kind.path.count == 2 {
        let own = cells.claims(of: kind)
        guard let shared = try? CellQuestion(of: own.map { $0.claim }, stated, for: kind) else {
          continue
        }
        var requests = RandomRequests(dice: Dice(seed: Self.seed, UInt64(number), 2))
        for _ in 0..<12 {
          let candidate = requests.candidate(kind.method)
          guard kind.isReached(by: candidate),
            var world = QuestionInterpretation(
              shared.question, naming: stated.rules.namedKeys, candidate.request,
              on: candidate.documents, of: candidate.path, in: stated.rules.database)
          else { continue }
          let nodes = world.propositions()
          compared += 1
          func fails(_ prop: Prop) -> Bool { nodes[prop.node] == prop.isDenied }
          let broken = shared.question.axioms.filter { fails($0) }
          #expect(broken.isEmpty, "case \(number), \(kind.line)")
          for (claim, index) in own {
            let refutes = set.refutation(by: candidate, of: set.claims[index]) != nil
            if refutes { refuted += 1 }
            let isModel = !shared.refutation(of: claim).contains { fails($0) }
            #expect(!refutes || isModel, "case \(number), \(kind.line): \(claim)")
          }
        }
      }
    }
    print("cells: \(compared) requests compared, \(refuted) refutations")
    #expect(compared > Self.cases && refuted > Self.cases)
  }
}

/// The cells of a claim's path that are given its conditions, and each of them as a claim by itself.
private struct CellClaims {
  var whole: Claim
  var conditions: [Text]
  var alone: [Claim] = []

  init(of claim: Claim) {
    whole = claim
    (whole.given, whole.writes, whole.obligation) = (nil, [], .never)
    whole.methods = Method.allCases.reduce(MethodSet([])) { $0.union(MethodSet($1)) }
    conditions = ["request.auth != null", "resource == null || resource.data.size() > 0"]
    if let given = claim.given { conditions.append(given.text) }
    if case .onlyIf(let condition) = claim.obligation { conditions.append(condition.text) }
    for condition in conditions {
      for obligation in [Claim.Obligation.never, .alwaysIf(Claim.Condition("true"))] {
        var one = whole
        one.given = Claim.Condition(condition)
        one.obligation = obligation
        alone.append(one)
      }
    }
  }

  /// Returns the cells about a kind of request, with the indices of their claims.
  func claims(of kind: RequestKind) -> [(claim: CellClaim, index: Int)] {
    var isOfGroup = false
    if case .group = kind.access { isOfGroup = true }
    return alone.indices.map { index in
      let claim = CellClaim(
        method: kind.method, isOfGroup: isOfGroup, conditions: [index / 2],
        obligation: index.isMultiple(of: 2) ? .never : .always)
      return (claim, index)
    }
  }
}

extension RequestKind {
  /// True if a candidate is a request of the kind.
  fileprivate func isReached(by candidate: CandidateRequest) -> Bool {
    let isCreated = candidate.before == nil && candidate.after != nil
    guard (candidate.method == .create) == isCreated else { return false }
    return switch (candidate.access, access) {
    case (.document, .document), (.query, .query), (.namedQuery, .namedQuery): true
    case (.group(let one), .group(let other)): one == other
    default: false
    }
  }
}
