import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Most changes to rules change a decision, and most of those that do are told by a request that
// another change was told by already. So every request that is found is kept and tried first; the
// prover is asked only about changes that none of them tells.
//
// Most changes are made in the tree, so that nothing is read again, and comparisons know what is changed.

/// A version of rules in a trial.
struct TrialVersion {
  /// What is changed for the document that is asked about.
  var patch: Patch
  /// What is changed for the other writes of its commit; nil for the same. See `OtherWrites`.
  var others: Patch?

  /// Rules with a change; `others` is the change for the other writes of a commit.
  init(_ patch: Patch, others: Patch? = nil) {
    self.patch = patch
    self.others = others == patch ? nil : others
  }

  /// The rules with another change for the document that is asked about.
  func asking(_ patch: Patch) -> TrialVersion {
    TrialVersion(patch, others: others ?? self.patch)
  }
}

/// What changes to one rules file do to its decisions.
final class RulesTrial {
  /// The rules.
  let rules: Checked
  private let profile: Profile
  private let scrutiny: Scrutiny
  /// The requests that conclusions are tried on.
  private let attack: Attack
  /// Differences that only the attack showed.
  private(set) var missed: [FailedReplay] = []
  /// What all questions together may cost.
  let budget: Budget
  /// What each of them may cost of it.
  private let steps: Int
  /// How many questions about the same part of the rules took more steps than one may, or stayed open at so
  /// great a cost that the next one better costs less.
  private var futile = 0
  /// About how many parts there were such questions before.
  private var futileParts = 0
  /// Whether conditions look at the state after a commit. If none does, no document depends on what
  /// is said to another one.
  private let looksAhead: Bool
  /// The requests that tell versions of the rules apart; what was of use last comes first.
  private var witnesses = KnownRequests()
  /// What keeps the comparison of two versions open mostly keeps those of others open, too.
  private let patience = Patience(isShared: true)
  /// What is true of all versions that are made by changing the tree.
  private let shared: SharedComparison
  /// The versions that were compared with last, with what they change in the tree, if that is all they do.
  private var engines: [(patch: Patch, edits: Set<TreeEdit>, engine: Engine?)] = []

  /// What a question may cost at least, however many before it have cost too much.
  private static let leastSteps = 4_000_000
  /// After each so many questions about the same part that have cost too much it is half as much, twice.
  private static let futileQuestions = 12
  /// A question may cost so much less than a single one of another command: as long as one of these can take,
  /// dozens of others are answered, of which a file has hundreds.
  private static let haste = 2
  /// So many requests that are known are decided for a question at most: of those that are of use nearly all
  /// are among the first.
  private static let greatestTries = 8
  /// The same to explain something.
  private static let fewestTries = 2
  /// So many versions are kept at least, and more as long as they have so many expressions together.
  private static let (leastCache, greatestCache) = (8, 200_000)

  /// Starts without any request.
  init(_ engine: Engine, scrutiny: Scrutiny, within budget: Budget, steps: Int) {
    self.scrutiny = scrutiny
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

  /// What a question may cost: the less, the more of those about the same part were broken off before it,
  /// and the more parts had such.
  private var allowance: Int {
    let haste = Self.haste + 2 * min(futile, 16) + min(futileParts / 2, 16)
    return min(steps, max(steps >> haste, Self.leastSteps >> min(futile / Self.futileQuestions, 2)))
  }

  /// What a second version does otherwise than a first one. Places are those of the rules. Where it is likely
  /// nothing, no request that is known is tried first. Where the first version was proved to decide as the
  /// rules do, requests are tried on these, of which it is known what they say.
  func effect(
    from first: TrialVersion, to second: TrialVersion, scrutiny: Scrutiny? = nil,
    isLikelyNothing: Bool = false, isFirstProved: Bool = false
  ) -> EditEffect {
    if let spent = budget.doubt { return .unknown([DiffDoubt(side: .old, doubt: spent)]) }
    guard let old = compared(first), let new = compared(second) else { return .invalid }
    let edits = edits(from: first, to: second)
    let tries = scrutiny == nil ? Self.greatestTries : Self.fewestTries
    let itself = isFirstProved ? engines[0].engine : nil
    let tried = itself.map { ComparedRules(engine: $0) } ?? old
    if !isLikelyNothing, let known = known(from: tried, to: new, concerning: edits, tries: tries) {
      return .something(known.witness, isLoosened: known.isLoosened)
    }
    let question = budget.question(
      steps: scrutiny == nil ? allowance : min(allowance, Self.leastSteps))
    var isOpen = false
    defer {
      question.settle()
      if question.isSpent || (isOpen && question.used >= Self.leastSteps) { futile += 1 }
    }
    var comparison = RulesComparison(
      from: old, to: new, sharing: attack, scrutiny: scrutiny ?? self.scrutiny, within: question)
    comparison.shrinks = false
    comparison.patience = patience
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
          KnownRequests.Told(
            witness, prepared: prepared, footprint: decision.map { Footprint(of: $0) }))
      }
      if let one = witness.missed { missed.append(one) }
      return .something(witness, isLoosened: isLoosened)
    case .unknown(let doubts):
      isOpen = true
      // What is changed in the tree keeps its places.
      return .unknown(
        doubts.map { doubt in
          let patch = doubt.side == .old ? first.patch : second.patch
          return patch.treeEdits == nil ? doubt.mapped(patch) : doubt
        })
    case .nothing: return .nothing
    case .invalid: return .invalid
    }
  }

  /// The same of changes to whole files.
  func effect(from first: Patch = Patch(), to second: Patch) -> EditEffect {
    effect(from: TrialVersion(first), to: TrialVersion(second))
  }

  /// Whether two versions decide all requests alike; false if that is not known.
  func areAlike(_ first: TrialVersion, _ second: TrialVersion) -> Bool {
    if case .nothing = effect(from: first, to: second) { return true }
    return false
  }

  /// The same, to explain what was tried on requests already: nothing rests on it, so none are tried unless
  /// they take the place of searches.
  func seemAlike(_ first: TrialVersion, _ second: TrialVersion) -> Bool {
    var light = scrutiny
    light.attacks = light.attacks && !light.searches
    light.weighs = false
    if case .nothing = effect(from: first, to: second, scrutiny: light) { return true }
    return false
  }

  /// Whether the second version meets errors only where the first one does; false if that is not
  /// known.
  func failsNoMore(from first: Patch, to second: Patch) -> Bool {
    if budget.isSpent { return false }
    guard let old = engine(first), let new = engine(second) else { return false }
    let question = budget.question(steps: allowance)
    defer { question.settle() }
    var comparison = RulesComparison(
      from: old, to: new, sharing: attack, scrutiny: scrutiny, within: question)
    if let edits = edits(from: TrialVersion(first), to: TrialVersion(second)) {
      share(edits, with: &comparison)
    }
    return comparison.failsNoMore()
  }

  /// Whether no limit can stop a request that a statement is for, whatever is taken out; false if that is not
  /// known.
  func isFrugal(_ allow: AllowID) -> Bool {
    let changed = ChangedStatements([allow], from: rules, to: rules)
    return shared.rows { changed.concern($0) }.allSatisfy { row in
      row.paths.allSatisfy { path, except in
        Scenario.all(
          with: rules.methods[allow.index].methods, on: [path], open: row.open, rules: rules
        ).allSatisfy {
          !changed.concern($0, except: except)
            || !budget.isSpent && shared.isFrugal($0, except: except)
        }
      }
    }
  }

  /// Whether a request is known that a statement grants by a method while none of some parts of its condition
  /// ends in an error.
  func knowsGrant(of method: Method, by allow: AllowID, withoutErrorAt places: [ExprID]) -> Bool {
    !looksAhead
      && witnesses.all.contains {
        $0.witness.method == method
          && $0.footprint?.isGranted(by: allow, withoutErrorAt: places, in: rules.ruleset) == true
      }
  }

  /// What two versions change in the tree; nil if one of them is made of text.
  private func edits(
    from first: TrialVersion, to second: TrialVersion
  ) -> (old: KnownEdits, new: KnownEdits)? {
    guard let one = KnownEdits(first), let other = KnownEdits(second) else { return nil }
    return (one, other)
  }

  /// What a version changes in the tree.
  private struct KnownEdits {
    /// For the document that is asked about.
    var own: Set<TreeEdit>
    /// For the other writes of its commit, if that is something else.
    var others: Set<TreeEdit>?

    /// Takes them; nil if the version is made of text.
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

  /// The rules with replacements made; nil if they do not compile then.
  func engine(_ patch: Patch) -> Engine? {
    if let known = engines.first(where: { $0.patch == patch }) { return known.engine }
    let edits = patch.treeEdits
    let engine = edits.map { made($0) } ?? written(patch)
    let size = engines.count * rules.ruleset.expressions.count
    if engines.count >= Self.leastCache, size > Self.greatestCache { engines.remove(at: 1) }
    engines.append((patch, Set(edits ?? []), engine))
    return engine
  }

  /// The rules with changes made in their tree; in that of the last version that has some of them, if there
  /// is one.
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
    concerning edits: (old: KnownEdits, new: KnownEdits)?, tries greatest: Int
  ) -> (witness: DiffWitness, isLoosened: Bool)? {
    let changed = edits.map {
      ChangedStatements(
        shared.statements(touchedBy: $0.old.own.symmetricDifference($0.new.own)),
        from: old.engine.rules,
        to: new.engine.rules)
    }
    var tries = 0
    for told in witnesses.candidates(for: changed) {
      if budget.isSpent || tries == greatest { return nil }
      if let changed, !changed.concern(told.segments, method: told.witness.method) { continue }
      if let edits, let footprint = told.footprint,
        !footprint.isTouched(by: edits.old.own, in: rules.ruleset),
        !footprint.isTouched(by: edits.new.own, in: rules.ruleset)
      {
        continue
      }
      tries += 1
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

  /// What a version says to one of the requests; nil for nothing.
  private func isAllowed(_ told: KnownRequests.Told, by version: ComparedRules) -> Bool? {
    let isItself = version.decideAll && version.engine.rules === rules
    if isItself, let known = told.isAllowed { return known }
    let decision = version.decide(told.prepared, at: told.witness.document, within: budget)
    if isItself { told.isAllowed = .some(decision?.isAllowed) }
    return decision?.isAllowed
  }
}

extension DiffDoubt {
  /// The doubt, at its place before a patch was applied.
  fileprivate func mapped(_ patch: Patch) -> DiffDoubt {
    guard let range = doubt.range else { return self }
    var copy = self
    copy.doubt = Doubt(
      doubt.reason,
      at: SourceRange(start: patch.original(range.start), end: patch.original(range.end)))
    return copy
  }
}
