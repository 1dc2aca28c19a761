import RulesLang

// `a || b` is true if b is, even if a ends in an error. `a ? true : b` differs only in propagating
// the error of a. So a statement that grants nothing with its disjunctions rewritten grants only
// where an error is ignored.

/// The disjunctions that a statement can evaluate.
struct AbsorbedErrors {
  private let trial: RulesTrial
  private let allow: AllowID
  /// The rules with all statements.
  private let whole: TrialVersion
  private let disjunctions: [ExprID]

  /// Collects the disjunctions, including those in functions.
  init(_ trial: RulesTrial, of allow: AllowID, in whole: TrialVersion) {
    self.trial = trial
    self.allow = allow
    self.whole = whole
    let rules = trial.rules
    let bodies = rules.bodies(reachedFrom: [rules.ruleset[allow].condition].compactMap { $0 })
    disjunctions = bodies.flatMap { body in
      body.nodes.filter {
        if case .binary(.or, _, _) = rules.ruleset[$0].kind { return true }
        return false
      }
    }
  }

  /// True if there are no disjunctions.
  var isEmpty: Bool { disjunctions.isEmpty }

  /// True if a known request is granted by the statement with this method and without an error on the
  /// left side of any disjunction, so that the rewriting makes no difference to it.
  func isKnownPlain(_ method: Method) -> Bool {
    trial.knowsGrant(
      of: method, by: allow, withoutErrorAt: disjunctions.compactMap { left(of: $0) })
  }

  private func left(of id: ExprID) -> ExprID? {
    guard case .binary(.or, let left, _) = trial.rules.ruleset[id].kind else { return nil }
    return left
  }

  /// Returns the rules with only this statement, for some methods, and with errors propagated.
  /// Other writes of a commit are decided as before.
  func strict(_ methods: MethodSet) -> TrialVersion { strict(methods, at: disjunctions) }

  /// Returns the left sides whose errors are ignored whenever the statement grants: each of the
  /// disjunctions that suffices alone; all of them if none does.
  func responsible(_ methods: MethodSet) -> [RedundancyFinding.Cause] {
    let nothing = whole.asking(trial.rules.keeping([]))
    let single = disjunctions.filter { trial.seemAlike(nothing, strict(methods, at: [$0])) }
    return (single.isEmpty ? disjunctions : single).compactMap { id in
      left(of: id).map { RedundancyFinding.Cause(range: trial.rules.ruleset[$0].range) }
    }
  }

  private func strict(_ methods: MethodSet, at chosen: [ExprID]) -> TrialVersion {
    let rules = trial.rules
    return whole.asking(
      rules.keeping([allow]).with(rules.limiting(allow, to: methods), of: rules.ruleset)
        .with(Overlay(Set(chosen.map { .rewritten($0, .strict) })), of: rules.ruleset))
  }
}
