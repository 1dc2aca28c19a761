import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesSolver

// Most changes are made in the tree, so that nothing is read again, and what is the same in all versions of a
// file is found out once.

/// What changes of one rules file do, each by itself; for one thread.
package final class EditJudge {
  /// Decides by the file.
  package let engine: Engine
  private let attack: Attack
  private let scrutiny: Scrutiny
  private let shared: SharedComparison

  /// So many propositions are kept: changes are judged in the order of the file, so that what was asked
  /// before is seldom asked again.
  private static let greatestSize = 200_000

  /// Takes a file, and what pays for what is found out once about it.
  package init(
    _ engine: Engine, scrutiny: Scrutiny = Scrutiny(), within budget: Budget = Budget()
  ) {
    self.engine = engine
    self.scrutiny = scrutiny
    attack = Attack(engine)
    shared = SharedComparison(engine.rules, within: budget, keeping: Self.greatestSize)
  }

  /// The rules with a change made; nil if they do not compile then. The budget counts what it takes.
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
      // What is read anew has numbers of its own.
      ChangedRules(
        engine: $0,
        changes: RulesComparison.KnownChanges(
          statements: statements, file: shared, parts: nil))
    }
  }

  /// The blocks of all statements that can have had a part in some decisions of the file; nil for all, where
  /// one of them was not made or is one of several that can be.
  ///
  /// What is changed elsewhere changes none of them: up to the first access that is refused, blocks that do
  /// not fit are never looked into, and no change makes another block fit.
  package func blocks(of decisions: [Decision?]) -> Set<MatchID>? {
    var blocks: Set<MatchID> = []
    for decision in decisions {
      guard let decision, !decision.isByChance else { return nil }
      for one in decision.accesses { blocks.formUnion(engine.blocks(for: one.access)) }
    }
    return blocks
  }

  /// What a change does to decisions.
  package func effect(of changed: ChangedRules, within budget: Budget = Budget()) -> EditEffect {
    if let spent = budget.doubt { return .unknown([DiffDoubt(side: .old, doubt: spent)]) }
    var comparison = RulesComparison(
      from: engine, to: changed.engine, sharing: attack, scrutiny: scrutiny, within: budget)
    comparison.changes = changed.changes
    return comparison.effect()
  }

  /// The same of a change that is not made yet.
  package func effect(of edit: RulesEdit, within budget: Budget = Budget()) -> EditEffect {
    if let spent = budget.doubt { return .unknown([DiffDoubt(side: .old, doubt: spent)]) }
    return applying(edit, within: budget).map { effect(of: $0, within: budget) } ?? .invalid
  }
}

/// Rules with a change, for the thread of who judges it.
package struct ChangedRules {
  /// Decides by them.
  package let engine: Engine
  /// What is changed.
  let changes: RulesComparison.KnownChanges
  /// The blocks in which a statement can have become another program.
  private let blocks: Set<MatchID>

  fileprivate init(engine: Engine, changes: RulesComparison.KnownChanges) {
    (self.engine, self.changes) = (engine, changes)
    let rules = changes.file.rules
    blocks = Set(changes.statements.map { rules.ruleset[$0].match })
  }

  /// Whether the change can make a difference to decisions in which statements of some blocks have a part;
  /// nil for all blocks.
  package func mayMatter(to blocks: Set<MatchID>?) -> Bool {
    blocks.map { !$0.isDisjoint(with: self.blocks) } ?? true
  }
}

extension Engine {
  /// The engine of the rules with a change made to their text; nil if they do not compile then.
  package func reading(_ edit: RulesEdit) -> Engine? {
    let source = edit.applied(to: rules.ruleset.source)
    return rules.checkAgain(source).checked.map { Engine($0, profile: profile) }
  }
}

extension Checked {
  /// The rules with a change made in their tree; nil if it can only be made in their text.
  func changed(by change: RulesEdit.Change) -> Checked? {
    // A text that becomes longer may become too long.
    if ruleset.source.bytes.count + 64 > Limits.documentedSourceBytes { return nil }
    switch change {
    case .statement(let edit): return changed(by: [edit])
    case .unconditional(let allow): return withoutCondition(allow)
    case .expression(let id, let rewriting, let place):
      return rewritten(id, to: rewriting, in: place)
    }
  }
}
