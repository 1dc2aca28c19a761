import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// Measures the cost of requests of one class on two versions of rules.
struct CostMeters {
  private let allowing: (rules: ComparedRules, meter: CostMeter)
  private let refusing: (rules: ComparedRules, meter: CostMeter)

  /// Compiles both versions for the request class.
  init(
    _ allowing: ComparedRules, _ refusing: ComparedRules, for scenario: Scenario, except: [[Text?]]
  ) {
    func meter(_ rules: ComparedRules) -> (ComparedRules, CostMeter) {
      let checked = rules.engine.rules
      let meter = CostMeter(rules.engine) { allow in
        let block = checked.ruleset[allow].match
        return rules.decideAll && scenario.method.isWrite
          || scenario.mayFit(checked.matches[block.index], except: except)
      }
      return (rules, meter)
    }
    self.allowing = meter(allowing)
    self.refusing = meter(refusing)
  }

  /// The costs of a request on both versions; nil if they cannot be determined.
  func prices(of draft: Draft, within budget: Budget) -> CostSearch.Prices? {
    prices(of: draft.request, on: draft.documents, about: draft.path, within: budget)
  }

  /// The costs of a request about the document at a path; nil if they cannot be determined.
  func prices(
    of request: Request, on documents: Documents, about path: DocumentPath, within budget: Budget
  ) -> CostSearch.Prices? {
    let prepared = try? PreparedRequest(
      request, on: documents, in: allowing.rules.engine.rules.database,
      profile: allowing.rules.engine.profile)
    guard let prepared else { return nil }
    func price(_ one: (rules: ComparedRules, meter: CostMeter)) -> Price? {
      let asked = one.rules.decideAll ? prepared : prepared.only(path)
      let price = one.meter.price(of: asked, about: path)
      budget.charge(500 + 4 * (price?.expressions ?? 0))
      return price
    }
    guard let one = price(allowing), let other = price(refusing) else { return nil }
    return CostSearch.Prices(allowing: one, refusing: other)
  }
}
