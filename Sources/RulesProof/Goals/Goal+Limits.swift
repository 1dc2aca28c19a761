import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

extension Goal {
  /// What it may cost to show that no limit is exceeded: where many sums come near to one it would take long.
  private static let stepsForThrift = 4_000_000
  private static let conflictsForThrift = 150

  /// So many statements are gone through.
  private static let greatestStatements = 4

  /// Whether no request in the scope of a claim makes the statements exceed a limit, nor one that satisfies
  /// its condition if only those are meant; false if that is not proved.
  func provesThrift(onlyIfMet: Bool) -> Bool {
    // What follows is no part of the claim's own proof.
    let goal = Goal(scenario, compiler: Compiler(copying: compiler))
    let isProved = goal.provesThrift(
      of: statements, in: onlyIfMet ? [scope, condition] : [scope])
    compiler.problem.budget?.stage = .searching
    return isProved
  }

  /// Whether no request of a world makes some statements exceed a limit; false if that is not proved. The
  /// goal is of no use for anything else afterwards.
  func provesThrift(of statements: [Compiler.Statement], in world: [Ref]) -> Bool {
    let budget = compiler.problem.budget
    let part = budget?.question(steps: Self.stepsForThrift)
    defer { part?.settle() }
    compiler.problem.budget = part
    guard let exceeds = compiler.overspends(statements) else { return false }
    return exceeds.allSatisfy { rulesOut(world + [$0]) }
  }

  /// Whether a short search shows that no request satisfies something.
  private func rulesOut(_ roots: [Ref]) -> Bool {
    let few = SearchBudget(conflicts: Self.conflictsForThrift)
    let early = searchKnown(for: roots, within: few, thorough: false).result
    if early == .unsatisfiable || compiler.isClosed { return early == .unsatisfiable }
    return search(for: roots, within: few).result == .unsatisfiable
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
