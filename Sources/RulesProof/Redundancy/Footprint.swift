import RulesEval
import RulesLang

/// What an evaluator looks at of rules when it decides a request.
///
/// Two versions of the rules say the same to it if they differ in nothing that it looks at in one of them:
/// up to the first such place both evaluations are one.
struct Footprint {
  private var statements: Set<AllowID> = []
  private var expressions: Set<ExprID> = []

  /// What a decision looked at that carries its traces.
  init(of decision: Decision) {
    for tried in decision.tried {
      statements.insert(tried.allow)
      for event in tried.trace?.events ?? [] { expressions.insert(event.expression) }
    }
  }

  /// Whether a change to the rules can change the decision.
  func isTouched(by edit: TreeEdit, in rules: Ruleset) -> Bool {
    switch edit {
    case .constant(let id, _), .branch(let id, _):
      expressions.contains(id) || expressions.contains(rules.unparenthesized(id))
    case .condition(let allow, _): statements.contains(allow)
    // Who is asked for another method was perhaps not tried.
    case .methods: true
    }
  }
}
