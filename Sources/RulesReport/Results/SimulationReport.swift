public import RulesEval
public import RulesLang

/// What the rules say to one request.
public struct SimulationReport: Sendable {
  /// What was asked.
  public var test: Test
  /// What came of it.
  public var decision: Decision
  /// The rules.
  public var rules: Checked

  /// The decision of rules on a request.
  public init(test: Test, decision: Decision, rules: Checked) {
    self.test = test
    self.decision = decision
    self.rules = rules
  }
}
