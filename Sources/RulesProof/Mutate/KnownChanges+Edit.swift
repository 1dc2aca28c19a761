import RulesEncoding
import RulesLang

// The parts of a file that a mutation affects, for comparisons.

extension SharedComparison {
  /// Returns the parts that a change made in the tree affects.
  func changes(by change: RulesEdit.Change) -> RulesComparison.KnownChanges {
    RulesComparison.KnownChanges(
      statements: statements(changedBy: change), file: self, parts: parts(changedBy: change))
  }

  /// Returns the statements whose behaviour a change can affect, in order.
  func statements(changedBy change: RulesEdit.Change) -> [AllowID] {
    switch change {
    case .statement(let edit): statements(touchedBy: [edit])
    case .unconditional(let allow): [allow]
    case .expression(let id, _, _): statements(with: id)
    }
  }

  private func parts(changedBy change: RulesEdit.Change) -> ChangedParts? {
    switch change {
    case .statement(.methods): nil
    // New strings may be keys, which the shared encoding would not distinguish.
    case .expression(_, .literal(.string), _): nil
    case .statement(let edit): parts(changedBy: [edit])
    case .unconditional(let allow): parts(with: rules.ruleset[allow].condition)
    case .expression(_, _, let place): parts(with: rules.ruleset.body(at: place))
    }
  }

  private func parts(with body: Body?) -> ChangedParts {
    parts(with: [body?.root].compactMap { $0 })
  }
}
