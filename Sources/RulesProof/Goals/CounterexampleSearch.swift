import RulesEncoding
import RulesEval
import RulesSolver

/// A limit of a search other than the query's budget.
enum SearchExhaustion {
  /// The conflicts for one model.
  case conflicts
  /// The refinements, whose facts contradict nothing but the models that they exclude.
  case refinements

}

/// Counterexample-guided abstraction refinement (CEGAR), behind claims and comparisons.
///
/// A model becomes a request, and only requests that the evaluator confirms are found. An
/// unconfirmed model is wrong about an uninterpreted function: facts about its values are added,
/// and the search continues. If there are none, a blocking clause excludes the model, and from then
/// on UNSAT proves nothing; then requests near the unconfirmed ones are tried.
///
/// Sound: `refuted` is returned only for a complete search in which nothing but facts excluded
/// models. `Reason` is the explanation of an unconfirmed model.
struct CounterexampleSearch<Reason: Hashable> {
  /// The result of one search.
  enum Step<Found> {
    /// A request that the evaluator confirms. The search is nil if the request was only near a
    /// model.
    case confirmed(Found, SearchResult?)
    /// There is no such request.
    case refuted
    /// Undecided; there may be no reasons if something ran out.
    case open([Reason], SearchExhaustion?)
  }

  private let goal: Goal
  private let isThorough: Bool
  private let probes: Int
  private let budget: SearchBudget
  private var refinements = 0
  /// The blocking clauses.
  private var blocked: [Ref] = []
  /// The unconfirmed requests.
  private(set) var candidates: [CandidateRequest] = []
  /// The explanations of the blocked models.
  private(set) var openReasons: [Reason] = []
  /// The explanation of the last model excluded by facts.
  private var last: [Reason] = []

  /// Creates a search. For `thorough` see `Goal.search`.
  ///
  /// - Parameters:
  ///   - conflicts: Maximum conflicts for each model.
  ///   - probes: Maximum requests tried near unconfirmed ones.
  init(
    _ goal: Goal, thorough: Bool = false, conflicts: Int = SearchBudget().conflicts,
    probes: Int = Strategy.probes
  ) {
    self.goal = goal
    self.probes = probes
    budget = SearchBudget(conflicts: conflicts)
    isThorough = thorough
  }

  /// Looks for a request that meets the roots and is confirmed. Called again with stronger roots it
  /// goes on with what it has learned and the attempts that are left. `decides` says
  /// whether the evaluator has an answer to a request at all.
  mutating func next<Found>(
    _ roots: [Ref], confirm: (CandidateRequest) -> Found?,
    decides: (CandidateRequest) -> Bool,
    reasons: (SearchResult, CandidateRequest?) -> [Reason]
  ) -> Step<Found> {
    if refinements == 0, let found = guessed(roots, confirming: confirm) {
      return .confirmed(found.0, found.1)
    }
    while refinements < Strategy.refinements {
      let (search, result) = goal.search(
        for: roots + blocked, within: budget, thorough: isThorough)
      switch result {
      case .unsatisfiable:
        return blocked.isEmpty
          ? .refuted : probed(confirming: confirm, where: decides)
      case .givenUp: return .open(openReasons, .conflicts)
      case .satisfiable: break
      }
      let model = Model(of: search, for: goal.compiler)
      let candidate = model.candidate()
      if let candidate {
        if let found = confirm(candidate) { return .confirmed(found, search) }
        candidates.append(candidate)
      }
      refinements += 1
      let why = reasons(search, candidate)
      if goal.refine(model) > 0 {
        // A model that facts exclude leaves nothing open.
        last = why
        continue
      }
      // Facts may be missing because the budget ran out, so a search without them proves nothing.
      if goal.budget.isSpent { return .open(openReasons, nil) }
      blocked.append(!goal.compiler.problem.graph.and(search.literals))
      for reason in why where !openReasons.contains(reason) { openReasons.append(reason) }
      if blocked.count > Strategy.samples { break }
    }
    return probed(confirming: confirm, where: decides)
  }

  /// Looks for a confirmed request with likely values of uninterpreted functions.
  private func guessed<Found>(
    _ roots: [Ref], confirming confirm: (CandidateRequest) -> Found?
  ) -> (Found, SearchResult)? {
    if roots.contains(.no) { return nil }
    var likely = goal.likelihoods()
    if likely.isEmpty { return nil }
    for _ in 0..<Strategy.samples {
      let (search, result) = goal.search(
        for: roots + blocked + likely, within: budget, thorough: isThorough)
      guard result == .satisfiable else { return nil }
      let model = Model(of: search, for: goal.compiler)
      if let candidate = model.candidate(), let found = confirm(candidate) {
        return (found, search)
      }
      // Blocking clauses here only concern likely models.
      if goal.refine(model) == 0 {
        likely.append(!goal.compiler.problem.graph.and(search.literals))
      }
    }
    return nil
  }

  /// Looks for a confirmed request near the unconfirmed ones.
  private func probed<Found>(
    confirming confirm: (CandidateRequest) -> Found?, where decides: (CandidateRequest) -> Bool
  ) -> Step<Found> {
    var probing = NeighbourhoodSearch(goal)
    var found: Found?
    _ = goal.budget.during(.probing) {
      // Requests near one that the evaluator cannot decide are no better.
      probing.find(near: candidates.filter(decides), attempts: probes, within: goal.budget) {
        candidate in
        found = confirm(candidate)
        return found != nil
      }
    }
    if let found { return .confirmed(found, nil) }
    return openReasons.isEmpty ? .open(last, .refinements) : .open(openReasons, nil)
  }
}
