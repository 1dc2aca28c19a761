package import RulesEval
import RulesLang
package import RulesSolver

extension Budget {
  /// The evaluator needs about so many steps for a request and for each of its expressions.
  private static let decision = 1000
  private static let expression = 60

  /// Counts that the evaluator has decided a request, or could not.
  package func charge(for decision: Decision?) {
    guard let decision else { return charge(Self.decision) }
    let expressions = decision.accesses.reduce(0) { $0 + $1.expressions }
    charge(Self.decision + Self.expression * expressions)
  }

  /// The same of a request that was read and decided outside of a question; each block of the rules was
  /// looked at.
  package func charge(for decision: Decision?, by engine: Engine) {
    charge(for: decision)
    charge(2 * engine.rules.matches.count)
  }
}
