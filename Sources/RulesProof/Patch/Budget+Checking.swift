package import RulesLang
package import RulesSolver

extension Budget {
  /// Charges for parsing and checking a text of the rules' size.
  package func chargeChecking(_ rules: Checked) {
    charge(Checked.steps(toCheck: rules.ruleset.source))
  }
}

extension Checked {
  /// Returns the approximate steps for parsing and checking a text.
  static func steps(toCheck source: SourceText) -> Int { 8 * source.bytes.count }
}
