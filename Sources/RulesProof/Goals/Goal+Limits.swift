import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension Goal {
  /// So many statements are gone through.
  private static let greatestStatements = 4

  /// Works at a part of what the question may cost.
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

  /// Whether no request in the scope of a claim makes the statements exceed a limit, nor one that satisfies
  /// its condition if only those are meant; false if that is not proved.
  func provesThrift(onlyIfMet: Bool) -> Bool {
    // What follows is no part of the claim's own proof.
    let thrift = Thrift(of: statements, with: Compiler(copying: compiler), in: scenario)
    let isProved = thrift.isProved(in: onlyIfMet ? [scope, condition] : [scope])
    compiler.problem.budget?.stage = .searching
    return isProved
  }

  /// Requests for which statements are likely to cost much: those that nothing grants, and those for
  /// which one after the other is true, from the last one on. All satisfy `world`.
  func dearRequests(in world: [Ref], grants: [Ref]) -> [Draft] {
    var questions = [world + grants.map { !$0 }]
    for place in grants.indices.reversed().prefix(Self.greatestStatements) {
      questions.append(world + grants[..<place].map { !$0 } + [grants[place]])
    }
    questions.append(world)
    var found: [Draft] = []
    for question in questions where !budget.isSpent {
      let (search, result) = search(for: question, within: SearchBudget(conflicts: 200))
      guard result == .satisfiable else { continue }
      if let draft = Model(of: search, for: compiler).draft() { found.append(draft) }
    }
    return found
  }
}
