/// One search for many questions about the same requests, which differ only in what they ask for.
///
/// What is true of every request is asserted once, and what one question taught helps the next ones. The
/// search is made anew only when more is stated, or when a question asks for propositions that are new.
///
/// Sound: what is learned follows from what is stated and from nothing that a question asks for
/// (`Search.run(assuming:)`), and what is stated only grows. What was broken off is not built upon.
package final class SearchSession {
  private var search: Search?
  /// How much was stated when the search was made.
  private var axiomCount = 0
  /// What searches that were given up have learned.
  private var lessons: [[Ref]] = []

  /// Models of earlier questions, the last one last.
  private var models: [NodeValues] = []

  /// So many models are kept.
  private static let greatestModels = 24
  /// With more lessons a search is slower than without any.
  private static let greatestLessons = 4000

  /// Makes one that knows nothing.
  package init() {}

  /// Looks for a model of some roots and of all that a problem states. The search is in the state of the
  /// model, if there is one, whatever is asked next.
  package func run(
    _ roots: [Ref], of problem: Problem, within budget: SearchBudget
  ) -> (search: Search, result: Search.Result) {
    if let known = search, !fits(known, roots, problem) {
      lessons = known.lessonCount > Self.greatestLessons ? [] : known.lessons
      search = nil
    }
    var present = search ?? made(of: problem, within: budget)
    // The search must be nobody else's while it runs, or it would be copied.
    search = nil
    let result = present.run(assuming: roots, within: budget)
    if case .satisfiable = result {
      if models.count == Self.greatestModels { models.removeFirst() }
      models.append(present.snapshot)
    }
    if case .givenUp = result {
      lessons = present.lessonCount > Self.greatestLessons ? [] : present.lessons
    } else {
      search = present
    }
    return (present, result)
  }

  /// Whether a search knows all that is stated and asked for.
  private func fits(_ search: Search, _ roots: [Ref], _ problem: Problem) -> Bool {
    axiomCount == problem.axioms.count && search.lessonCount <= Self.greatestLessons
      && roots.allSatisfy { Int($0.node) < search.graph.count }
  }

  private func made(of problem: Problem, within budget: SearchBudget) -> Search {
    var search = Search(
      problem.graph, terms: problem.terms, patterns: problem.patterns, first: [],
      axioms: problem.axioms, budget: budget)
    search.adopt(lessons)
    search.state(problem.axioms)
    axiomCount = problem.axioms.count
    models = []
    return search
  }

  /// Whether a model of an earlier question is one of these roots, too.
  package func hasModel(of roots: [Ref], of problem: Problem) -> Bool {
    guard axiomCount == problem.axioms.count else { return false }
    return models.reversed().contains {
      $0.satisfies(roots, in: problem.graph, within: problem.budget)
    }
  }
}
