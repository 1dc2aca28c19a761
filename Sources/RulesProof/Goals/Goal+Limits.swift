import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension Goal {
  /// So many statements are gone through.
  private static let greatestStatements = 4

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
      if let draft = Model(of: search, in: compiler.scene).draft() { found.append(draft) }
    }
    return found
  }
}
