/// An incremental solver for many queries about one problem, which differ only in their
/// assumptions.
///
/// Axioms are asserted once. The search is only rebuilt after new axioms, or for a query with new
/// atoms.
///
/// Sound: every question begins with what is stated and what follows from it. What a question asks for is
/// decided, not stated, so what it has learned follows from what is stated alone and is kept.
package final class SearchSession {
  /// The search after the last query.
  private var last: Search?
  /// True if `last` was interrupted and must be reset.
  private var isBroken = false
  /// Whether all was stated when the search was made.
  private var isStated = false
  /// The number of axioms when the search was built.
  private var axiomCount = 0
  /// Models of earlier queries without wishes.
  private var models = KnownModels()

  /// Once a search has learned more it forgets: most questions meet no conflict, and each lesson costs all.
  private static let greatestLessons = 400

  /// Creates a session without a search.
  package init() {}

  /// Looks for a model of some roots and of all that a problem states. The search is in the state of the
  /// model, if there is one, whatever is asked next.
  package func run(
    _ roots: [Ref], of problem: Problem, within budget: SearchBudget
  ) -> (search: Search, result: Search.Result) {
    var present = search(for: roots, of: problem, within: budget)
    // The search must be nobody else's while it runs, or it would be copied.
    last = nil
    renew(&present, for: roots, of: problem, within: budget)
    let result = present.run(assuming: roots, within: budget)
    if result == .satisfiable { present.tell(&models) }
    // What was broken off is not built upon.
    isBroken = result == .givenUp
    if isStated, !present.isContradictory { last = present }
    return (present, result)
  }

  /// Has something done with a search after what follows from some roots, or with one in which these
  /// contradict each other; nil if there are not the steps for it.
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
    // What was left half done when the budget was spent is not built upon.
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
    guard
      isBroken || present.lessonCount > Self.greatestLessons
        || !knows(roots, in: present.graph)
    else { return }
    present.forget(in: problem.graph, within: budget)
    // What follows for new propositions was perhaps not found out for want of steps.
    if budget.question?.isSpent ?? false { isStated = false }
  }

  /// Whether a search knows all that is stated and asked for, but for conjunctions of what it knows.
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
    // What is new in the graph is made of what models know, or they leave it open.
    if axiomCount != problem.axioms.count { models = KnownModels() }
    axiomCount = problem.axioms.count
    // What was not stated for want of steps would be missing for ever.
    isStated = !(budget.question?.isSpent ?? false)
    isBroken = false
    return search
  }

  /// True if a model of an earlier query satisfies these roots.
  package func hasModel(of roots: [Ref], of problem: Problem) -> Bool {
    guard axiomCount == problem.axioms.count else { return false }
    return models.satisfy(roots, in: problem.graph, within: problem.budget)
  }
}
