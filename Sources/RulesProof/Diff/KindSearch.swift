import RulesEncoding
import RulesEval
import RulesSolver

// The incremental search for versions of a rules file made by editing its tree. A version is compiled
// as a copy of the unchanged file's problem, so a query about two versions consists of assumptions over
// propositions of the file: a removed statement does not grant, and a condition without an operand is
// the conjunction of the others. What the search learns is kept for the next query.
//
// There is one search for each request class. Classes differ in method, path length or documents, so
// lemmas about one say little about another, and each query would pay for blocks that match other
// documents.
//
// Sound: an unsatisfiable query has no request in its version. A model may violate axioms that are not
// added yet, or that only the version states.

/// An incremental search that answers the queries about all versions of a file for one request
/// class.
final class KindSearch {
  /// The compiler of the unchanged file, without additions.
  private let origin: Compiler
  /// The search with everything added by queries so far.
  private var goal: Goal
  /// The size of the graph without the propositions that versions added.
  private var start: Int
  /// The budget of the axioms that hold of every request.
  private let budget: Budget
  /// True if the budget ran out while these axioms were being added.
  private var isBroken = false
  /// Maximum steps for compiling the file once, and again as many for the axioms.
  static let greatestSteps = 8_000_000

  /// Maximum steps of one search; nearly all need a tenth of them. Longer searches are better made
  /// separately, without the other propositions of the file.
  static let greatestSearch = 1_000_000
  /// Maximum steps of one search if a longer one follows, which needs the rest of the query's budget.
  static let briefSearch = 200_000

  /// The growth of the graph, as a factor, after which the search starts again without the versions'
  /// propositions.
  private static let greatestGrowth = 4

  /// True if all axioms that hold of every request have been added.
  var isWhole: Bool { goal.compiler.isClosed }

  /// Starts with the compiled half of the unchanged file, whose problem becomes the common prefix of
  /// versions compiled from then on.
  ///
  /// - Parameter budget: The budget of the axioms, shared by all queries about the file.
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
  ///   - roots: The propositions.
  ///   - problem: The problem of the version.
  ///   - isWhole: True to add all axioms about requests first. A query without a model has none with
  ///     more axioms.
  ///   - conflicts: Maximum conflicts.
  ///   - steps: Maximum steps.
  /// - Returns: The final state and the result of the search; nil if the roots mention terms or
  ///   patterns that the file's problem lacks, if the version does not share its prefix, or if the
  ///   axioms are incomplete.
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
    // Axioms left out when the budget ran out would be missing from then on.
    isBroken = part.isSpent
  }
}
