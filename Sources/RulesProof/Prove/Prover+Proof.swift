import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Explanation of proofs: for each statement a minimal set of conjuncts that suffices. Each conjunct
// is left out in turn; those without which the claim would not hold are kept.

extension Prover {
  /// Returns the explanation of a claim from its unsatisfiable goals.
  func proof(of claim: CompiledClaim, _ goals: [Goal]) -> Proof {
    var proof = Proof(statements: [])
    budget.stage = .explaining
    for goal in goals {
      for (place, statement) in goal.statements.enumerated() {
        proof.add(
          statement.allow, for: goal.scenario.method, core: core(of: place, in: goal, for: claim))
      }
    }
    return proof
  }

  private func core(of place: Int, in goal: Goal, for claim: CompiledClaim) -> [ExprID] {
    switch claim.claim.obligation {
    case .onlyIf, .never: break
    case .alwaysIf, .noErrors: return []
    }
    let statement = goal.statements[place]
    guard let condition = set.rules.ruleset[statement.allow].condition else { return [] }
    let conjuncts = set.rules.ruleset.conjuncts(of: condition.root)
    let rails = conjuncts.map { goal.compiler.knownRails(of: $0, in: statement.frame).yes }
    let base = [statement.applies, goal.scope, !goal.condition, goal.commit]
    func isSafe(_ kept: [Int]) -> Bool {
      let roots = base + kept.map { rails[$0] }
      if budget.isSpent || goal.isKnownPossible(roots) { return false }
      let (_, result) = goal.search(for: roots, within: .brief)
      return result == .unsatisfiable
    }
    var kept = Array(conjuncts.indices)
    for index in conjuncts.indices.reversed() {
      let fewer = kept.filter { $0 != index }
      if isSafe(fewer) { kept = fewer }
    }
    return kept.map { conjuncts[$0] }
  }
}

extension Proof {
  /// Creates a proof that lists the statements that can apply, without their conjuncts.
  init(listing queries: [KindQuery]) {
    self.init(statements: [])
    for query in queries {
      for allow in query.statements.allows {
        add(allow, for: query.scenario.method, core: [])
      }
    }
    if statements.isEmpty {
      notes.append("no statement matches the claim's documents for its methods")
    }
  }

  fileprivate mutating func add(_ allow: AllowID, for method: Method, core: [ExprID]) {
    guard let place = statements.firstIndex(where: { $0.allow == allow }) else {
      statements.append(Safety(allow: allow, methods: MethodSet(method), core: core))
      return
    }
    statements[place].methods.formUnion(MethodSet(method))
    for conjunct in core where !statements[place].core.contains(conjunct) {
      statements[place].core.append(conjunct)
    }
  }
}

extension Ruleset {
  /// Returns the parts of a condition that must all be true.
  func conjuncts(of id: ExprID) -> [ExprID] {
    let id = unparenthesized(id)
    guard case .binary(.and, let left, let right) = self[id].kind else { return [id] }
    return conjuncts(of: left) + conjuncts(of: right)
  }
}
