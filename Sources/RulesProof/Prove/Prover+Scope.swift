import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Vacuity checks. A claim with a misspelt path or contradictory `given` holds vacuously, and so
// does "only if" where nothing is ever granted. PROVED would mislead, so both are checked first.
//
// Sound: "no request in scope" and "nothing granted" are only concluded from unsatisfiable searches
// for every kind of request, and the opposite only from a request that the evaluator has decided.
// Otherwise the verdict stays, with a note.

extension Prover {
  /// Returns the verdict on a claim that no request refutes.
  ///
  /// - Parameters:
  ///   - queries: The claim's queries, one for each kind of request.
  ///   - check: The proof checker, which is asked first whether anything is granted.
  func judged(
    _ claim: CompiledClaim, by queries: [KindQuery], asking check: ClaimCheck? = nil
  ) -> Verdict {
    budget.stage = .explaining
    var proof = Proof(listing: queries)
    if proof.statements.isEmpty, !set.hasBlock(for: claim) {
      return .vacuous(set.unknownPath(of: claim))
    }
    var isInhabited = set.isInhabited(claim)
    switch claim.claim.obligation {
    case .onlyIf:
      let granted = presence(in: queries, of: claim, isGranted: true, asking: check) {
        [$0.isGranted, $0.scope, $0.commit]
      }
      if granted == .shown { isInhabited = true }
      proof.grantsNothing = granted == .excluded
      if granted == .unknown {
        proof.notes.append("not decided whether anything in this scope is ever granted")
      }
    case .alwaysIf:
      let meant = presence(in: queries, of: claim, isGranted: true) { [$0.scope, $0.condition] }
      if meant == .shown { isInhabited = true }
      if meant == .excluded {
        proof.notes.append("no request in this scope satisfies the condition")
      }
    case .never, .noErrors: break
    }
    if !isInhabited {
      switch presence(in: queries, of: claim, isGranted: false, roots: { [$0.scope] }) {
      case .shown: break
      case .excluded: return vacuous(claim)
      case .unknown: proof.notes.append("not decided whether any request is in this scope")
      }
    }
    if proof.grantsNothing { proof.notes.insert(Proof.nothingGranted, at: 0) }
    if !queries.contains(where: { $0.hasPlainBlock(in: set.rules) }),
      let meant = set.misspeltPath(of: claim)
    {
      proof.notes.append(
        "only blocks with {x=**} match \(claim.claim.path.text); did you mean \(meant)?")
    }
    return .proved(proof)
  }

  /// Returns "vacuous" for an undecided claim with no request in scope; nil otherwise.
  func vacuity(of claim: CompiledClaim) -> Verdict? {
    if set.isInhabited(claim) { return nil }
    for scenario in set.scenarios(of: claim) {
      if budget.isSpent { return nil }
      let goal = Goal(claim, in: set, for: scenario, on: encodings, closing: false, budget: budget)
      guard set.openLengths(in: goal, of: claim).isEmpty,
        presence(in: goal, of: claim, roots: [goal.scope], where: { _ in true }) == .excluded
      else { return nil }
    }
    return vacuous(claim)
  }

  /// Returns the verdict on a claim whose scope is empty according to the search. A generated
  /// request in scope would reveal a defect of ours.
  private func vacuous(_ claim: CompiledClaim) -> Verdict {
    let attack = encodings.attack(on: set)
    let isInhabited =
      validation.attacks
      && set.scenarios(of: claim).contains { scenario in
        attack.inhabitant(of: claim, scenario, within: budget).map {
          set.isInScope($0, of: claim, isMet: false)
        } ?? false
      }
    guard isInhabited else {
      return budget.lateness.map { .undecided([OpenReason($0.reason)]) }
        ?? .vacuous(set.emptyScope(of: claim))
    }
    return .undecided([
      OpenReason(
        "the search finds no request in the claim's scope, although there is one; this is a "
          + "defect of rules-check: please report it")
    ])
  }

  private enum Presence {
    /// The evaluator has decided such a request.
    case shown
    /// There is no such request.
    case excluded
    case unknown
  }

  /// Looks for a request that satisfies `roots` and is in scope. With `isGranted` it must also be
  /// granted, or for `alwaysIf` satisfy the claimed condition.
  private func presence(
    in queries: [KindQuery], of claim: CompiledClaim, isGranted: Bool,
    asking check: ClaimCheck? = nil, roots: (Goal) -> [Ref]
  ) -> Presence {
    func confirms(_ candidate: CandidateRequest) -> Bool {
      set.isInScope(candidate, of: claim, isMet: isGranted, within: budget)
    }
    if let candidate = shown(for: claim, in: queries, isGranted: isGranted), confirms(candidate) {
      return .shown
    }
    let guesses = ObviousCandidates(claim, in: set.rules)
    for query in queries where guesses.first(of: query.scenario, where: confirms) != nil {
      return .shown
    }
    if let check, check.confirmsNothingGranted { return .excluded }
    let open = queries.map { $0.goal }.filter { !roots($0).contains(.no) }
    var isKnown = true
    for goal in open {
      let found = presence(in: goal, of: claim, roots: roots(goal), where: confirms)
      switch found {
      case .shown: return .shown
      case .excluded: continue
      case .unknown: isKnown = false
      }
    }
    return isKnown ? .excluded : .unknown
  }

  /// Returns such a request among those of an attack, which are generated anyway.
  private func shown(for claim: CompiledClaim, in queries: [KindQuery], isGranted: Bool)
    -> CandidateRequest?
  {
    guard validation.attacks else { return nil }
    let attack = encodings.attack(on: set)
    if isGranted, case .onlyIf = claim.claim.obligation { return attack.granted(of: claim) }
    for query in queries {
      let candidate = attack.inhabitant(
        of: claim, query.scenario, isMet: isGranted, among: Strategy.samples,
        within: budget)
      if let candidate { return candidate }
    }
    return nil
  }

  private func presence(
    in goal: Goal, of claim: CompiledClaim, roots: [Ref], where confirms: (CandidateRequest) -> Bool
  ) -> Presence {
    if roots.contains(.no) { return .excluded }
    // If roots have no model before all axioms are added, no request satisfies them.
    if !goal.compiler.isClosed,
      goal.searchKnown(for: roots, within: .brief, thorough: false).result == .unsatisfiable
    {
      return .excluded
    }
    var search = CounterexampleSearch<Never>(goal, conflicts: SearchStrategy.fewConflicts)
    let step = search.next(roots) {
      confirms($0) ? $0 : nil
    } decides: {
      canBeDecided($0, for: claim)
    } reasons: { _, _ in
      []
    }
    switch step {
    case .confirmed: return .shown
    case .refuted: return .excluded
    case .open: return .unknown
    }
  }
}

extension Goal {
  /// The rules grant the request.
  fileprivate var isGranted: Ref { compiler.problem.graph.or(grants) }
}

extension KindQuery {
  /// True if a statement's block can apply that has no glob.
  fileprivate func hasPlainBlock(in rules: Checked) -> Bool {
    statements.allows.contains { allow in
      let match = rules.ruleset[allow].match
      return !rules.matches[match.index].pattern.contains { $0.isGlob }
    }
  }
}

extension ClaimSet {
  /// True if the scope is obviously not empty: there is no `given`, and a document can have the
  /// fields.
  fileprivate func isInhabited(_ claim: CompiledClaim) -> Bool {
    let reserved = [UInt8(ascii: "_"), UInt8(ascii: "_")]
    return claim.claim.given == nil && !claim.methods.isEmpty
      && claim.claim.writes.allSatisfy { field in
        field.names.allSatisfy { !$0.bytes.starts(with: reserved) }
      }
  }

  /// True if a request is in the claim's scope. With `isMet` it must also be granted, or for
  /// `alwaysIf` satisfy the claimed condition.
  func isInScope(
    _ candidate: CandidateRequest, of claim: CompiledClaim, isMet: Bool,
    within budget: Budget = Budget()
  ) -> Bool {
    guard !claim.claim.path.excepts(candidate.path),
      let prepared = try? PreparedRequest(
        candidate.request, on: candidate.documents, in: engine.rules.database,
        profile: engine.profile),
      let decision = engine.decide(prepared, within: budget), candidate.isMeant(decision),
      var scope = try? ConditionScope(engine, for: candidate.path, in: prepared)
    else { return false }
    let arguments = claim.claim.path.arguments(for: candidate)
    for limit in claim.limits(for: candidate.method) where !scope.holds(limit, with: arguments) {
      return false
    }
    guard isMet else { return true }
    if case .alwaysIf = claim.claim.obligation {
      return claim.obligation.map { scope.holds($0, with: arguments) } ?? false
    }
    return decision.isAllowed
  }
}
