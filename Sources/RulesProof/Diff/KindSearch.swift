import RulesEncoding
import RulesEval
import RulesSolver

// Versions of a rules file that are made by changing its tree say the same to requests but for what is
// changed, and that is put together of what the file itself says. So what tells two versions apart are
// assumptions about propositions of the file: a statement that is taken out is one that does not grant, and
// of a condition whose operand is taken out the others hold. One search answers all such questions about
// requests of a kind, and keeps what it learns.
//
// There is one for each kind of request, not for the file. Kinds exclude each other, so that nothing that is
// learned about one says anything about another; and a question would cost the more, the more blocks for
// other documents the file has.

/// An incremental search that answers the queries about all versions of a file for one request
/// class.
final class KindSearch {
  /// The compiler of the unchanged file, without additions.
  private let origin: Compiler
  /// The search with everything added by queries so far.
  private var goal: Goal
  /// The size of the graph without the propositions that versions added.
  private var start: Int
  /// The budget for the facts that hold of every request.
  private let budget: Budget
  /// True if the budget ran out while these facts were being added.
  private var isBroken = false
  /// Maximum steps for compiling the file once, and again as many for the facts that hold of every request.
  static let greatestSteps = 8_000_000

  /// The steps of one search; nearly all take a tenth of it. Longer ones are better made
  /// separately, without the other propositions of the file.
  static let greatestSearch = 1_000_000
  /// The steps of one search if a longer one follows, which needs the rest of the query's budget.
  static let briefSearch = 200_000

  /// Restart when the graph has grown fourfold.
  private static let greatestGrowth = 4

  /// True if all facts that hold of every request have been added.
  var isWhole: Bool { goal.compiler.isClosed }

  /// Takes what the file itself says to requests of a kind, and what pays for all questions about the file.
  init(of half: DiffGoal.Half, in scenario: Scenario, within budget: Budget) {
    self.budget = budget
    half.compiler.problem.becomeBasis()
    origin = half.compiler
    goal = Self.goal(scenario, of: origin)
    start = origin.problem.graph.count
  }

  private var propositions: Int { goal.compiler.problem.graph.count }

  private static func goal(_ scenario: Scenario, of origin: Compiler) -> Goal {
    Goal(scenario, compiler: Compiler(copying: origin), session: SearchSession())
  }

  /// Looks for a model of propositions of a version.
  ///
  /// - Parameters:
  ///   - roots: What is to hold.
  ///   - problem: What the version says.
  ///   - isWhole: Whether first all is stated that is true of every request. What has no model without that
  ///     has none.
  ///   - conflicts: So many it may meet.
  ///   - steps: So many it may take.
  /// - Returns: The search, and what came of it; nil if the version speaks of something else than the file,
  ///   or was not compiled as a copy of what the file says.
  func search(
    for roots: [Ref], of problem: Problem, isWhole: Bool, conflicts: Int,
    steps: Int = greatestSearch
  ) -> (search: SearchEnd, result: Search.Result)? {
    // Without a restart, the propositions of thousands of versions would slow down each further
    // search.
    if propositions > Self.greatestGrowth * start {
      goal = Self.goal(goal.scenario, of: origin)
      start = propositions
    }
    if isWhole { close() }
    if isBroken { return nil }
    let part = problem.budget?.question(steps: steps)
    defer { part?.settle() }
    goal.compiler.problem.budget = part
    guard let assumptions = goal.compiler.problem.adopt(roots, of: problem) else { return nil }
    return goal.searchKnown(
      for: assumptions, within: SearchBudget(conflicts: conflicts), thorough: false)
  }

  private func close() {
    if isBroken || goal.compiler.isClosed { return }
    let part = budget.question(steps: Self.greatestSteps)
    defer { part.settle() }
    goal.compiler.problem.budget = part
    let before = propositions
    goal.compiler.close()
    start += propositions - before
    // Facts left out when the budget ran out would be missing from then on.
    isBroken = part.isSpent
  }
}
