import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Most changes of rules change a decision, and most of these are revealed by a request that
// revealed another change before. So witnesses are kept and tried first; the prover is only asked
// if none reveals the change.
//
// Most changes are made in the syntax tree, so that nothing is parsed again and comparisons know
// what changed.

/// A version of rules in a trial.
struct TrialVersion {
  /// The change for the requested document.
  var patch: Patch
  /// The change for the other writes of its commit; nil if the same. See `OtherWrites`.
  var others: Patch?

  /// Creates a version.
  ///
  /// - Parameter others: The change for the other writes of a commit.
  init(_ patch: Patch, others: Patch? = nil) {
    self.patch = patch
    self.others = others == patch ? nil : others
  }

  /// Returns the version with another change for the requested document.
  func asking(_ patch: Patch) -> TrialVersion {
    TrialVersion(patch, others: others ?? self.patch)
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
  /// The number of expensive fruitless questions about the present part.
  private var futile = 0
  /// The number of earlier parts with fruitless questions.
  private var futileParts = 0
  /// True if conditions read the state after a commit. If none does, the decisions on different
  /// documents are independent.
  private let looksAhead: Bool
  /// Witnesses that distinguish versions, most recently used first.
  private var witnesses = KnownRequests()
  /// The effort policy: undecided comparisons usually have a common cause.
  private let policy = EffortPolicy(isShared: true)
  /// The encoding shared by all versions made by changing the tree.
  private let shared: SharedComparison
  /// The cached versions, the unchanged rules first, with their tree edits; without edits if made of
  /// text.
  private var engines: [(patch: Patch, edits: Set<TreeEdit>, engine: Engine?)] = []

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
    engines = [(Patch(), [], engine)]
  }

  /// Begins with another part of the rules.
  func turn() {
    if futile > 0 { futileParts += 1 }
    futile = 0
  }

  /// The steps for the next question: fewer after fruitless ones.
  private var allowance: Int {
    let haste = 2 + 2 * min(futile, 16) + min(futileParts / 2, 16)
    return min(steps, max(steps >> haste, Strategy.sideSteps))
  }

  /// Returns the effect of changing from one version to another, with places in the original rules.
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
    let edits = edits(from: first, to: second)
    let itself = isFirstProved ? engines[0].engine : nil
    let tried = itself.map { ComparedRules(engine: $0) } ?? old
    if !isLikelyNothing, let known = known(from: tried, to: new, concerning: edits) {
      return .something(known.witness, isLoosened: known.isLoosened)
    }
    let question = budget.question(
      steps: validation == nil ? allowance : min(allowance, Strategy.sideSteps))
    var isOpen = false
    defer {
      question.settle()
      if question.isSpent || (isOpen && question.used >= Strategy.sideSteps) { futile += 1 }
    }
    var comparison = RulesComparison(
      from: old, to: new, sharing: attack, validation: validation ?? self.validation,
      within: question)
    comparison.shrinks = false
    comparison.policy = policy
    comparison.likeOlder = itself
    if let edits { share(edits, with: &comparison) }
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
      // Tree edits keep the places.
      return .unknown(
        openReasons.map { openReason in
          let patch = openReason.side == .old ? first.patch : second.patch
          return patch.treeEdits == nil ? openReason.mapped(patch) : openReason
        })
    case .nothing: return .nothing
    case .invalid: return .invalid
    }
  }

  /// Returns the effect of changing from one text to another.
  func effect(from first: Patch = Patch(), to second: Patch) -> EditEffect {
    effect(from: TrialVersion(first), to: TrialVersion(second))
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
  func failsNoMore(from first: Patch, to second: Patch) -> Bool {
    if budget.isSpent { return false }
    guard let old = engine(first), let new = engine(second) else { return false }
    let question = budget.question(steps: allowance)
    defer { question.settle() }
    var comparison = RulesComparison(
      from: old, to: new, sharing: attack, validation: validation, within: question)
    if let edits = edits(from: TrialVersion(first), to: TrialVersion(second)) {
      share(edits, with: &comparison)
    }
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

  /// Returns the tree edits of two versions; nil if one is made of text.
  private func edits(
    from first: TrialVersion, to second: TrialVersion
  ) -> (old: KnownEdits, new: KnownEdits)? {
    guard let one = KnownEdits(first), let other = KnownEdits(second) else { return nil }
    return (one, other)
  }

  /// The tree edits of a version.
  private struct KnownEdits {
    /// The edits for the requested document.
    var own: Set<TreeEdit>
    /// The edits for the other writes of its commit, if different.
    var others: Set<TreeEdit>?

    /// Reads the edits of a version; nil if it is made of text.
    init?(_ version: TrialVersion) {
      guard let own = version.patch.treeEdits else { return nil }
      self.own = Set(own)
      guard let patch = version.others else { return }
      guard let others = patch.treeEdits else { return nil }
      self.others = Set(others)
    }
  }

  private func share(
    _ edits: (old: KnownEdits, new: KnownEdits), with comparison: inout RulesComparison
  ) {
    comparison.shared = shared
    comparison.edits = (arranged(edits.old), arranged(edits.new))
  }

  private func arranged(_ edits: KnownEdits) -> SharedComparison.VersionEdits {
    let own = shared.arranged(edits.own)
    return SharedComparison.VersionEdits(
      own: own, others: edits.others.map { shared.arranged($0) } ?? own)
  }

  private func compared(_ version: TrialVersion) -> ComparedRules? {
    guard let engine = engine(version.patch) else { return nil }
    guard looksAhead, let others = version.others else { return ComparedRules(engine: engine) }
    return self.engine(others).map { ComparedRules(engine: engine, others: .decided(by: $0)) }
  }

  /// Returns the engine of the rules with a patch; nil if they do not compile.
  func engine(_ patch: Patch) -> Engine? {
    if let known = engines.first(where: { $0.patch == patch }) { return known.engine }
    let edits = patch.treeEdits
    let engine = edits.map { made($0) } ?? written(patch)
    let size = engines.count * rules.ruleset.expressions.count
    if engines.count > 1, size > Strategy.keptPropositions { engines.remove(at: 1) }
    engines.append((patch, Set(edits ?? []), engine))
    return engine
  }

  /// Returns the engine of the rules with tree edits, starting from a cached version with a subset
  /// of these.
  private func made(_ edits: [TreeEdit]) -> Engine {
    budget.charge(rules.ruleset.expressions.count)
    let all = Set(edits)
    let known = engines.last { !$0.edits.isEmpty && $0.edits.isSubset(of: all) }
    guard let known, let start = known.engine else {
      return Engine(rules.changed(by: edits), profile: profile)
    }
    let left = edits.filter { !known.edits.contains($0) }
    return Engine(start.rules.changed(by: left), profile: profile)
  }

  private func written(_ patch: Patch) -> Engine? {
    let source = patch.applied(to: rules.ruleset.source)
    budget.charge(Checked.steps(toCheck: source))
    return rules.checkAgain(source).checked.map { Engine($0, profile: profile) }
  }

  private func known(
    from old: ComparedRules, to new: ComparedRules,
    concerning edits: (old: KnownEdits, new: KnownEdits)?
  ) -> (witness: DiffWitness, isLoosened: Bool)? {
    let changed = edits.map {
      ChangedStatements(
        shared.statements(touchedBy: $0.old.own.symmetricDifference($0.new.own)),
        from: old.engine.rules,
        to: new.engine.rules)
    }
    for told in witnesses.candidates(for: changed) {
      if budget.isSpent { return nil }
      if let changed, !changed.concern(told.segments, method: told.witness.method) { continue }
      if let edits, let footprint = told.footprint,
        !footprint.isTouched(by: edits.old.own, in: rules.ruleset),
        !footprint.isTouched(by: edits.new.own, in: rules.ruleset)
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

extension DiffOpenReason {
  /// Returns the reason with its place before a patch.
  fileprivate func mapped(_ patch: Patch) -> DiffOpenReason {
    guard let range = openReason.range else { return self }
    var copy = self
    copy.openReason = OpenReason(
      openReason.reason,
      at: SourceRange(start: patch.original(range.start), end: patch.original(range.end)))
    return copy
  }
}
