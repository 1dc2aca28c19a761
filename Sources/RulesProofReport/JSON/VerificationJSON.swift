package import RulesEval
import RulesLang
import RulesReport
import RulesVerify

extension VerificationReport {
  /// The machine-readable report, schema `rules-check.verify-proof/1`.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the report.
  static let form = JSONForm<Self>(
    "The report of verify-proof.",
    [
      .schema("verify-proof"),
      .list("certificates", "The result of each claim.", of: finding) { $0.findings },
      .errors { $0.refusals },
    ])

  private static let finding = JSONForm<Finding>(
    "The result of a claim.",
    [
      .text("file", "The certificate.") { $0.file },
      .flag("verified", "True if the certificate proves the claim.") { $0.problem == nil },
      .text("rules?", "The rules of the certificate.") { finding in
        finding.entry.map { finding.rules ?? $0.rulesPath }
      },
    ] + entry.inside(optional: { $0.entry }) + [
      .count("line?", "The line of the certificate that is wrong.") { $0.problem?.line },
      .text("problem?", "The mistake in the certificate.") { $0.problem?.message },
      .count("lines?", "The number of steps that were checked.") {
        $0.problem == nil ? $0.steps : nil
      },
    ])

  private static let entry: [JSONMember<Certificate.Entry>] = [
    .text("sha256", "The hash of the rules.") { $0.rulesHash },
    .profile { $0.profile }, .database { $0.database },
    .text("path", "The path of the documents.") { $0.claim.path.text },
    .methods("The methods.") { $0.claim.methods },
    .texts("writes", "The fields that are written.", of: "A field.") {
      $0.claim.writes.map { String($0.notation) }
    },
    .textOrNull("given", "The condition that every request in scope meets.") {
      $0.claim.given.map { String($0.text) }
    },
    .text("obligation", "The kind of claim, by its key in suites.") { $0.claim.obligation.key },
    .textOrNull("condition", "The condition that is claimed.") {
      $0.claim.obligation.condition.map { String($0.text) }
    },
    .text("name", "The name of the claim.") { $0.claim.name },
  ]
}
