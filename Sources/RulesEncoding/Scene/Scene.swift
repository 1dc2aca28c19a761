package import RulesSolver

/// The axioms of one kind of request, whatever the rules are.
package struct Scene {
  /// The terms of the request.
  package let terms: ScenarioTerms
  /// A problem that contains the axioms and nothing else.
  package let problem: Problem

  /// Creates the terms of a kind of request and states its axioms.
  package init(_ scenario: Scenario) {
    var problem = Problem()
    terms = ScenarioTerms(of: scenario, in: &problem)
    self.problem = problem
  }
}
