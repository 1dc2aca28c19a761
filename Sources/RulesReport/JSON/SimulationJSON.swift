package import RulesEval
import RulesLang

extension SimulationReport {
  /// The machine-readable report, schema `rules-check.simulate/1`.
  package var json: JSONText {
    let members: [(String, JSONText)] = [
      ("schema", .string("rules-check.simulate/1")),
      ("decision", .string(decision.isAllowed ? "allow" : "deny")),
      ("as", test.principalName.map { .string($0) } ?? .null),
      ("method", .string(decision.verb(test))), ("path", .string(test.path)),
      ("database", .string(String(rules.database.text))),
    ]
    return .object(members + DecisionJSON(rules).members(decision))
  }
}
