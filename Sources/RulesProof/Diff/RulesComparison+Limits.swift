import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Evaluation limits in comparisons. A file may deny a request only because a limit stops its
// evaluation. The search ignores limits, so for each direction a proof shows that none is exceeded, or
// expensive requests are tried.

extension RulesComparison {
  /// Adds the effect of limits on the denying file to the results of one direction. The effect is a request
  /// that the file denies, perhaps because of a limit, or an open reason: limits may matter, or the file
  /// contains an operation that the evaluator does not model.
  ///
  /// - Returns: The difference by limits; nil if there is none, or if it was added to `outcome` because one
  ///   difference is enough. The caller reports it only if the search finds no difference.
  @discardableResult
  func weigh(
    _ direction: inout Direction, of goal: DiffGoal, outcome: inout Outcome
  ) -> AccessChange? {
    var shown: AccessChange?
    let isLoosened = direction.isLoosened
    let side = isLoosened ? DiffSide.old : .new
    let half = goal.half(side)
    var openReasons = half.compiler.costs(of: half.statements)
    if !openReasons.isEmpty {
      switch limits(direction, of: goal, isQuick: outcome.isQuick) {
      case .harmless: openReasons = []
      case .shown(let witness):
        // The limit need not be the reason: the file may deny the request in any case.
        let change = AccessChange(isLoosened: isLoosened, like: witness)
        if outcome.isQuick { outcome.found.append(change) } else { shown = change }
      case .open: break
      }
    }
    // One difference is enough.
    if outcome.isQuick, !outcome.found.isEmpty { return nil }
    openReasons += half.compiler.unmodelledPlaces
    if openReasons.isEmpty { return shown }
    direction.isOpen = true
    outcome.openReason(
      openReasons.map { DiffOpenReason(side: side, openReason: $0) }, isLoosened: isLoosened)
    return shown
  }

  /// The effect of limits on the denying file, for requests that the other file allows.
  private enum LimitsEffect {
    /// Proved: requests exceed no limit.
    case harmless
    /// The denying file denies the request, perhaps because of a limit.
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
    if validation.searches, goal.provesWithinLimits(isLoosened: isLoosened) { return .harmless }
    return dear(in: goal, isLoosened: isLoosened).map { .shown($0) } ?? .open
  }

  /// A version of the file of which several versions are compared.
  private typealias Version = (
    side: DiffSide, edits: SharedComparison.VersionEdits, met: SharedComparison.RelevantEdits
  )

  /// Returns the effect of limits if the denying file is one of several versions.
  private func limits(
    _ direction: Direction, of goal: DiffGoal, to version: Version, among shared: SharedComparison
  ) -> LimitsEffect {
    // An undecided direction stays so: these queries are harder than those that were given up.
    if direction.isOpen || !validation.searches { return .open }
    let known = shared.isKnownWithinLimits(version.met)
    if known == true { return .harmless }
    let staysWithinLimits =
      known == nil
      && shared.staysWithinLimits(version.met, within: goal.goal.budget) {
        provesWithinLimits(goal, of: version, among: shared)
      }
    if staysWithinLimits { return .harmless }
    // Requests that cost much are tried once for each version.
    guard known == nil, let found = dear(in: goal, isLoosened: direction.isLoosened) else {
      return .open
    }
    return .shown(found)
  }

  /// True if it is proved that no request which this version would allow without limits exceeds one.
  /// One version is enough: limits aside, the search found both equivalent.
  private func provesWithinLimits(
    _ goal: DiffGoal, of version: Version, among shared: SharedComparison
  ) -> Bool {
    goal.provesWithinLimits(of: version.side) { place, text, proof in
      // In most cases the requests reach no edit, or the edits of a version already known.
      var scenario = goal.scenario
      scenario.path[place] = text
      let met = shared.met(version.edits, by: scenario, except: goal.except)
      return shared.staysWithinLimits(met, within: goal.goal.budget, proof: proof)
    }
  }

  // MARK: Requests that cost too much

  /// Returns a request that one file allows and the other denies, perhaps only because of a limit; nil
  /// if none of a few expensive requests is one.
  private func dear(in diff: DiffGoal, isLoosened: Bool) -> DiffWitness? {
    let (allowing, refusing) = isLoosened ? (diff.new, diff.old) : (diff.old, diff.new)
    let world = diff.assumed(isLoosened: isLoosened) + [allowing.allows]
    for candidate in diff.goal.mostExpensiveRequests(in: world, grants: refusing.grants) {
      if let found = confirmed(candidate, isLoosened: isLoosened, within: diff.goal.budget) {
        return found
      }
    }
    return nil
  }
}
