import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// An effective limit is shown by a request that costs slightly more than the limit in one file and
// at most the limit in the other. The cost depends on which parts of conditions are reached. So the
// search generates requests that reach as many parts as possible, and fewer; `CostSearch` continues
// from there.

/// Generates requests that cost about as much as a limit allows, or more.
struct NearLimit {
  private let goal: Goal
  private let world: [Ref]
  private let statements: [Compiler.Statement]
  private let steps: Int

  private static let conflicts = 300
  /// Minimum cost of a branch that is considered.
  private static let smallestBranch = 4

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - world: Assertions about the requests.
  ///   - compiler: Must not be used for anything else afterwards.
  ///   - steps: Maximum steps.
  init(
    of statements: [Compiler.Statement], in world: [Ref], with compiler: Compiler,
    in scenario: Scenario, steps: Int
  ) {
    self.statements = statements
    self.world = world
    self.steps = steps
    goal = Goal(scenario, compiler: compiler, session: SearchSession())
  }

  /// Returns an expensive request, if it exceeds a limit, and then cheaper ones; else nothing.
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
