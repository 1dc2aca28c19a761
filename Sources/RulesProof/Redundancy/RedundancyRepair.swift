package import RulesEval
package import RulesLang
package import RulesSolver

// Removal of redundant parts from the text. All findings of a report hold together, so all parts can be
// removed at once.
//
// Sound: a text is only proposed if a comparison proves that it decides every request like the
// original.

/// Removes the redundant parts of a rules file.
package struct RedundancyRepair {
  /// A removed part.
  package struct Part: Sendable {
    /// The finding.
    package var finding: RedundancyFinding
    /// The range in the original text.
    package var range: SourceRange
  }

  private let first: Engine
  private var present: Engine
  /// The patches from the original text to the present one.
  private var patches: [Patch] = []
  private let validation: ValidationPolicy
  private let attack: Attack
  private let budget: Budget

  /// Starts without removals.
  package init(
    _ engine: Engine, validation: ValidationPolicy = ValidationPolicy(),
    within budget: Budget = Budget()
  ) {
    attack = Attack(engine)
    self.validation = validation
    first = engine
    present = engine
    self.budget = budget
  }

  /// The rules without the removed parts.
  package var rules: Checked { present.rules }

  /// Removes the parts found in the present rules: all of them, or as many as compile and are
  /// proved to change no decision of the original rules.
  ///
  /// - Returns: The removed parts.
  package mutating func remove(_ findings: [RedundancyFinding]) -> [Part] {
    let removable = findings.filter { $0.removal != nil }
    if removable.isEmpty { return [] }
    if let patch = proved(removable) { return take(removable, by: patch) }
    var taken: [RedundancyFinding] = []
    var best: Patch?
    for finding in removable where !budget.isSpent {
      guard let patch = proved(taken + [finding]) else { continue }
      taken.append(finding)
      best = patch
    }
    return best.map { take(taken, by: $0) } ?? []
  }

  private func proved(_ findings: [RedundancyFinding]) -> Patch? {
    let chains = RedundancyBody.all(rules).flatMap { $0.chains }
    let source = rules.ruleset.source
    budget.chargeChecking(rules)
    if budget.isSpent { return nil }
    let patch = RemovalText(rules, chains: chains).asWritten(findings.compactMap { $0.removal })
      .tidied(source)
    guard let engine = engine(patch),
      case .nothing = RulesComparison(
        from: first, to: engine, sharing: attack, validation: validation, within: budget
      ).effect()
    else { return nil }
    return patch
  }

  private func engine(_ patch: Patch) -> Engine? {
    let outcome = rules.checkAgain(patch.applied(to: rules.ruleset.source))
    return outcome.checked.map { Engine($0, profile: first.profile) }
  }

  private mutating func take(_ findings: [RedundancyFinding], by patch: Patch) -> [Part] {
    guard let engine = engine(patch) else { return [] }
    let parts = findings.map { finding in
      var range = finding.removedRange(in: rules)
      for earlier in patches.reversed() {
        range = SourceRange(start: earlier.original(range.start), end: earlier.original(range.end))
      }
      return Part(finding: finding, range: range)
    }
    patches.append(patch)
    present = engine
    return parts
  }
}

extension RedundancyFinding {
  /// Returns the removed range; for a statement, all of it.
  fileprivate func removedRange(in rules: Checked) -> SourceRange {
    if case .statement(let allow) = removal { return rules.ruleset[allow].range }
    return range
  }
}
