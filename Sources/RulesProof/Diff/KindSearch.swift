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
  /// The budget of the axioms that hold of every request.
  private let budget: Budget
  /// True if the budget ran out while these axioms were being added.
  private var isBroken = false

  /// True if all axioms that hold of every request have been added.
  var isWhole: Bool { goal.compiler.isClosed }

  /// Starts with the compiled half of the unchanged file, whose problem becomes the common prefix of
  /// versions compiled from then on.
  ///
  /// - Parameter budget: The budget of the axioms, shared by all queries about the file.
  init(of half: DiffGoal.Half, in scenario: Scenario, within budget: Budget) {
    self.budget = budget
    half.compiler.problem.freeze()
    origin = half.compiler
    goal = Self.goal(scenario, of: origin)
  }

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
  /// - Returns: The final state and the result of the search; nil if the roots mention terms or
  ///   patterns that the file's problem lacks, if the version does not share its prefix, or if the
  ///   axioms are incomplete.
  func search(
    for roots: [Ref], of problem: Problem, isWhole: Bool, conflicts: Int
  ) -> (search: SearchResult, result: Search.Result)? {
    if goal.compiler.problem.graph.count > SearchStrategy.keptNodes {
      goal = Self.goal(goal.scenario, of: origin)
    }
    if isWhole { close() }
    if isBroken { return nil }
    let part = problem.budget?.question(steps: Strategy.sideSteps)
    defer { part?.settle() }
    goal.compiler.problem.budget = part
    guard let assumptions = goal.compiler.problem.adopt(roots, of: problem) else { return nil }
    return goal.searchKnown(
      for: assumptions, within: SearchBudget(conflicts: conflicts), thorough: false)
  }

  private func close() {
    if isBroken || goal.compiler.isClosed { return }
    let part = budget.question(steps: Strategy.sideSteps)
    defer { part.settle() }
    goal.compiler.problem.budget = part
    goal.compiler.close()
    // Axioms left out when the budget ran out would be missing from then on.
    isBroken = part.isSpent
  }
}
