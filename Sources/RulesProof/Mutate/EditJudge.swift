import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesSolver

// Effects of mutants. Analyses of the unchanged parts are shared between all mutants of a file.
//
// Sound in both directions: "nothing" is reported only if a comparison proves the mutant equivalent,
// "something" only with a request that both evaluators decided differently (`RulesComparison`).

/// Judges the effects of single edits of one rules file. Not thread-safe.
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

  /// Applies an edit and charges the budget; nil if the rules would exceed a limit of nesting.
  package func applying(_ mutation: Mutation, within budget: Budget = Budget()) -> ChangedRules? {
    budget.charge(engine.rules.ruleset.expressions.count)
    let overlay = Overlay([mutation.edit])
    return engine.rules.changed(by: overlay).map {
      let statements = shared.statements(touchedBy: overlay.edits)
      return ChangedRules(
        engine: Engine($0, profile: engine.profile), overlay: overlay,
        blocks: Set(statements.map { engine.rules.ruleset[$0].match }))
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
    comparison.shared = shared
    comparison.edits = (shared.edits(.none), shared.edits(changed.overlay))
    return comparison.effect()
  }

  /// Returns the effect of a mutation on decisions.
  package func effect(of mutation: Mutation, within budget: Budget = Budget()) -> EditEffect {
    if let spent = budget.openReason {
      return .unknown([DiffOpenReason(side: .old, openReason: spent)])
    }
    return applying(mutation, within: budget).map { effect(of: $0, within: budget) } ?? .invalid
  }
}

/// Rules with an edit. Confined to the thread of their judge.
package struct ChangedRules {
  /// The engine of the changed rules.
  package let engine: Engine
  /// The edit.
  fileprivate let overlay: Overlay
  /// The blocks with a statement that may behave differently.
  fileprivate let blocks: Set<MatchID>

  /// True if the change can affect decisions in which only statements of these blocks take part;
  /// nil for all blocks.
  package func mayMatter(to blocks: Set<MatchID>?) -> Bool {
    blocks.map { !$0.isDisjoint(with: self.blocks) } ?? true
  }
}

extension Engine {
  /// Returns the engine of a mutation's text; nil if it does not compile. Tests and campaigns compare it with
  /// the edit.
  package func reading(_ mutation: Mutation) -> Engine? {
    rules.checkAgain(mutation.applied(to: rules.ruleset.source)).checked.map {
      Engine($0, profile: profile)
    }
  }
}
