package import RulesEval
import RulesLang
import RulesReport
import RulesVerify

extension VerificationReport {
  /// The machine-readable report, schema `rules-check.verify-proof/1`.
  package var json: JSONText {
    .object(
      [
        ("schema", .string("rules-check.verify-proof/1")),
        ("certificates", .array(findings.map { Self.json($0) })),
      ] + refusals.errorMembers)
  }

  private static func json(_ finding: Finding) -> JSONText {
    var members: [(String, JSONText)] = [
      ("file", .string(finding.file)), ("verified", .bool(finding.problem == nil)),
    ]
    if let entry = finding.entry {
      let claim = entry.claim
      members += [
        ("rules", .string(finding.rules ?? entry.rulesPath)), ("sha256", .string(entry.rulesHash)),
        ("profile", .string(entry.profile.rawValue)),
        ("database", .string(String(entry.database.text))), ("path", .string(claim.path.text)),
        ("methods", .array(claim.methods.methods.map { .string($0.word) })),
        ("writes", .array(claim.writes.map { .string(String($0.notation)) })),
        ("given", claim.given.map { .string(String($0.text)) } ?? .null),
        ("obligation", .string(claim.obligation.key)),
        ("condition", claim.obligation.condition.map { .string(String($0.text)) } ?? .null),
        ("name", .string(claim.name)),
      ]
    }
    if let problem = finding.problem {
      members += [("line", .int(problem.line)), ("problem", .string(problem.message))]
    } else {
      members.append(("lines", .int(finding.steps)))
    }
    return .object(members)
  }
}
