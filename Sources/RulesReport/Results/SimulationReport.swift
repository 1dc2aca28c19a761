package import RulesEval
package import RulesLang

/// What the rules say to one request.
package struct SimulationReport: Sendable {
  /// What was asked.
  package var test: Test
  /// What came of it.
  package var decision: Decision
  /// The rules.
  package var rules: Checked

  /// The decision of rules on a request.
  package init(test: Test, decision: Decision, rules: Checked) {
    self.test = test
    self.decision = decision
    self.rules = rules
  }
}
