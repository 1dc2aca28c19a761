import RulesSolver
import RulesVerify

/// The refutations of cells that share the checker's query for one kind of request.
///
/// One search answers all of them under assumptions, so what it learns for one holds for all. Nothing
/// here need be trusted: the checker refuses any step that does not follow from the query alone.
struct CellRefutation {
  private var translation: Translation
  /// The evaluations added as axioms during the search.
  private var rules: [ValueRule] = []
  /// The steps of the refutations so far.
  private var steps: [ProofStep] = []
  /// The steps of the search since then. It may use them for the next refutation.
  private var pending: [ProofStep] = []
  private var search: Search?

  /// Translates a query.
  init(_ question: Question) { translation = Translation(question) }

  /// True if the search shows that no request satisfies all of these propositions; false if it finds
  /// a model or gives up.
  mutating func refute(_ propositions: [Prop], within budget: Budget) -> Bool {
    let assumptions = propositions.map { translation.ref(of: $0) }
    if assumptions.contains(.no) { return true }
    for _ in 0..<Strategy.refinements {
      if budget.isSpent { return false }
      // The search must have one owner while it runs, or it would be copied.
      var present = search ?? made(within: budget)
      search = nil
      let result = present.run(assuming: assumptions, within: SearchBudget(question: budget))
      pending += present.proof
      switch result {
      case .unsatisfiable:
        steps += pending
        pending = []
        search = present
        return true
      case .givenUp:
        // An interrupted search is not reused.
        return false
      case .satisfiable:
        let more = translation.computable(in: present.theory).filter { !rules.contains($0) }
        if more.isEmpty {
          search = present
          return false
        }
        for rule in more { translation.state(rule) }
        rules += more
      }
    }
    return false
  }

  /// Creates a search that has asserted the axioms.
  private mutating func made(within budget: Budget) -> Search {
    let (problem, axioms) = (translation.problem, translation.roots)
    var made = Search(
      problem.graph, terms: problem.terms, patterns: problem.patterns, first: [],
      axioms: axioms, budget: SearchBudget(question: budget))
    made.state(axioms)
    pending = made.proof
    return made
  }

  /// Returns the steps of all refutations as lines; empty if the trace contains a proposition that the
  /// query does not have, or the budget is spent.
  func lines(within budget: Budget) -> [String] {
    var writer = StepWriter(translation.question)
    for rule in rules { writer.write(rule) }
    var charged = 0
    for step in steps {
      budget.charge(writer.effort - charged)
      charged = writer.effort
      if budget.isSpent { return [] }
      switch step {
      case .theory(let clause):
        guard let clause = translation.props(of: clause) else { return [] }
        writer.justify(clause)
      // The empty clause follows from the propositions of one cell only.
      case .learned([]): break
      case .learned(let clause):
        guard let clause = translation.props(of: clause) else { return [] }
        writer.learn(clause)
      }
    }
    return writer.lines
  }
}
