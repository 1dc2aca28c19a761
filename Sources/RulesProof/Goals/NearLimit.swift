import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Whether a limit makes a difference shows a request that costs a little more than the limit in one file and
// no more in the other. What makes it cost more or less are the parts of conditions that it reaches, and
// which of them it reaches depends on what is in it. So a search makes requests that reach as many of the
// parts as come to it, and fewer, and `CostSearch` goes on from there.

/// Makes requests that cost about as much as a limit allows, or more.
struct NearLimit {
  private let goal: Goal
  private let world: [Ref]
  private let statements: [Compiler.Statement]
  private let steps: Int

  private static let conflicts = 300
  /// Parts that cost less are reached or not as it happens.
  private static let smallestBranch = 4

  /// Takes the statements that are tried for the requests, what is true of these, and what it may cost. The
  /// compiler is of no use for anything else afterwards.
  init(
    of statements: [Compiler.Statement], in world: [Ref], with compiler: Compiler,
    in scenario: Scenario, steps: Int
  ) {
    self.statements = statements
    self.world = world
    self.steps = steps
    goal = Goal(scenario, compiler: compiler, session: SearchSession())
  }

  /// A request that reaches as much as can be, if it is too much, and then such as reach little and much;
  /// nothing if that one is not too much.
  func requests(where isTooMuch: (Draft) -> Bool) -> [Draft] {
    goal.during(steps: steps) {
      let cost = goal.compiler.reachedCost(
        of: statements, knowing: [], smallest: Self.smallestBranch)
      let (lookups, branches) = (cost.payments, cost.branches)
      goal.compiler.close()
      guard let dearest = request(reaching: lookups + branches), isTooMuch(dearest) else {
        return []
      }
      let fewer = [branches.count / 2, branches.count / 4, 0].map { Array(branches.prefix($0)) }
      return [dearest] + (fewer + [branches.reversed()]).compactMap { request(reaching: $0) }
    }
  }

  private func request(reaching parts: [Ref]) -> Draft? {
    let few = SearchBudget(conflicts: Self.conflicts)
    let (search, result) = goal.searchKnown(
      for: world, within: few, thorough: false, wishing: parts)
    return result == .satisfiable ? Model(of: search, for: goal.compiler).draft() : nil
  }
}
