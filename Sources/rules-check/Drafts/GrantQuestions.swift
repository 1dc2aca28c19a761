import RulesEval
import RulesLang
import RulesProof
import RulesSolver

/// For each statement and method the claim that nothing is granted: a counterexample is a request that is
/// granted.
///
/// The claims are compiled together, because compiling each alone would check the whole file again.
struct GrantQuestions {
  private let set: ClaimSet
  private let places: [Place: Int]

  /// The subject of a claim.
  private struct Place: Hashable {
    var allow: AllowID
    var method: Method
  }

  /// Compiles the claims; those whose conditions cannot be written outside their block are left out.
  init?(about rules: Checked, profile: Profile) {
    var asked: [(place: Place, claim: Claim)] = []
    for index in rules.ruleset.allows.indices {
      let allow = AllowID(index)
      for method in Method.allCases where rules.methods[index].contains(method) {
        asked.append((Place(allow: allow, method: method), Self.claim(allow, method, in: rules)))
      }
    }
    // Without the faulty claims the rest compiles.
    for _ in 0..<2 {
      do throws(ClaimSet.Refusal) {
        set = try ClaimSet(asked.map { $0.claim }, about: rules, profile: profile)
        places = Dictionary(
          uniqueKeysWithValues: asked.enumerated().map { ($0.element.place, $0.offset) })
        return
      } catch {
        let faulty = Set(error.problems.map { $0.claim })
        asked = asked.enumerated().filter { !faulty.contains($0.offset) }.map { $0.element }
      }
    }
    return nil
  }

  /// Returns a request that satisfies a statement's condition and that the rules grant; nil if none was
  /// found.
  func granted(_ allow: AllowID, _ method: Method, within budget: Budget) -> Counterexample? {
    guard let index = places[Place(allow: allow, method: method)],
      case .violated(let found) = Prover(set, within: budget).decide(index, checking: false)
    else { return nil }
    return found
  }

  private static func claim(_ allow: AllowID, _ method: Method, in rules: Checked) -> Claim {
    let facts = rules.matches[rules.ruleset[allow].match.index]
    let steps = facts.pattern.dropFirst(DatabaseName.rootCount).map { step in
      switch step {
      case .literal(let text): ClaimPath.Step.literal(text)
      case .capture(let slot): ClaimPath.Step.capture(facts.captures[Int(slot)].text)
      case .glob(let slot): ClaimPath.Step.glob(facts.captures[Int(slot)].text)
      }
    }
    var claim = Claim(
      name: "granted", path: ClaimPath(Array(steps)), methods: MethodSet(method),
      obligation: .never)
    if let condition = rules.ruleset[allow].condition {
      let text = rules.ruleset.source.string(rules.ruleset[condition.root].range)
      claim.given = Claim.Condition(Text(text))
    }
    return claim
  }
}
