import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Most changes of rules change a decision, and most of these are revealed by a request that
// revealed another change before. So witnesses are kept and tried first; the prover is only asked
// if none reveals the change.

/// A version of rules in a trial.
struct TrialVersion {
  /// The edits for the requested document.
  var overlay: Overlay
  /// The edits for the other writes of its commit; nil if the same. See `OtherWrites`.
  var others: Overlay?

  /// Creates a version.
  ///
  /// - Parameter others: The edits for the other writes of a commit.
  init(_ overlay: Overlay, others: Overlay? = nil) {
    self.overlay = overlay
    self.others = others == overlay ? nil : others
  }

  /// Returns the version with other edits for the requested document.
  func asking(_ overlay: Overlay) -> TrialVersion {
    TrialVersion(overlay, others: others ?? self.overlay)
  }
}

/// Evaluates variants of one rules file: what do changes do to its decisions?
final class RulesTrial {
  /// The rules.
  let rules: Checked
  private let profile: Profile
  private let validation: ValidationPolicy
  /// The requests on which conclusions are tested.
  private let attack: Attack
  /// Differences that the search missed and an attack revealed.
  private(set) var missed: [FailedReplay] = []
  /// The budget of all questions.
  let budget: Budget
  /// Maximum steps for each question.
  private let steps: Int
  /// True if an expensive question about the present part stayed undecided.
  private var isFutile = false
  /// True if conditions read the state after a commit. If none does, the decisions on different
  /// documents are independent.
  private let looksAhead: Bool
  /// Witnesses that distinguish versions, most recently used first.
  private var witnesses = KnownRequests()
  /// The effort policy: undecided comparisons usually have a common cause.
  private let policy = EffortPolicy(isShared: true)
  /// The encoding shared by all versions.
  private let shared: SharedComparison
  /// The cached versions, the unchanged rules first.
  private var engines: [(overlay: Overlay, engine: Engine?)] = []

  /// Starts without witnesses.
  init(_ engine: Engine, validation: ValidationPolicy, within budget: Budget, steps: Int) {
    self.validation = validation
    attack = Attack(engine)
    shared = SharedComparison(engine.rules, within: budget)
    rules = engine.rules
    looksAhead = engine.rules.looksAhead
    profile = engine.profile
    self.budget = budget
    self.steps = steps
    engines = [(.none, engine)]
  }

  /// Begins with another part of the rules.
  func turn() { isFutile = false }

  /// The steps for the next question: fewer after a fruitless one.
  private var allowance: Int {
    let part = steps / Strategy.share
    return min(steps, max(isFutile ? part / Strategy.share : part, Strategy.sideSteps))
  }

  /// Returns the effect of changing from one version to another.
  ///
  /// - Parameters:
  ///   - isLikelyNothing: True to skip known witnesses.
  ///   - isFirstProved: True if the first version was proved equivalent to the rules, whose
  ///     decisions are cached.
  func effect(
    from first: TrialVersion, to second: TrialVersion, validation: ValidationPolicy? = nil,
    isLikelyNothing: Bool = false, isFirstProved: Bool = false
  ) -> EditEffect {
    if let spent = budget.openReason {
      return .unknown([DiffOpenReason(side: .old, openReason: spent)])
    }
    guard let old = compared(first), let new = compared(second) else { return .invalid }
    let itself = isFirstProved ? engines[0].engine : nil
    let tried = itself.map { ComparedRules(engine: $0) } ?? old
    if !isLikelyNothing, let known = known(from: tried, to: new, first, second) {
      return .something(known.witness, isLoosened: known.isLoosened)
    }
    let question = budget.question(
      steps: validation == nil ? allowance : min(allowance, Strategy.sideSteps))
    var isOpen = false
    defer {
      question.settle()
      if question.isSpent || (isOpen && question.used >= Strategy.sideSteps) { isFutile = true }
    }
    var comparison = RulesComparison(
      from: old, to: new, sharing: attack, validation: validation ?? self.validation,
      within: question)
    comparison.shrinks = false
    comparison.policy = policy
    comparison.likeOlder = itself
    share(first, second, with: &comparison)
    switch comparison.effect() {
    case .something(let witness, let isLoosened):
      if let prepared = try? PreparedRequest(
        witness.request, on: witness.documents, in: rules.database, profile: profile)
      {
        let decision = try? engines[0].engine?.decide(
          witness.request, on: witness.documents, tracing: true)
        budget.charge(for: decision)
        witnesses.insert(
          KnownRequests.KnownWitness(
            witness, prepared: prepared, footprint: decision.map { Footprint(of: $0) }))
      }
      if let one = witness.missed { missed.append(one) }
      return .something(witness, isLoosened: isLoosened)
    case .unknown(let openReasons):
      isOpen = true
      return .unknown(openReasons)
    case .nothing: return .nothing
    case .invalid: return .invalid
    }
  }

  /// True if two versions are proved equivalent.
  func areAlike(_ first: TrialVersion, _ second: TrialVersion) -> Bool {
    if case .nothing = effect(from: first, to: second) { return true }
    return false
  }

  /// True if two versions are proved equivalent by search only, limits aside. For explanations, on
  /// which nothing depends, so no generated requests test the answer.
  func seemAlike(_ first: TrialVersion, _ second: TrialVersion) -> Bool {
    var light = validation
    light.attacks = false
    light.weighs = false
    if case .nothing = effect(from: first, to: second, validation: light) { return true }
    return false
  }

  /// True if the second version is proved to meet errors only where the first one does.
  func failsNoMore(from first: Overlay, to second: Overlay) -> Bool {
    if budget.isSpent { return false }
    guard let old = engine(first), let new = engine(second) else { return false }
    let question = budget.question(steps: allowance)
    defer { question.settle() }
    var comparison = RulesComparison(
      from: old, to: new, sharing: attack, validation: validation, within: question)
    share(TrialVersion(first), TrialVersion(second), with: &comparison)
    return comparison.failsNoMore()
  }

  /// True if a known witness is granted by the statement with this method and without errors at these
  /// places. False where conditions read the state after a commit.
  func knowsGrant(of method: Method, by allow: AllowID, withoutErrorAt places: [ExprID]) -> Bool {
    !looksAhead
      && witnesses.all.contains {
        $0.witness.method == method
          && $0.footprint?.isGranted(by: allow, withoutErrorAt: places, in: rules.ruleset) == true
      }
  }

  private func share(
    _ first: TrialVersion, _ second: TrialVersion, with comparison: inout RulesComparison
  ) {
    comparison.shared = shared
    comparison.edits = (
      shared.edits(first.overlay, others: first.others),
      shared.edits(second.overlay, others: second.others)
    )
  }

  private func compared(_ version: TrialVersion) -> ComparedRules? {
    guard let engine = engine(version.overlay) else { return nil }
    guard looksAhead, let others = version.others else { return ComparedRules(engine: engine) }
    return self.engine(others).map { ComparedRules(engine: engine, others: .decided(by: $0)) }
  }

  /// Returns the engine of the rules with an overlay; nil if that is no version of them.
  func engine(_ overlay: Overlay) -> Engine? {
    if let known = engines.first(where: { $0.overlay == overlay }) { return known.engine }
    budget.charge(rules.ruleset.expressions.count)
    let engine = rules.changed(by: overlay).map { Engine($0, profile: profile) }
    let size = engines.count * rules.ruleset.expressions.count
    if engines.count > 1, size > SearchStrategy.keptNodes { engines.remove(at: 1) }
    engines.append((overlay, engine))
    return engine
  }

  private func known(
    from old: ComparedRules, to new: ComparedRules, _ first: TrialVersion, _ second: TrialVersion
  ) -> (witness: DiffWitness, isLoosened: Bool)? {
    let changed = ChangedStatements(
      shared.statements(
        touchedBy: first.overlay.edits.symmetricDifference(second.overlay.edits)),
      from: old.engine.rules, to: new.engine.rules)
    for told in witnesses.candidates(for: changed) {
      if budget.isSpent { return nil }
      if !changed.concern(told.segments, method: told.witness.method) { continue }
      if let footprint = told.footprint,
        !footprint.isTouched(by: first.overlay, in: rules.ruleset),
        !footprint.isTouched(by: second.overlay, in: rules.ruleset)
      {
        continue
      }
      guard let isAllowed = isAllowed(told, by: old),
        let after = new.decide(told.prepared, at: told.witness.document, within: budget),
        isAllowed != after.isAllowed,
        (after.isAllowed ? new : old).grantsOthers(
          told.prepared, at: told.witness.document, within: budget)
      else { continue }
      witnesses.use(told)
      return (told.witness, after.isAllowed)
    }
    return nil
  }

  /// Returns the decision of a version on a witness; nil if there is none.
  private func isAllowed(_ told: KnownRequests.KnownWitness, by version: ComparedRules) -> Bool? {
    let isItself = version.decideAll && version.engine.rules === rules
    if isItself, let known = told.isAllowed { return known }
    let decision = version.decide(told.prepared, at: told.witness.document, within: budget)
    if isItself { told.isAllowed = .some(decision?.isAllowed) }
    return decision?.isAllowed
  }
}
