import Foundation
import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesSolver
@testable import RulesTesting

/// Claims that share the grounds of their set are decided as each by itself.
@Suite struct BaseEncodingCacheTests {
  @Test func sharedGroundsChangeNoVerdict() throws {
    let folder = CommandLineCase.package.appendingPathComponent("rules")
    let suites = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.lastPathComponent.hasSuffix(".suite.json") }
    var counts = ["proved": 0, "violated": 0, "undecided": 0]
    for file in suites {
      let text = try String(contentsOf: file, encoding: .utf8)
      let suite = try #require(
        SuiteReader.read(SourceText(name: file.lastPathComponent, text)).suite)
      let name = String(try #require(suite.rulesPath))
      let rules = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      let checked = try #require(Checker.check(SourceText(name: name, rules)).checked)
      let set = try ClaimSet(suite.claims, about: checked)
      let encodings = BaseEncodingCache()
      // Twice, so that each claim also meets grounds that others have built on.
      for index in set.claims.indices + Array(set.claims.indices) {
        let shared = Prover(set, sharing: encodings).decide(index)
        let alone = Prover(set).decide(index)
        counts[alone.word, default: 0] += 1
        #expect(Self.text(shared) == Self.text(alone), "\(name): \(set.claims[index].claim.name)")
      }
    }
    #expect(counts["proved"] == 60 && counts["violated"] == 30, "\(counts)")
  }

  @Test func sharedGroundsChangeNoVerdictAboutRandomRules() throws {
    var counts = ["proved": 0, "violated": 0, "undecided": 0]
    let sets = Wanted.cases(10, of: 40)
    for number in 0..<sets {
      var maker = PolicyMaker(dice: Dice(seed: 17, UInt64(number)))
      let policies = (0..<5).map { _ in maker.policy() }
      let claims = try policies.map { try #require($0.claim) }
      let source = SourceText(name: "random.rules", policies[0].rules)
      let set = try ClaimSet(claims, about: try #require(Checker.check(source).checked))
      let encodings = BaseEncodingCache()
      for index in claims.indices {
        let shared = Prover(set, sharing: encodings).decide(index)
        let alone = Prover(set).decide(index)
        counts[alone.word, default: 0] += 1
        #expect(Self.text(shared) == Self.text(alone), "case \(number): \(policies[index])")
      }
    }
    #expect(
      counts["proved", default: 0] > sets / 2 && counts["violated", default: 0] > sets / 2,
      "\(counts)")
  }

  @Test func whatIsProvedEarlyIsProvedWithAllFacts() throws {
    var early = 0
    var open = 0
    let drawn = Wanted.cases(50, of: 150)
    for number in 0..<drawn {
      var maker = PolicyMaker(dice: Dice(seed: 23, UInt64(number)))
      let policy = maker.policy()
      for goal in try Self.goals(policy.rules, try #require(policy.claim)) {
        let isEarly = goal.isRefutedEarly
        let (_, result) = goal.search(for: goal.roots, within: SearchBudget())
        #expect(!isEarly || result == .unsatisfiable, "case \(number): \(policy)")
        if isEarly { early += 1 } else { open += 1 }
      }
    }
    #expect(early > drawn / 3 && open > drawn / 3, "\(early) \(open)")
  }

  /// Some claims hold only because of facts that are not stated at first.
  @Test(arguments: [
    ("resource.data.a == 'x' && resource.data.a == 'y'", true),
    ("resource.data.m.size() < 1 && 'x' in resource.data.m", false),
    ("resource.data.m is list && resource.data.m[0] == 1", nil),
  ])
  func notEverythingIsProvedEarly(_ condition: String, isEarly: Bool?) throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /t/{id} { allow get: if \(condition); }
        }
      }
      """
    let claim = Claim(
      name: "c", path: try #require(ClaimPath("/t/{id}")), methods: MethodSet(.get),
      obligation: .never)
    let goal = try #require(try Self.goals(rules, claim).first)
    #expect(goal.isRefutedEarly == (isEarly == true))
    let (_, result) = goal.search(for: goal.roots, within: SearchBudget())
    #expect(result == (isEarly == nil ? .satisfiable : .unsatisfiable))
    // Once everything is stated there is nothing to be had early.
    #expect(goal.compiler.isClosed && !goal.isRefutedEarly)
  }

  private static func goals(_ rules: String, _ claim: Claim) throws -> [Goal] {
    let source = SourceText(name: "random.rules", rules)
    let set = try ClaimSet([claim], about: try #require(Checker.check(source).checked))
    return set.scenarios(of: set.claims[0]).map {
      Goal(set.claims[0], in: set, for: $0, closing: false)
    }
  }

  private static func text(_ verdict: Verdict) -> String {
    switch verdict {
    case .proved(let proof):
      return "proved by "
        + proof.statements.map { "\($0.allow) \($0.methods) \($0.core)" }.joined(separator: ", ")
        + proof.notes.joined(separator: ", ")
    case .violated(let found):
      return "violated by \(found.test)"
    case .undecided(let openReasons):
      return "undecided: " + openReasons.map(\.reason).joined(separator: ", ")
    case .vacuous(let vacuity): return "vacuous: " + vacuity.sentence
    }
  }
}
