package import RulesSolver

/// What is true of every request of one kind, whatever the rules are.
package struct Scene {
  /// The terms.
  package let terms: ScenarioTerms
  /// What is stated of them.
  package let problem: Problem

  /// States it.
  package init(_ scenario: Scenario) {
    var problem = Problem()
    terms = ScenarioTerms(of: scenario, in: &problem)
    self.problem = problem
  }
}
