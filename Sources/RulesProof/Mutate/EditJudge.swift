import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesSolver

// Effects of mutants. Most mutants are made in the syntax tree, so that nothing is parsed again and
// analyses of the unchanged parts are shared between all mutants of a file.
//
// Sound in both directions: "nothing" is reported only if a comparison proves the mutant equivalent,
// "something" only with a request that both evaluators decided differently (`RulesComparison`).

/// Judges the effects of single changes of one rules file. Not thread-safe.
package final class EditJudge {
  /// The engine of the file.
  package let engine: Engine
  private let attack: Attack
  private let validation: ValidationPolicy
  private let shared: SharedComparison

  /// Prepares for a file.
  ///
  /// - Parameter budget: The budget of shared analyses.
  package init(
    _ engine: Engine, validation: ValidationPolicy = ValidationPolicy(),
    within budget: Budget = Budget()
  ) {
    self.engine = engine
    self.validation = validation
    attack = Attack(engine)
    shared = SharedComparison(engine.rules, within: budget)
  }

  /// Applies a change and charges the budget; nil if the rules do not compile then.
  package func applying(_ edit: RulesEdit, within budget: Budget = Budget()) -> ChangedRules? {
    let rules = engine.rules
    if let changed = rules.changed(by: edit.change) {
      budget.charge(rules.ruleset.expressions.count)
      return ChangedRules(
        engine: Engine(changed, profile: engine.profile),
        changes: shared.changes(by: edit.change))
    }
    budget.chargeChecking(rules)
    let statements = shared.statements(changedBy: edit.change)
    return engine.reading(edit).map {
      // Newly parsed rules have different node numbers.
      ChangedRules(
        engine: $0,
        changes: RulesComparison.KnownChanges(
          statements: statements, file: shared, parts: nil))
    }
  }

  /// Returns the blocks of all statements that can take part in these decisions; nil for all blocks
  /// if a decision is missing or not deterministic.
  ///
  /// A change elsewhere cannot affect the decisions: up to the first refused access, blocks that do
  /// not match are not evaluated, and no change makes another block match.
  package func blocks(of decisions: [Decision?]) -> Set<MatchID>? {
    var blocks: Set<MatchID> = []
    for decision in decisions {
      guard let decision, !decision.isByChance else { return nil }
      for one in decision.accesses { blocks.formUnion(engine.blocks(for: one.access)) }
    }
    return blocks
  }

  /// Returns the effect of a changed file on decisions.
  package func effect(of changed: ChangedRules, within budget: Budget = Budget()) -> EditEffect {
    if let spent = budget.openReason {
      return .unknown([DiffOpenReason(side: .old, openReason: spent)])
    }
    var comparison = RulesComparison(
      from: engine, to: changed.engine, sharing: attack, validation: validation, within: budget)
    comparison.changes = changed.changes
    return comparison.effect()
  }

  /// Returns the effect of a change on decisions.
  package func effect(of edit: RulesEdit, within budget: Budget = Budget()) -> EditEffect {
    if let spent = budget.openReason {
      return .unknown([DiffOpenReason(side: .old, openReason: spent)])
    }
    return applying(edit, within: budget).map { effect(of: $0, within: budget) } ?? .invalid
  }
}

/// Rules with a change. Confined to the thread of their judge.
package struct ChangedRules {
  /// The engine of the changed rules.
  package let engine: Engine
  /// The affected parts.
  let changes: RulesComparison.KnownChanges
  /// The blocks with a statement that may behave differently.
  private let blocks: Set<MatchID>

  fileprivate init(engine: Engine, changes: RulesComparison.KnownChanges) {
    (self.engine, self.changes) = (engine, changes)
    let rules = changes.file.rules
    blocks = Set(changes.statements.map { rules.ruleset[$0].match })
  }

  /// True if the change can affect decisions in which only statements of these blocks take part;
  /// nil for all blocks.
  package func mayMatter(to blocks: Set<MatchID>?) -> Bool {
    blocks.map { !$0.isDisjoint(with: self.blocks) } ?? true
  }
}

extension Engine {
  /// Returns the engine of the rules with a change in their text; nil if they do not compile.
  package func reading(_ edit: RulesEdit) -> Engine? {
    let source = edit.applied(to: rules.ruleset.source)
    return rules.checkAgain(source).checked.map { Engine($0, profile: profile) }
  }
}

extension Checked {
  /// Returns the rules with a change in their tree; nil if it can only be made in their text.
  func changed(by change: RulesEdit.Change) -> Checked? {
    // A longer text may exceed the size limit.
    if ruleset.source.bytes.count + 64 > Limits.documentedSourceBytes { return nil }
    switch change {
    case .statement(let edit): return changed(by: [edit])
    case .unconditional(let allow): return withoutCondition(allow)
    case .expression(let id, let rewriting, let place):
      return rewritten(id, to: rewriting, in: place)
    }
  }
}
