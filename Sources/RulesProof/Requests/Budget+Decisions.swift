package import RulesEval
import RulesLang
package import RulesSolver

extension Budget {
  /// Charges for a decision of the evaluator; nil if it could not decide.
  package func charge(for decision: Decision?) {
    let expressions = decision?.accesses.reduce(0) { $0 + $1.expressions } ?? 0
    charge(SearchStrategy.stepsOfRequest * (1 + expressions))
  }

  /// Charges for a request decided outside of a query, including the matching of all blocks.
  package func charge(for decision: Decision?, by engine: Engine) {
    charge(for: decision)
    charge(2 * engine.rules.matches.count)
  }
}
