import Foundation
import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import rules_check

@Suite struct DebugTests {
  @Test func show() throws {
    guard let n = ProcessInfo.processInfo.environment["PROOF_CASE"].flatMap({ UInt64($0) }) else {
      return
    }
    let seed = ProcessInfo.processInfo.environment["PROOF_SEED"].flatMap({ UInt64($0) }) ?? 1
    var maker = PolicyMaker(dice: Dice(seed: seed, n))
    let policy = maker.policy()
    print(policy.rules)
    print(policy.obligation, policy.given as Any, policy.methods)
    let checked = Checker.check(SourceText(name: "r", policy.rules)).checked!
    let set = try ClaimSet([policy.claim!], about: checked)
    let claim = set.claims[0]
    for scenario in set.scenarios(of: claim) {
      let goal = Goal(claim, in: set, for: scenario)
      print("== \(scenario.method) \(scenario.access)")
      for round in 0..<30 {
        let (search, result) = goal.search(goal.roots, SearchBudget())
        print("round \(round) \(result) conflicts \(search.conflicts)")
        guard case .satisfiable = result else { break }
        let model = Model(search, goal.compiler.scene)
        if let draft = model.draft() {
          let text = JSONText(
            SuiteWriter.test(name: "", draft.request, on: draft.documents, expect: .allow)
          ).compact
          print(text)
          if let found = set.refutes(draft, claim) {
            print("CONFIRMED", found.decision.isAllowed); break
          }
          if let d = try? set.engine.decide(draft.request, on: draft.documents) {
            print(
              "  allowed \(d.isAllowed)",
              d.tried.map { "\(set.engine.line(of: $0.allow)):\($0.result)".prefix(200) })
          }
          for l in claim.limits(for: draft.method) + [claim.obligation].compactMap({ $0 }) {
            let o = try? set.engine.outcome(
              of: l, arguments: claim.claim.path.arguments(for: draft.path), for: draft.path,
              in: draft.request, on: draft.documents)
            print("  condition", "\(o as Any)".prefix(200))
          }
          for lit in search.literals {
            print(
              "    ", lit.isNegated ? "not" : "",
              goal.show(goal.compiler.problem.graph.atoms[Int(lit.node)]!))
          }
        } else {
          print("no draft")
        }
        if goal.refine(model) == 0 { print("blocked"); goal.block(search) }
      }
    }
  }
}
extension Goal {
  func show(_ t: TermID) -> String {
    switch compiler.problem.terms[t] {
    case .constant: return compiler.problem.terms.value(of: t).map { ValueText.short($0) } ?? "?"
    case .variable(let v): return "\(v)"
    case .apply(let op, let a): return "\(op)(" + a.map { show($0) }.joined(separator: ", ") + ")"
    }
  }
  func show(_ a: Atom) -> String {
    switch a {
    case .same(let l, let r): return "\(show(l)) = \(show(r))"
    case .type(let t, let ty): return "\(show(t)) is \(ty)"
    case .atMost(let t, _, let b): return "\(show(t)) <= \(b)"
    case .floatAtMost(let t, let b): return "\(show(t)) f<= \(b.value)"
    case .difference(let l, let r, _, let b): return "\(show(l)) - \(show(r)) <= \(b)"
    case .matches(let t, let p): return "\(show(t)) matches \(p.raw)"
    }
  }
}
