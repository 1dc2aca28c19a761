/// An incremental solver for many queries about one problem, which differ only in their
/// assumptions.
///
/// Axioms are asserted once. The search is only rebuilt after new axioms, or for a query with new
/// atoms.
///
/// Sound: assumptions are decided, not asserted, so whatever was learned follows from the axioms
/// alone and is kept. An unsatisfiable query leaves its *core*; each later query that contains a
/// core is unsatisfiable.
package final class SearchSession {
  /// The search after the last query.
  private var last: Search?
  /// True if `last` was interrupted and must be reset.
  private var isBroken = false
  /// Clauses learned by earlier searches.
  private(set) var lessons: [[Ref]] = []
  /// True if the search was built with all axioms propagated.
  private var isStated = false
  /// The number of axioms when the search was built.
  private var axiomCount = 0
  /// Models of earlier queries without wishes.
  private var models = KnownModels()
  /// Parts of earlier questions that have no model together, each by themselves.
  private var cores: [[Ref]] = []

  /// Maximum cores kept.
  private static let greatestCores = 400
  private static let greatestLessons = 200

  /// Creates a session without a search.
  package init() {}

  /// Looks for a model of some roots and of all that a problem states. The search is in the state of the
  /// model, if there is one, whatever is asked next.
  package func run(
    _ roots: [Ref], of problem: Problem, within budget: SearchBudget
  ) -> (search: Search, result: Search.Result) {
    var present = search(for: roots, of: problem, within: budget)
    if let core = core(of: roots, in: problem) {
      (present.core, present.proof) = (core, [.learned([])])
      return (present, .unsatisfiable)
    }
    // The search must have one owner while it runs, or it would be copied.
    last = nil
    renew(&present, for: roots, of: problem, within: budget)
    let result = present.run(assuming: roots, within: budget)
    switch result {
    case .satisfiable: present.tell(&models)
    case .unsatisfiable:
      if let core = present.core, cores.count < Self.greatestCores { cores.append(core) }
    case .givenUp: break
    }
    // Nothing is built upon an interrupted search.
    isBroken = result == .givenUp
    if present.conflicts > 0, !isBroken { lessons = present.lessons(atMost: Self.greatestLessons) }
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
      isBroken || present.lessonCount > 2 * Self.greatestLessons
        || !knows(roots, in: present.graph)
    else { return }
    present.forget(keeping: lessons, in: problem.graph, within: budget)
    // Propagation for the new nodes may have been interrupted.
    if budget.question?.isSpent ?? false { isStated = false }
  }

  /// Returns a known core that `roots` contain.
  private func core(of roots: [Ref], in problem: Problem) -> [Ref]? {
    if cores.isEmpty { return nil }
    let asked = problem.graph.conjuncts(of: roots)
    problem.budget?.charge(4 * asked.count + 2 * cores.count)
    return cores.first { core in core.allSatisfy { asked.contains($0) } }
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
    // What is new in the graph is made of what models know, or they leave it open.
    if axiomCount != problem.axioms.count { models = KnownModels() }
    axiomCount = problem.axioms.count
    search.add(lessons)
    // Axioms missed for want of budget would be missing for ever.
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
