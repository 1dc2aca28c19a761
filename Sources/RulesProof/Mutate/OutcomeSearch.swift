import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesSolver

// A statement is tried if no earlier one grants. So a request for which it has some outcome
// distinguishes two versions of the rules that contain only these statements. The other writes of
// the commit are decided by all statements; a denied request can try a statement, too, whatever
// happens to these.

/// An outcome of a statement that is tried.
package enum StatementOutcome: Hashable, Sendable, CaseIterable {
  /// The statement grants.
  case granted
  /// The condition is false.
  case refused
  /// The condition ends in an error.
  case failed
}

/// Finds requests for which a statement has an outcome.
package struct OutcomeSearch {
  /// The engine of the rules.
  let engine: Engine
  private let order: [AllowID]
  private let attack: Attack

  /// Prepares for rules.
  package init(_ engine: Engine) {
    self.engine = engine
    attack = Attack(engine)
    let rules = engine.rules
    order = rules.blocksInOrder.flatMap { rules.ruleset[$0].allows }
  }

  /// Returns a request for which a statement has an outcome. `nothing` means that it is proved that
  /// there is none.
  package func request(
    for allow: AllowID, with outcome: StatementOutcome, within budget: Budget = Budget()
  ) -> EditEffect {
    if let spent = budget.openReason {
      return .unknown([DiffOpenReason(side: .old, openReason: spent)])
    }
    budget.charge(2 * engine.rules.ruleset.expressions.count)
    guard let place = order.firstIndex(of: allow) else { return .nothing }
    let earlier = Array(order[..<place])
    return request(for: allow, with: outcome, after: earlier, others: engine, within: budget)
  }

  // MARK: Other conditions

  /// A condition that replaces a statement's own.
  struct Question {
    /// The condition.
    var condition: Formula
    /// The edits of functions that it calls.
    var functions: [RulesEdit] = []
  }

  /// Returns a request for which a condition is true in place of the statement's own, `other` is not,
  /// and no earlier statement grants. `nothing` means that it is proved that there is none.
  func request(
    for allow: AllowID, asking question: Question, butNot other: Formula? = nil,
    within budget: Budget
  ) -> EditEffect {
    if let spent = budget.openReason {
      return .unknown([DiffOpenReason(side: .old, openReason: spent)])
    }
    let rules = engine.rules
    budget.charge(2 * rules.ruleset.expressions.count)
    guard let place = order.firstIndex(of: allow), rules.ruleset[allow].condition != nil
    else { return .invalid }
    let earlier = Array(order[..<place])
    func asking(_ formula: Formula) -> Overlay {
      let edits = question.functions + [.replaced(.condition(allow), formula)]
      return rules.keeping(earlier + [allow]).with(Overlay(Set(edits)), of: rules.ruleset)
    }
    // An error of `other` makes the conjunction an error, too.
    let first = other.map { asking(.and($0, question.condition)) }
    return effect(
      from: first ?? rules.keeping(earlier), to: asking(question.condition),
      others: .decided(by: engine), within: budget)
  }

  // MARK: The question

  /// Returns a request for which a statement has an outcome and earlier ones do not grant, with the
  /// other writes of the commit decided by other rules.
  private func request(
    for allow: AllowID, with outcome: StatementOutcome, after earlier: [AllowID], others: Engine,
    within budget: Budget
  ) -> EditEffect {
    let rules = engine.rules
    let condition = rules.ruleset[allow].condition.map { Formula.expression($0.root) }
    let before = rules.keeping(earlier)
    let asked = rules.keeping(earlier + [allow])
    guard let condition else {
      guard outcome == .granted else { return .nothing }
      return effect(from: before, to: asked, others: .decided(by: others), within: budget)
    }
    func asking(_ formula: Formula) -> Overlay {
      asked.with(Overlay([.replaced(.condition(allow), formula)]), of: rules.ruleset)
    }
    let (first, second) =
      switch outcome {
      case .granted: (before, asked)
      case .refused: (before, asking(.not(condition)))
      // Neither true nor false: an error.
      case .failed: (asking(.constant(true)), asking(.or(condition, .not(condition))))
      }
    let found = effect(from: first, to: second, others: .decided(by: others), within: budget)
    guard case .nothing = found, outcome != .granted, rules.looksAhead else { return found }
    return effect(from: first, to: second, others: .open, within: budget)
  }

  private func effect(
    from first: Overlay, to second: Overlay, others: OtherWrites, within budget: Budget
  ) -> EditEffect {
    guard let old = changed(first), let new = changed(second) else { return .invalid }
    return RulesComparison(
      from: ComparedRules(engine: old, others: others),
      to: ComparedRules(engine: new, others: others),
      sharing: attack, within: budget
    ).effect()
  }

  private func changed(_ overlay: Overlay) -> Engine? {
    engine.rules.changed(by: overlay).map { Engine($0, profile: engine.profile) }
  }
}
