import RulesEncoding
package import RulesEval
import RulesLang
package import RulesSolver

extension Engine {
  /// What a change to the rules does. Changes of one file may share the requests of an attack.
  package func effect(
    of edit: RulesEdit, sharing attack: Attack? = nil, scrutiny: Scrutiny = Scrutiny(),
    within budget: Budget = Budget()
  ) -> EditEffect {
    if let spent = budget.doubt { return .unknown([DiffDoubt(side: .old, doubt: spent)]) }
    budget.charge(Checked.steps(toCheck: rules.ruleset.source))
    guard let changed = applying(edit) else { return .invalid }
    return effect(of: changed, sharing: attack, scrutiny: scrutiny, within: budget)
  }

  /// The same of a change that is made already.
  package func effect(
    of changed: Engine, sharing attack: Attack? = nil, scrutiny: Scrutiny = Scrutiny(),
    within budget: Budget = Budget()
  ) -> EditEffect {
    RulesComparison(from: self, to: changed, sharing: attack, scrutiny: scrutiny, within: budget)
      .effect()
  }

  /// The engine of the rules with a change made; nil if they do not compile then.
  package func applying(_ edit: RulesEdit) -> Engine? {
    let source = edit.applied(to: rules.ruleset.source)
    return Checker.check(source, profile: profile).checked.map { Engine($0, profile: profile) }
  }
}
