import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// What the refusing file would allow it may still refuse for want of budget. Whether that happens is proved,
// or shown by a request.

extension RulesComparison {
  /// Adds to what a search came to what limits may do: a request that one stops in the refusing file alone,
  /// or a doubt. A request that this file denies anyway is returned: searches mostly come upon such, too.
  @discardableResult
  func weigh(
    _ direction: inout Direction, of goal: DiffGoal, outcome: inout Outcome
  ) -> AccessChange? {
    var denied: AccessChange?
    let isLoosened = direction.isLoosened
    let side = isLoosened ? DiffSide.old : .new
    let half = goal.half(side)
    var doubts = half.compiler.costs(of: half.statements)
    if !doubts.isEmpty {
      switch limits(direction, of: goal, isQuick: outcome.isQuick) {
      case .harmless: doubts = []
      case .shown(let witness)
      where outcome.isQuick || isAllowedWithoutLimits(witness, of: goal, isLoosened: isLoosened):
        outcome.found.append(change(witness, isLoosened: isLoosened))
      // "More than its limits allow" explains nothing if the request is denied in any case.
      case .shown(let witness): denied = AccessChange(isLoosened: isLoosened, like: witness)
      case .open: break
      }
    }
    // One difference is enough.
    if outcome.isQuick, !outcome.found.isEmpty { return nil }
    doubts += half.compiler.unmodelledPlaces
    if doubts.isEmpty { return denied }
    direction.isOpen = true
    outcome.doubt(doubts.map { DiffDoubt(side: side, doubt: $0) }, isLoosened: isLoosened)
    return denied
  }

  /// True if the denying file would allow the request without limits, or if that cannot be decided.
  private func isAllowedWithoutLimits(
    _ witness: DiffWitness, of goal: DiffGoal, isLoosened: Bool
  ) -> Bool {
    let prices = meters(for: goal, isLoosened: isLoosened).prices(
      of: witness.request, on: witness.documents, about: witness.document,
      within: goal.goal.budget)
    return prices?.refusing.isAllowed ?? true
  }

  /// The effect of the denying file's limits on requests that the other file allows.
  private enum LimitsEffect {
    /// No request is stopped.
    case harmless
    /// This request is stopped.
    case shown(DiffWitness)
    /// The effect is unknown.
    case open
  }

  private func limits(
    _ direction: Direction, of goal: DiffGoal, isQuick: Bool
  ) -> LimitsEffect {
    if isQuick, let shared, let edits, let pair = pair(goal.scenario, except: goal.except) {
      let version =
        direction.isLoosened ? (DiffSide.old, edits.old, pair.old) : (.new, edits.new, pair.new)
      return limits(direction, of: goal, to: version, among: shared)
    }
    let isLoosened = direction.isLoosened
    if scrutiny.searches, goal.provesThrift(isLoosened: isLoosened) { return .harmless }
    let found = overspent(in: goal, isLoosened: isLoosened).found
    return (found ?? dear(in: goal, isLoosened: isLoosened)).map { .shown($0) } ?? .open
  }

  /// A version of a file that has several of them.
  private typealias Version = (
    side: DiffSide, edits: SharedComparison.VersionEdits, met: SharedComparison.Met
  )

  /// The same where the refusing file is one of many versions.
  private func limits(
    _ direction: Direction, of goal: DiffGoal, to version: Version, among shared: SharedComparison
  ) -> LimitsEffect {
    // What is open stays open: these questions are harder than those that were given up.
    if direction.isOpen || !scrutiny.searches { return .open }
    let known = shared.isKnownThrifty(version.met)
    if known == true { return .harmless }
    let (steps, searches) = shared.patience(with: version.met)
    let (refusing, budget) = (direction.isLoosened ? older : newer, goal.goal.budget)
    // A request that another version's limits stop mostly shows that this is one that has them, too.
    let isDear = shared.dearRequest(for: version.met).map {
      isStopped($0, by: refusing, within: budget)
    }
    let isThrifty =
      known == nil && isDear != true && steps > 0
      && shared.isThrifty(version.met, within: budget) {
        provesThrift(goal, of: version, among: shared, steps: steps)
      }
    if isThrifty { return .harmless }
    if searches {
      let (found, dearest) = overspent(in: goal, isLoosened: direction.isLoosened)
      if let found { return .shown(found) }
      if let dearest { shared.note(dearest, for: version.met) }
    }
    shared.noteIdle(version.met)
    return .open
  }

  /// Whether a version allows nothing that its limits would stop; else whatever one version allows without
  /// limits so does the other one.
  private func provesThrift(
    _ goal: DiffGoal, of version: Version, among shared: SharedComparison, steps: Int
  ) -> Bool {
    goal.provesThrift(of: version.side, steps: steps) { place, text, proof in
      // In most cases requests meet none of the changes, or the same ones as of another version.
      var scenario = goal.scenario
      scenario.path[place] = text
      let met = shared.met(version.edits, by: scenario, except: goal.except)
      return shared.isThrifty(met, within: goal.goal.budget, proof: proof)
    }
  }

  // MARK: Requests that cost too much

  private func change(_ witness: DiffWitness, isLoosened: Bool) -> AccessChange {
    AccessChange(
      isLoosened: isLoosened, who: "anyone", what: "",
      conditions: [
        "if that takes the \(isLoosened ? "older" : "newer") file more than its limits allow"
      ],
      witnesses: [witness])
  }

  /// A request that one file denies only because it is stopped by a limit, and one that costs it too much
  /// whatever the other one says; nil for those that are not found.
  private func overspent(
    in diff: DiffGoal, isLoosened: Bool
  ) -> (found: DiffWitness?, dearest: Draft?) {
    let budget = diff.goal.budget
    let meters = meters(for: diff, isLoosened: isLoosened)
    let near = diff.nearLimit(isLoosened: isLoosened, within: Thrift.steps)
    let requests = near.requests {
      meters.prices(of: $0, within: budget)?.refusing.isTooMuch ?? false
    }
    guard let dearest = requests.first else { return (nil, nil) }
    return (difference(near: requests, of: diff, isLoosened: isLoosened), dearest)
  }

  /// Searches for such requests with more effort.
  private func dear(in diff: DiffGoal, isLoosened: Bool) -> DiffWitness? {
    let (allowing, refusing) = isLoosened ? (diff.new, diff.old) : (diff.old, diff.new)
    let world = diff.assumed(isLoosened: isLoosened) + [allowing.allows]
    for draft in diff.goal.dearRequests(in: world, grants: refusing.grants) {
      if let found = confirmed(draft, isLoosened: isLoosened, within: diff.goal.budget) {
        return found
      }
    }
    return nil
  }

  private func meters(for diff: DiffGoal, isLoosened: Bool) -> CostMeters {
    let (allowing, refusing) = isLoosened ? (newer, older) : (older, newer)
    return CostMeters(allowing, refusing, for: diff.scenario, except: diff.except)
  }

  /// Searches near requests whose cost is close to a limit.
  /// - Returns: nil if no difference is found.
  func difference(near drafts: [Draft], of diff: DiffGoal, isLoosened: Bool) -> DiffWitness? {
    var found: DiffWitness?
    let budget = diff.goal.budget
    let meters = meters(for: diff, isLoosened: isLoosened)
    var search = CostSearch(diff.goal) { draft in
      meters.prices(of: draft, within: budget)
    } confirms: { draft in
      found = confirmed(draft, isLoosened: isLoosened, within: budget)
      return found != nil
    }
    _ = search.find(near: drafts)
    return found
  }
}
