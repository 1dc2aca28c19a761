import Foundation
import RulesLang
import Testing

@testable import RulesEval
@testable import RulesProof
@testable import rules_check

/// The propositions of a condition against the evaluator, on requests at random: where the condition
/// is true, exactly its true rail holds; where it is false, exactly its false rail; where it ends in
/// an error, neither. And what is required of every request holds of each.
@Suite struct RailTests {
  private static let cases =
    ProcessInfo.processInfo.environment["PROOF_CASES"].flatMap { Int($0) } ?? 150
  private static let seed =
    ProcessInfo.processInfo.environment["PROOF_SEED"].flatMap { UInt64($0) } ?? 1

  @Test func railsAreTrueOfRequests() throws {
    var compared = 0
    var problems: [String] = []
    for number in 0..<Self.cases {
      var maker = PolicyMaker(dice: Dice(seed: Self.seed, UInt64(number)))
      let policy = maker.policy()
      let checked = try #require(Checker.check(SourceText(name: "r", policy.rules)).checked)
      let set = try ClaimSet([try #require(policy.claim)], about: checked)
      for scenario in set.scenarios(of: set.claims[0]) where scenario.access == .document {
        let goal = Goal(set.claims[0], in: set, for: scenario)
        if !goal.compiler.obstacles.isEmpty { continue }
        var requests = RandomRequests(dice: Dice(seed: Self.seed, UInt64(number), 2))
        for _ in 0..<10 {
          let draft = requests.draft(scenario.method)
          if let problem = Self.compare(draft, goal, set, &compared) {
            problems.append("case \(number): \(problem)\n\(policy.rules)")
          }
        }
      }
    }
    print("rails: \(compared) conditions compared")
    #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(2).joined(separator: "\n\n"))")
    #expect(compared > Self.cases)
  }

  /// What is wrong with the propositions of a goal for one request; nil if nothing is.
  static func compare(
    _ draft: Draft, _ goal: Goal, _ set: ClaimSet, _ compared: inout Int
  ) -> String? {
    // A draft whose method is not what its documents make of it is a request of another kind.
    guard (draft.method == .create) == (draft.before == nil && draft.after != nil),
      var world = Interpretation(draft, goal.compiler),
      let decision = try? set.engine.decide(draft.request, on: draft.documents)
    else { return nil }
    let holds = world.propositions()
    func isTrue(_ ref: Ref) -> Bool { holds[Int(ref.node)] != ref.isNegated }
    let text = JSONText(
      SuiteWriter.test(name: "", draft.request, on: draft.documents, expect: .allow)
    ).compact
    for axiom in goal.compiler.problem.axioms where !isTrue(axiom) {
      return "an axiom does not hold of \(text): \(goal.describe(axiom, &world))"
    }
    for tried in decision.accesses.first?.tried ?? [] {
      guard let place = goal.statements.firstIndex(where: { $0.allow == tried.allow }),
        let condition = set.rules.ruleset[tried.allow].condition
      else { continue }
      compared += 1
      let rails = goal.compiler.rails(condition.root, goal.statements[place].frame)
      // Compiling again makes no new nodes.
      guard Int(rails.yes.node) < holds.count, Int(rails.no.node) < holds.count else {
        return "compiling again gives something else"
      }
      let expected: (Bool, Bool)
      switch tried.result {
      case .granted: expected = (true, false)
      case .refused: expected = (false, true)
      case .failed: expected = (false, false)
      }
      if (isTrue(rails.yes), isTrue(rails.no)) != expected {
        return "\(text): \(tried.result), rails \(isTrue(rails.yes)) \(isTrue(rails.no)) "
          + "line \(set.engine.line(of: tried.allow))"
      }
    }
    return nil
  }
}

extension Goal {
  /// A proposition with what its atoms are in a world, for messages.
  func describe(_ ref: Ref, _ world: inout Interpretation) -> String {
    let graph = compiler.problem.graph
    let children = graph.children(of: Int(ref.node))
    let sign = ref.isNegated ? "!" : ""
    if let atom = graph.atoms[Int(ref.node)] {
      var values = ""
      for term in atom.terms {
        values += " \(describe(term))=\(ValueText.short(world.value(term)))"
      }
      return sign + "\(atom)".prefix(12) + values
    }
    var parts: [String] = []
    for child in children { parts.append(describe(child, &world)) }
    return sign + "(" + parts.joined(separator: " & ") + ")"
  }

  private func describe(_ term: TermID) -> String {
    switch compiler.problem.terms[term] {
    case .constant: return compiler.problem.terms.value(of: term).map { ValueText.short($0) } ?? "?"
    case .variable(let variable): return "\(variable)"
    case .apply(let op, let arguments):
      return "\(op)(" + arguments.map { describe($0) }.joined(separator: ", ") + ")"
    }
  }
}
