package import RulesEval
package import RulesLang

/// The decision of the rules on one request.
package struct SimulationReport: Sendable {
  /// The request.
  package var test: Test
  /// The decision.
  package var decision: Decision
  /// The rules.
  package var rules: Checked

  /// Creates the report of a decision.
  package init(test: Test, decision: Decision, rules: Checked) {
    self.test = test
    self.decision = decision
    self.rules = rules
  }
}
