import RulesEncoding
import RulesEval
import RulesLang

extension ClaimSet {
  /// Returns the reasons why an unsatisfiable goal does not prove the claim; empty if it does.
  func openReasons(about goal: Goal, _ claim: CompiledClaim) -> [OpenReason] {
    let openReasons = openLengths(in: goal, of: claim)
    switch claim.claim.obligation {
    case .alwaysIf:
      return openReasons + costs(of: goal, onlyIfMet: true) + goal.compiler.unmodelledPlaces
    case .noErrors:
      return openReasons + costs(of: goal, onlyIfMet: false) + goal.compiler.unmodelledPlaces
    // A condition stopped by a limit only denies more.
    case .onlyIf, .never: return openReasons
    }
  }

  /// Returns the uses of a `{x=**}` binding, through which a condition could distinguish path
  /// lengths that were not all examined.
  func openLengths(in goal: Goal, of claim: CompiledClaim) -> [OpenReason] {
    guard let glob = claim.claim.path.steps.first(where: { $0.isGlob })?.name else { return [] }
    var uses = PathUses(rules)
    for function in claim.limits(for: goal.scenario.method) + [claim.obligation].compactMap({ $0 })
    {
      let parameters = rules.ruleset[function].parameters
      let slot = parameters.firstIndex { $0.text == glob }
      uses.add(function, globs: [], local: slot.map { UInt8($0) })
    }
    for statement in goal.statements {
      let allow = rules.ruleset[statement.allow]
      guard let condition = allow.condition else { continue }
      uses.add(condition, globs: rules.matches[allow.match.index].globs, local: nil)
    }
    return uses.places.map { OpenReason(Compiler.openLength, at: $0) }
  }

  /// Returns the statements that could exceed an evaluation limit, and so deny what their
  /// conditions allow.
  private func costs(of goal: Goal, onlyIfMet: Bool) -> [OpenReason] {
    let costs = goal.compiler.costs(of: goal.statements)
    return costs.isEmpty || !goal.provesWithinLimits(onlyIfMet: onlyIfMet) ? costs : []
  }
}
