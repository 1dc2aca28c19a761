package import RulesEval
import RulesLang

extension SimulationReport {
  /// The machine-readable report, schema `rules-check.simulate/1`.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the report.
  package static let form = JSONForm<Self>(
    "The decision of the rules.",
    [
      .schema("simulate"),
      .word("decision", "The decision.", among: ["allow", "deny"]) {
        $0.decision.isAllowed ? "allow" : "deny"
      },
      .client { $0.test.principalName },
      .text("method", "The operation.") { $0.decision.verb($0.test) },
      .text("path", "The path.") { $0.test.path },
      .database { $0.rules.database },
    ], DecisionJSON.members.inside { DecisionJSON($0.decision, of: $0.rules) })
}
