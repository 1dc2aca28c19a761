import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension SearchBudget {
  /// What a search may cost that shows that no limit is exceeded: where many sums come near to it, it
  /// would take long.
  static var ofThrift: SearchBudget { SearchBudget(conflicts: 150) }
}

extension Goal {
  /// So many statements are gone through.
  private static let greatestStatements = 4

  /// Whether no request in the scope of a claim makes the statements exceed a limit, nor one that satisfies
  /// its condition if only those are meant; false if that is not proved.
  func provesThrift(onlyIfMet: Bool) -> Bool {
    // What follows is no part of the claim's own proof.
    let copy = Compiler(copying: compiler)
    guard let exceeds = copy.overspends(statements) else { return false }
    let world = onlyIfMet ? [scope, condition] : [scope]
    let goal = Goal(scenario, compiler: copy)
    let isProved = exceeds.allSatisfy { goal.rulesOut(world + [$0]) }
    compiler.problem.budget?.stage = .searching
    return isProved
  }

  /// Whether a short search shows that no request satisfies something.
  func rulesOut(_ roots: [Ref]) -> Bool {
    search(for: roots, within: .ofThrift).result == .unsatisfiable
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
      if let draft = Model(of: search, in: compiler.scene).draft() { found.append(draft) }
    }
    return found
  }
}
