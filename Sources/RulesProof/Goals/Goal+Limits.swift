import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension Goal {
  /// Runs `work` with a part of the query's budget.
  func during<Answer>(steps: Int, work: () -> Answer) -> Answer {
    let whole = compiler.problem.budget
    let part = whole?.question(steps: steps)
    compiler.problem.budget = part
    defer {
      part?.settle()
      compiler.problem.budget = whole
    }
    return work()
  }

  /// Proves that no request in the claim's scope exceeds an evaluation limit; with `onlyIfMet`, no
  /// request that satisfies its condition, too. False if not proved.
  func provesWithinLimits(onlyIfMet: Bool) -> Bool {
    // This is not part of the claim's own proof trace.
    let limitProof = LimitProof(of: statements, with: Compiler(copying: compiler), in: scenario)
    let isProved = limitProof.isProved(in: onlyIfMet ? [scope, condition] : [scope])
    compiler.problem.budget?.stage = .searching
    return isProved
  }

  /// Returns requests in `world` that are likely to be expensive: one that nothing grants, and for
  /// each statement, from the last one on, one that only it grants.
  func mostExpensiveRequests(in world: [Ref], grants: [Ref]) -> [CandidateRequest] {
    var questions = [world + grants.map { !$0 }]
    for place in grants.indices.reversed().prefix(Strategy.tries) {
      questions.append(world + grants[..<place].map { !$0 } + [grants[place]])
    }
    questions.append(world)
    var found: [CandidateRequest] = []
    for question in questions where !budget.isSpent {
      let (search, result) = search(for: question, within: .brief)
      guard result == .satisfiable else { continue }
      if let candidate = Model(of: search, for: compiler).candidate() { found.append(candidate) }
    }
    return found
  }
}
