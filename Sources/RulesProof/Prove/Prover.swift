import RulesEncoding
package import RulesEval
import RulesLang
package import RulesSolver

// Decides claims kind by kind: searches for a counterexample (`CounterexampleSearch`), and tests an
// UNSAT answer by generated requests before it counts as a proof.
//
// Sound: PROVED needs an unsatisfiable query for each kind of request, no exceeded limit, and a
// completed attack without a counterexample. VIOLATED needs a request that the evaluator confirms.
// Otherwise UNDECIDED.

/// Decides claims about all requests.
package struct Prover {
  /// The claims.
  package let set: ClaimSet
  /// The validation policy of UNSAT answers.
  let validation: ValidationPolicy
  /// The budget of the present claim.
  let budget: Budget
  /// Evaluates a request; returns a counterexample if it refutes the claim.
  var replay: (CandidateRequest, CompiledClaim) -> Counterexample?

  /// The cached base encodings.
  let encodings: BaseEncodingCache

  /// The documents with which a sequence of requests may begin.
  package var accepted = Documents()

  /// Creates a prover.
  ///
  /// - Parameters:
  ///   - encodings: Base encodings, shared with other provers of the set.
  ///   - budget: The budget of everything that the prover decides.
  package init(
    _ set: ClaimSet, sharing encodings: BaseEncodingCache = BaseEncodingCache(),
    validation: ValidationPolicy = ValidationPolicy(),
    within budget: Budget = Budget()
  ) {
    self.set = set
    self.encodings = encodings
    self.validation = validation
    self.budget = budget
    replay = { set.refutation(by: $0, of: $1, within: budget) }
  }

  /// Decides a claim for single requests.
  ///
  /// - Parameters:
  ///   - shrinking: False to return the first counterexample, with irrelevant parts.
  ///   - judging: False to skip the vacuity check.
  ///   - check: The proof checker, which is asked first: kinds of requests that it confirms are attacked
  ///     and not searched. Nil to search for all.
  func decideRequest(
    _ index: Int, shrinking: Bool, judging: Bool = true, asking check: ClaimCheck? = nil
  ) -> Verdict {
    let claim = set.claims[index]
    if let vacuity = set.impossiblePath(of: claim) { return .vacuous(vacuity) }
    var openReasons: [OpenReason] = []
    var isOpen = false
    var queries: [KindQuery] = []
    let scenarios = set.scenarios(of: claim)
    let kinds = set.attackedKinds(of: claim, scenarios)
    let confirmed = confirmedKinds(of: claim, among: scenarios, by: check)
    for (place, scenario) in scenarios.enumerated() {
      if let spent = budget.openReason {
        openReasons.append(spent)
        isOpen = true
        break
      }
      let statements = encodings.statements(of: set.rules, for: scenario)
      let query = KindQuery(about: statements) {
        Goal(
          claim, in: set, for: scenario, on: encodings, closing: false, following: judging,
          budget: budget)
      }
      let finding =
        place < confirmed
        ? tested(statements, of: claim, shrinking: shrinking, kinds: kinds)
        : decide(query.goal, of: claim, shrinking: shrinking, kinds: kinds)
      switch finding {
      case nil: queries.append(query)
      case .none(let refuted)?:
        query.conclude(refuted)
        queries.append(query)
      case .found(let counterexample): return .violated(counterexample)
      case .doubtful(let reasons):
        openReasons += reasons
        isOpen = true
      }
    }
    if isOpen { return vacuity(of: claim) ?? .undecided(openReasons.distinct) }
    return judging
      ? judged(claim, by: queries, asking: check) : .proved(Proof(listing: queries))
  }

  /// Returns the number of kinds of requests, from the first one on, that the checker confirms. For a path of
  /// any length it is asked last: the search tells which conditions depend on the length.
  private func confirmedKinds(
    of claim: CompiledClaim, among scenarios: [Scenario], by check: ClaimCheck?
  ) -> Int {
    guard let check, validation.searches, !claim.claim.path.steps.contains(where: { $0.isGlob })
    else { return 0 }
    return check.confirmedKinds(among: scenarios)
  }

  /// Attacks a claim that the proof checker has confirmed for a kind of request, or for which a search has
  /// found no model. Returns nil if the attack finds nothing.
  private func tested(
    _ statements: ApplicableStatements, of claim: CompiledClaim,
    near misses: [CandidateRequest] = [], shrinking: Bool, kinds: Int
  ) -> Finding? {
    guard validation.attacks, statements.canBeAttacked(claim) else { return nil }
    let hit = attacked(
      statements, of: claim, near: misses, shrinking: shrinking, kinds: kinds, isMissed: true)
    // An interrupted attack shows nothing.
    return hit.map { .found($0) } ?? budget.lateness.map { .doubtful([OpenReason($0.reason)]) }
  }

  /// Adds to a proof what makes each statement safe; returns other verdicts unchanged.
  package func explain(_ verdict: Verdict, of index: Int) -> Verdict {
    guard case .proved(var known) = verdict else { return verdict }
    let claim = set.claims[index]
    let goals = set.scenarios(of: claim).map {
      Goal(claim, in: set, for: $0, on: encodings, budget: budget)
    }
    known.statements = proof(of: claim, goals).statements
    return .proved(known)
  }

  /// The result for one kind of request.
  enum Finding {
    /// There is no counterexample.
    case none(Goal)
    case found(Counterexample)
    /// Undecided; there is at least one reason.
    case doubtful([OpenReason])
  }

  /// Looks for a counterexample of one kind of request.
  ///
  /// - Parameter kinds: The number of kinds that an attack covers, if known.
  func decide(
    _ goal: Goal, of claim: CompiledClaim, shrinking: Bool = true, kinds: Int? = nil
  ) -> Finding {
    let finding = searched(goal, of: claim, shrinking: shrinking)
    let kinds = kinds ?? set.attackedKinds(of: claim, set.scenarios(of: claim))
    let statements = goal.applicable
    switch finding {
    case .found: return finding
    case .none(let refuted):
      return tested(
        statements, of: claim, near: refuted.nearMisses, shrinking: shrinking, kinds: kinds)
        ?? finding
    case .doubtful(let openReasons):
      guard validation.attacks, statements.canBeAttacked(claim) else { return finding }
      // Without budget the query stays undecided; nothing is proved without an attack.
      if budget.isOver { return .doubtful(naming(budget.openReason, among: openReasons)) }
      let hit = attacked(
        statements, of: claim, near: goal.nearMisses, shrinking: shrinking, kinds: kinds,
        isMissed: false)
      if let hit { return .found(hit) }
      return .doubtful(naming(budget.lateness.map { OpenReason($0.reason) }, among: openReasons))
    }
  }

  /// Adds the limit that ended the work to the reasons.
  private func naming(_ limit: OpenReason?, among openReasons: [OpenReason]) -> [OpenReason] {
    guard let limit, !openReasons.contains(limit) else { return openReasons }
    return openReasons + [limit]
  }

  /// Returns a counterexample from an attack. With `isMissed`, the search had missed it.
  private func attacked(
    _ statements: ApplicableStatements, of claim: CompiledClaim, near misses: [CandidateRequest],
    shrinking shrinks: Bool, kinds: Int, isMissed: Bool
  ) -> Counterexample? {
    let count = validation.requests(kinds: kinds)
    // Charged even if the requests are cached.
    budget.charge(ValidationPolicy.cost(requests: count, steps: statements.stepsToDecide))
    let refutation = encodings.attack(on: set).refutation(
      of: claim, in: statements.scenario, count: count, near: misses, within: budget
    ) { confirmed($0, against: claim, shrinking: shrinks) }
    guard let refutation else { return nil }
    var found = refutation.found
    if isMissed {
      found.missed = FailedReplay(
        missed: refutation.candidate, expect: claim.claim.obligation.violatingOutcome)
    }
    return found
  }

  private func searched(_ goal: Goal, of claim: CompiledClaim, shrinking: Bool) -> Finding {
    if !validation.searches { return .none(goal) }
    guard goal.leavesWritesOpen else {
      return searchedWhole(goal, of: claim, shrinking: shrinking)
    }
    // Other writes of the commit are only encoded if a proof needs them and no single write refutes
    // the claim.
    if goal.isRefutedEarly { return concluded(goal, of: claim) }
    let singleWriteCounterexample = refuted(goal, of: claim, shrinking: shrinking)
    if let singleWriteCounterexample, !singleWriteCounterexample.hasNonTextSegment {
      return .found(singleWriteCounterexample)
    }
    var goal = goal
    goal.followWrites()
    let finding = searchedWhole(goal, of: claim, shrinking: shrinking)
    if case .found = finding { return finding }
    return singleWriteCounterexample.map { .found($0) } ?? finding
  }

  private func searchedWhole(
    _ goal: Goal, of claim: CompiledClaim, shrinking: Bool
  ) -> Finding {
    // Without further axioms, the search itself comes first.
    if goal.unstated == nil, goal.isRefutedEarly { return concluded(goal, of: claim) }
    let finding = decide(goal, of: claim, shrinking: shrinking, thorough: false)
    // Incomplete axioms would only make a further search more expensive.
    if let openReason = goal.unstated {
      if case .doubtful = finding { return .doubtful([openReason]) }
      return finding
    }
    guard case .doubtful(let openReasons) = finding,
      openReasons.contains(where: { $0.mayEndBetter }),
      encodings.retries
    else { return finding }
    // A new encoding, without the blocking clauses of the first attempt.
    let again = decide(
      Goal(claim, in: set, for: goal.scenario, on: encodings, budget: budget), of: claim,
      shrinking: shrinking, thorough: true)
    if case .doubtful = again { return finding }
    return again
  }

  /// Returns a counterexample with a single write, from the first few models; nil if none is one.
  private func refuted(
    _ goal: Goal, of claim: CompiledClaim, shrinking: Bool
  ) -> Counterexample? {
    let roots = goal.roots + goal.compiler.writesNothingElse()
    if roots.contains(.no) { return nil }
    return found(roots + goal.likelihoods(), goal, of: claim, shrinking: shrinking)
      ?? found(roots, goal, of: claim, shrinking: shrinking)
  }

  /// Returns a counterexample from the first few models of some roots.
  private func found(
    _ roots: [Ref], _ goal: Goal, of claim: CompiledClaim, shrinking: Bool
  ) -> Counterexample? {
    for _ in 0..<Strategy.tries {
      let (search, result) = goal.searchKnown(
        for: roots, within: .brief, thorough: false)
      guard result == .satisfiable else { return nil }
      let model = Model(of: search, for: goal.compiler)
      if let candidate = model.candidate(),
        let found = confirmed(candidate, against: claim, shrinking: shrinking)
      {
        return found
      }
      if goal.refine(model) == 0 { return nil }
    }
    return nil
  }

  private func decide(
    _ goal: Goal, of claim: CompiledClaim, shrinking: Bool, thorough: Bool
  ) -> Finding {
    var search = CounterexampleSearch<OpenReason>(
      goal, thorough: thorough, probes: encodings.probes)
    let expected = claim.claim.obligation.violatingOutcome
    let step = search.next(goal.roots) { candidate in
      confirmed(candidate, against: claim, shrinking: shrinking)
    } decides: { candidate in
      canBeDecided(candidate, for: claim)
    } reasons: { search, candidate in
      goal.openReasons(about: search, candidate, expect: expected)
    }
    switch step {
    case .confirmed(let found, let model):
      if model == nil { encodings.note(isOpen: false) }
      return .found(found)
    case .refuted:
      var goal = goal
      goal.nearMisses = search.candidates
      return concluded(goal, of: claim)
    case .open(let openReasons, let exhaustion):
      encodings.note(isOpen: true)
      return .doubtful(goal.openReasons(openReasons, exhaustion: exhaustion))
    }
  }

  /// True if the evaluator can decide a request and the claim's conditions. Requests near one that
  /// it cannot decide are no better.
  func canBeDecided(_ candidate: CandidateRequest, for claim: CompiledClaim) -> Bool {
    let prepared = try? PreparedRequest(
      candidate.request, on: candidate.documents, in: set.rules.database,
      profile: set.engine.profile)
    guard let prepared, (try? set.engine.decide(prepared)) != nil,
      var scope = try? ConditionScope(set.engine, for: candidate.path, in: prepared)
    else { return false }
    let arguments = claim.claim.path.arguments(for: candidate)
    let conditions = claim.limits(for: candidate.method) + [claim.obligation].compactMap { $0 }
    return conditions.allSatisfy { scope.truth(of: $0, arguments) != nil }
  }

  /// Returns the result of an unsatisfiable goal: none, unless limits could stop the rules; then a request
  /// that a limit stops, or the open reasons.
  private func concluded(_ goal: Goal, of claim: CompiledClaim) -> Finding {
    let openReasons = set.openReasons(about: goal, claim)
    if openReasons.isEmpty { return .none(goal) }
    return overspent(in: goal, of: claim).map { .found($0) } ?? .doubtful(openReasons)
  }

  func confirmed(
    _ candidate: CandidateRequest, against claim: CompiledClaim, shrinking shrinks: Bool
  ) -> Counterexample? {
    guard let found = replay(candidate, claim) else { return nil }
    return shrinks ? shrunk(found, to: candidate, against: claim) : found
  }

  /// Returns a counterexample without irrelevant parts.
  func shrunk(
    _ found: Counterexample, to candidate: CandidateRequest, against claim: CompiledClaim
  ) -> Counterexample {
    budget.during(.shrinking) {
      var smallest = found
      var shrinking = Shrinking(within: budget) { smaller in
        guard let found = replay(smaller, claim) else { return false }
        smallest = found
        return true
      }
      _ = shrinking.shrink(candidate)
      return smallest
    }
  }
}

extension ClaimSet {
  /// Returns the number of kinds of requests that could refute a claim.
  func attackedKinds(of claim: CompiledClaim, _ scenarios: [Scenario]) -> Int {
    if case .alwaysIf = claim.claim.obligation { return scenarios.count }
    return scenarios.filter { rules.mayBeAsked($0) }.count
  }
}

extension Counterexample {
  /// True if a path segment looks like a value that is not a string. Paths computed from data may have
  /// such a segment, but few rules let anybody store that data.
  fileprivate var hasNonTextSegment: Bool {
    document.segments.contains { segment in
      ["null", "true", "false"].contains(segment) || Int64(String(segment)) != nil
    }
  }
}

extension Goal {
  /// The statements, without their conditions.
  fileprivate var applicable: ApplicableStatements {
    ApplicableStatements(
      scenario: scenario, allows: statements.map { $0.allow }, stepsToDecide: stepsToDecide)
  }
}

extension ApplicableStatements {
  /// True if some request could refute the claim: without statements, none grants or fails.
  fileprivate func canBeAttacked(_ claim: CompiledClaim) -> Bool {
    switch claim.claim.obligation {
    case .onlyIf, .never, .noErrors: !allows.isEmpty
    case .alwaysIf: true
    }
  }
}

extension Claim.Obligation {
  /// The decision that violates the claim.
  fileprivate var violatingOutcome: Test.Expectation {
    switch self {
    case .onlyIf, .never: .allow
    case .alwaysIf, .noErrors: .deny
    }
  }
}

extension Array where Element: Hashable {
  /// The distinct elements, in order.
  var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
