import RulesLang

// `a || b` is true if b is, even if a ends in an error. Written as `a ? true : b` it is the same but
// for that: the error of a is the error of the whole. So a statement that grants nothing once its
// disjunctions are written like that grants only where an error is left out of account.

/// The disjunctions that a statement can come to.
struct AbsorbedErrors {
  private let trial: RulesTrial
  private let allow: AllowID
  /// The rules with all their statements.
  private let whole: TrialVersion
  private let disjunctions: [ExprID]

  /// Collects them, those in functions, too.
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

  /// Whether there are none.
  var isEmpty: Bool { disjunctions.isEmpty }

  /// Whether a request is known that the statement grants by a method without an error left of a
  /// disjunction: to that it makes no difference how they are written.
  func isKnownPlain(_ method: Method) -> Bool {
    trial.knowsGrant(
      of: method, by: allow, withoutErrorAt: disjunctions.compactMap { left(of: $0) })
  }

  private func left(of id: ExprID) -> ExprID? {
    guard case .binary(.or, let left, _) = trial.rules.ruleset[id].kind else { return nil }
    return left
  }

  /// The rules with only this statement, for some methods, in which errors are not left out of
  /// account; the other writes of a commit are granted as ever.
  func strict(_ methods: MethodSet) -> TrialVersion { strict(methods, at: disjunctions) }

  /// The left sides of the disjunctions that do it.
  func responsible(_ methods: MethodSet) -> [RedundancyFinding.Cause] {
    let nothing = whole.asking(trial.rules.keeping([]))
    let single = disjunctions.filter { trial.seemAlike(nothing, strict(methods, at: [$0])) }
    return (single.isEmpty ? disjunctions : single).compactMap { id in
      left(of: id).map { RedundancyFinding.Cause(range: trial.rules.ruleset[$0].range) }
    }
  }

  private func strict(_ methods: MethodSet, at chosen: [ExprID]) -> TrialVersion {
    let rules = trial.rules
    var patch = rules.keeping([allow])
    patch.add(rules.limiting(allow, to: methods))
    for id in chosen {
      let node = rules.ruleset[id]
      patch.replace(SourceRange(start: node.range.start, end: node.range.start), with: "((")
      patch.replace(node.mark, with: ") ? true : (")
      patch.replace(SourceRange(start: node.range.end, end: node.range.end), with: ") && true)")
    }
    return whole.asking(patch)
  }
}
