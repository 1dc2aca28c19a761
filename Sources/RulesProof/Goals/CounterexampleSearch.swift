import RulesEncoding
import RulesEval
import RulesSolver

/// What a search ran out of that is not a question's own budget.
enum SearchExhaustion {
  /// The conflicts that one model may cost.
  case conflicts
  /// The facts that are added for models that were not confirmed. What a fact rules out contradicts
  /// nothing.
  case refinements

  /// So many times a model that is not confirmed leads to new facts.
  static let greatestRefinements = 24
}

/// The one loop that looks for a request which the evaluator confirms: counterexample-guided
/// abstraction refinement (CEGAR), behind claims, comparisons, and what both are asked for.
///
/// A model of the search becomes a request, and only what the evaluator confirms is found. A model
/// that is not confirmed was wrong about something that the theories do not interpret: facts about
/// its values are added, and the search goes on. What still is not confirmed is ruled out by a
/// blocking clause, and from then on the absence of models proves nothing; then requests near the
/// unconfirmed ones are tried.
///
/// Sound: `refuted` is said only of a search that ended and from which nothing was ruled out but by
/// facts. `Reason` is what a model that was not confirmed is put down to.
struct CounterexampleSearch<Reason: Hashable> {
  /// What became of one search.
  enum Step<Found> {
    /// The evaluator confirms a request. A request that was only near a model has no search.
    case confirmed(Found, SearchEnd?)
    /// There is no such request, as the steps show.
    case refuted([ProofStep])
    /// It is not known whether there is one; the reasons may be none if something ran out.
    case open([Reason], SearchExhaustion?)
  }

  /// So many models are looked at in which functions that are not interpreted do what is likely.
  private static var greatestGuesses: Int { 6 }
  /// So many models are ruled out by themselves.
  private static var greatestBlocks: Int { 8 }

  private let goal: Goal
  private let isThorough: Bool
  private let probes: Int
  private let budget: SearchBudget
  private var refinements = 0
  /// Of each model that was ruled out by itself, that it is not met again.
  private var blocked: [Ref] = []
  /// The requests that were not confirmed.
  private(set) var drafts: [Draft] = []
  /// Of the models that were ruled out by themselves.
  private(set) var doubts: [Reason] = []
  /// Of the last model that facts rule out.
  private var last: [Reason] = []

  /// Begins to search, with so many conflicts for each model, and so many requests near those that are not
  /// confirmed. For `thorough` see `Goal.search`.
  init(
    _ goal: Goal, thorough: Bool = false, conflicts: Int = SearchBudget().conflicts,
    probes: Int = Probing.greatestAttempts
  ) {
    self.goal = goal
    self.probes = probes
    budget = SearchBudget(conflicts: conflicts)
    isThorough = thorough
  }

  /// Looks for a request that meets the roots and is confirmed. Called again with stronger roots it
  /// goes on with what it has learned and what is left of its patience. For a request that a limit stops
  /// `cheaper` looks for one that costs less. `decides` says whether the evaluator has an answer to a request
  /// at all.
  mutating func next<Found>(
    _ roots: [Ref], confirm: (Draft) -> Found?,
    cheaper: (Draft, [Ref]) -> SearchEnd? = { _, _ in nil }, decides: (Draft) -> Bool,
    reasons: (SearchEnd, Draft?) -> [Reason]
  ) -> Step<Found> {
    if refinements == 0, let found = guessed(roots, confirming: confirm) {
      return .confirmed(found.0, found.1)
    }
    while refinements < SearchExhaustion.greatestRefinements {
      let (search, result) = goal.search(
        for: roots + blocked, within: budget, thorough: isThorough)
      switch result {
      case .unsatisfiable:
        return blocked.isEmpty
          ? .refuted(search.proof) : probed(confirming: confirm, where: decides)
      case .givenUp: return .open(doubts, .conflicts)
      case .satisfiable: break
      }
      let model = Model(of: search, for: goal.compiler)
      let draft = model.draft()
      if let draft {
        if let found = confirm(draft) { return .confirmed(found, search) }
        drafts.append(draft)
        if let end = cheaper(draft, roots + blocked),
          let other = Model(of: end, for: goal.compiler).draft(), let found = confirm(other)
        {
          return .confirmed(found, end)
        }
      }
      refinements += 1
      let why = reasons(search, draft)
      if goal.refine(model) > 0 {
        // What a fact rules out is in doubt no longer.
        last = why
        continue
      }
      // What could not be looked at for want of steps contradicts nothing.
      if goal.budget.isSpent { return .open(doubts, nil) }
      blocked.append(!goal.compiler.problem.graph.and(search.literals))
      for reason in why where !doubts.contains(reason) { doubts.append(reason) }
      if blocked.count > Self.greatestBlocks { break }
    }
    return probed(confirming: confirm, where: decides)
  }

  /// A confirmed request among those in which functions that are not interpreted do what is likely.
  private func guessed<Found>(
    _ roots: [Ref], confirming confirm: (Draft) -> Found?
  ) -> (Found, SearchEnd)? {
    if roots.contains(.no) { return nil }
    var likely = goal.likelihoods()
    if likely.isEmpty { return nil }
    for _ in 0..<Self.greatestGuesses {
      let (search, result) = goal.search(
        for: roots + blocked + likely, within: budget, thorough: isThorough)
      guard result == .satisfiable else { return nil }
      let model = Model(of: search, for: goal.compiler)
      if let draft = model.draft(), let found = confirm(draft) { return (found, search) }
      // What is ruled out here is ruled out among the likely ones only.
      if goal.refine(model) == 0 {
        likely.append(!goal.compiler.problem.graph.and(search.literals))
      }
    }
    return nil
  }

  /// A confirmed request near those that were not.
  private func probed<Found>(
    confirming confirm: (Draft) -> Found?, where decides: (Draft) -> Bool
  ) -> Step<Found> {
    var probing = Probing(goal)
    var found: Found?
    _ = goal.budget.during(.probing) {
      // What the evaluator cannot decide at all is no better nearby.
      probing.find(near: drafts.filter(decides), attempts: probes, within: goal.budget) { draft in
        found = confirm(draft)
        return found != nil
      }
    }
    if let found { return .confirmed(found, nil) }
    return doubts.isEmpty ? .open(last, .refinements) : .open(doubts, nil)
  }
}
