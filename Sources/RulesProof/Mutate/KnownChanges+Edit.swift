import RulesEncoding
import RulesLang

// What a change of a mutation makes different, for who compares the file with it.

extension SharedComparison {
  /// What a change makes different in a version of the file that is made in its tree.
  func changes(by change: RulesEdit.Change) -> RulesComparison.KnownChanges {
    RulesComparison.KnownChanges(
      statements: statements(changedBy: change), file: self, parts: parts(changedBy: change))
  }

  /// The statements that a change of the file can make another program of, in order.
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
    // Keys that are not told apart from others would say less.
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
