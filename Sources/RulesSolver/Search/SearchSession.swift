/// One search for many questions about the same requests, which differ only in what they ask for.
///
/// What is true of every request is asserted once. The search is made anew only when more is stated, or when
/// a question asks for atoms that are new.
///
/// Sound: every question begins with what is stated and what follows from it. What a question asks for is
/// decided, not stated, so what it has learned follows from what is stated alone and is kept. Of a question
/// without a model those of its parts are kept that have none together with what is stated, its *core*: a
/// question that asks for these and more has no model either.
package final class SearchSession {
  /// The search after the last question.
  private var last: Search?
  /// Whether it is in a state to build nothing upon.
  private var isBroken = false
  /// What earlier searches learned.
  private(set) var lessons: [[Ref]] = []
  /// Whether all was stated when the search was made.
  private var isStated = false
  /// How much was stated when the search was made.
  private var axiomCount = 0
  /// Models of earlier questions.
  private var models = KnownModels()
  /// The same of questions with wishes: they answer others, too, and those without do not take their place.
  private var wished = KnownModels()
  /// Parts of earlier questions that have no model together, each by themselves.
  private var cores: [[Ref]] = []

  /// So many are kept.
  private static let greatestCores = 400
  private static let greatestLessons = 200

  /// Makes one that knows nothing.
  package init() {}

  /// Looks for a model of some roots and of all that a problem states. The search is in the state of the
  /// model, if there is one, whatever is asked next. Of some wishes as many hold in it as come to it, the
  /// first ones before others.
  package func run(
    _ roots: [Ref], of problem: Problem, within budget: SearchBudget, wishing wishes: [Ref] = []
  ) -> (search: Search, result: Search.Result) {
    var present = search(for: roots + wishes, of: problem, within: budget)
    if let core = core(of: roots, in: problem) {
      (present.core, present.proof) = (core, [.learned([])])
      return (present, .unsatisfiable)
    }
    // The search must be nobody else's while it runs, or it would be copied.
    last = nil
    renew(&present, for: roots + wishes, of: problem, within: budget)
    present.wishes = wishes
    let result = present.run(assuming: roots, within: budget)
    present.wishes = []
    switch result {
    case .satisfiable where wishes.isEmpty: present.tell(&models)
    case .satisfiable: present.tell(&wished)
    case .unsatisfiable:
      if let core = present.core, cores.count < Self.greatestCores { cores.append(core) }
    case .givenUp: break
    }
    // What was broken off is not built upon.
    isBroken = result == .givenUp
    if present.conflicts > 0, !isBroken { lessons = present.lessons(atMost: Self.greatestLessons) }
    if isStated, !present.isContradictory { last = present }
    return (present, result)
  }

  #if !hasFeature(Embedded)
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
  #endif

  /// The search after the last question, or a new one if that does not know what is asked for.
  private func search(
    for roots: [Ref], of problem: Problem, within budget: SearchBudget
  ) -> Search {
    if let known = last, !fits(known, roots, problem) { last = nil }
    return last ?? made(of: problem, within: budget)
  }

  /// Has a search know all that is asked for, and forget what was left half done.
  private func renew(
    _ present: inout Search, for roots: [Ref], of problem: Problem, within budget: SearchBudget
  ) {
    guard
      isBroken || present.lessonCount > 2 * Self.greatestLessons
        || !knows(roots, in: present.graph)
    else { return }
    present.forget(keeping: lessons, in: problem.graph, within: budget)
    // What follows for new propositions was perhaps not found out for want of steps.
    if budget.question?.isSpent ?? false { isStated = false }
  }

  /// What roots ask for that is known to have no model.
  private func core(of roots: [Ref], in problem: Problem) -> [Ref]? {
    if cores.isEmpty { return nil }
    let asked = problem.graph.conjuncts(of: roots)
    problem.budget?.charge(4 * asked.count + 2 * cores.count)
    return cores.first { core in core.allSatisfy { asked.contains($0) } }
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
    if axiomCount != problem.axioms.count { (models, wished) = (KnownModels(), KnownModels()) }
    axiomCount = problem.axioms.count
    search.add(lessons)
    // What was not stated for want of steps would be missing for ever.
    isStated = !(budget.question?.isSpent ?? false)
    isBroken = false
    return search
  }

  /// Whether a model of an earlier question is one of these roots, too.
  package func hasModel(of roots: [Ref], of problem: Problem) -> Bool {
    guard axiomCount == problem.axioms.count else { return false }
    return wished.satisfy(roots, in: problem.graph, within: problem.budget)
      || models.satisfy(roots, in: problem.graph, within: problem.budget)
  }
}
