/// An incremental solver for many queries about one problem, which differ only in their assumptions.
///
/// Axioms are asserted once. The search is only rebuilt after new axioms, or for a query with new atoms.
///
/// Soundness: every query starts with the axioms and their consequences. Its assumptions are decisions rather
/// than axioms, so learned clauses follow from axioms, gate definitions and theories alone, and are kept.
package final class SearchSession {
  /// The search after the last query.
  private var last: Search?
  /// True if `last` was interrupted and must be reset.
  private var isBroken = false
  /// True if the search was built with all axioms propagated.
  private var isStated = false
  /// The number of axioms when the search was built.
  private var axiomCount = 0
  /// Models of earlier queries.
  private var models = ModelCache()

  /// Creates a session without a search.
  package init() {}

  /// Searches for a model of the axioms and the roots.
  ///
  /// - Returns: The search, in the state of the model if there is one, and the result.
  package func run(
    _ roots: [Ref], of problem: Problem, within budget: SearchBudget
  ) -> (search: Search, result: Search.Result) {
    var present = search(for: roots, of: problem, within: budget)
    // The search must have one owner while it runs, or it would be copied.
    last = nil
    renew(&present, for: roots, of: problem, within: budget)
    let result = present.run(assuming: roots, within: budget)
    if result == .satisfiable { present.tell(&models) }
    // An interrupted search is not reused.
    isBroken = result == .givenUp
    if isStated, !present.isContradictory { last = present }
    return (present, result)
  }

  /// Calls `work` with a search after propagation of `roots`, or one in which they are
  /// contradictory; returns nil if the budget is spent first.
  func propagating<Answer>(
    _ roots: [Ref], asking candidates: [Ref], of problem: Problem, within budget: Budget,
    _ work: (_ search: inout Search, _ isRefuted: Bool) -> Answer
  ) -> Answer? {
    let limits = SearchBudget(question: budget)
    var present = search(for: roots + candidates, of: problem, within: limits)
    last = nil
    renew(&present, for: roots + candidates, of: problem, within: limits)
    let result = present.propagate(assuming: roots, within: limits)
    let answer =
      budget.isSpent && result != .unsatisfiable
      ? nil : work(&present, result == .unsatisfiable)
    // An interrupted search is not reused.
    isBroken = budget.isSpent
    if isStated, !present.isContradictory { last = present }
    return answer
  }

  /// Returns the last search if it fits the query's nodes, or else a new one.
  private func search(
    for roots: [Ref], of problem: Problem, within budget: SearchBudget
  ) -> Search {
    if let known = last, !fits(known, roots, problem) { last = nil }
    return last ?? made(of: problem, within: budget)
  }

  /// Resets an interrupted or overgrown search, and takes in new nodes.
  private func renew(
    _ present: inout Search, for roots: [Ref], of problem: Problem, within budget: SearchBudget
  ) {
    guard isBroken || !knows(roots, in: present.graph) else { return }
    present.forget(in: problem.graph, within: budget)
    // Propagation for the new nodes may have been interrupted.
    if budget.question?.isSpent ?? false { isStated = false }
  }

  /// True if a search has the problem's axioms and all atoms of the query; new conjunctions are
  /// allowed.
  private func fits(_ search: Search, _ roots: [Ref], _ problem: Problem) -> Bool {
    axiomCount == problem.axioms.count
      && (knows(roots, in: search.graph)
        || !problem.graph.atoms[search.graph.count...].contains { $0 != nil })
  }

  private func knows(_ roots: [Ref], in graph: Graph) -> Bool {
    roots.allSatisfy { Int($0.node) < graph.count }
  }

  private func made(of problem: Problem, within budget: SearchBudget) -> Search {
    var search = Search(
      problem.graph, terms: problem.terms, patterns: problem.patterns, first: [],
      axioms: problem.axioms, budget: budget)
    search.state(problem.axioms)
    // Earlier models remain models unless axioms were added; new nodes have no value in them.
    if axiomCount != problem.axioms.count { models = ModelCache() }
    axiomCount = problem.axioms.count
    // Axioms that the budget kept from being asserted would stay missing.
    isStated = !(budget.question?.isSpent ?? false)
    isBroken = false
    return search
  }

  /// True if a model of an earlier query satisfies these roots.
  package func hasModel(of roots: [Ref], of problem: Problem) -> Bool {
    guard axiomCount == problem.axioms.count else { return false }
    return models.satisfy(roots)
  }
}
