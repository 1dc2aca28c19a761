package import RulesEval
import RulesLang
package import RulesSolver

extension Budget {
  /// Steps of the evaluator for a request, and for each evaluated expression.
  private static let decision = 1000
  private static let expression = 60

  /// Charges for a decision of the evaluator; nil if it could not decide.
  package func charge(for decision: Decision?) {
    guard let decision else { return charge(Self.decision) }
    let expressions = decision.accesses.reduce(0) { $0 + $1.expressions }
    charge(Self.decision + Self.expression * expressions)
  }

  /// Charges for a request decided outside of a query, including the matching of all blocks.
  package func charge(for decision: Decision?, by engine: Engine) {
    charge(for: decision)
    charge(2 * engine.rules.matches.count)
  }
}
