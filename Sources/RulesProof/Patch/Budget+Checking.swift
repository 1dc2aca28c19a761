package import RulesLang
package import RulesSolver

extension Budget {
  /// Counts that a text like that of some rules is read and checked.
  package func chargeChecking(_ rules: Checked) {
    charge(Checked.steps(toCheck: rules.ruleset.source))
  }
}

extension Checked {
  /// About as many steps as it takes to read and check a text.
  static func steps(toCheck source: SourceText) -> Int { 8 * source.bytes.count }
}
