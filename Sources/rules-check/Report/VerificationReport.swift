import RulesEval
import RulesLang
import RulesVerify

/// What `verify-proof` says: what each certificate claims of which rules, and whether it proves that.
struct VerificationReport {
  /// What came of each claim.
  let findings: [Verification.Finding]

  /// How many claims are refused.
  var refused: Int { findings.filter { $0.problem != nil }.count }

  /// The report for people; if quiet, only of what is refused.
  func text(isQuiet: Bool) -> String {
    var text = ""
    for finding in findings where !isQuiet || finding.problem != nil { text += self.text(finding) }
    if isQuiet, refused == 0 { return "" }
    return text + "\(findings.count - refused) verified, \(refused) refused\n"
  }

  private func text(_ finding: Verification.Finding) -> String {
    var text = ""
    if let problem = finding.problem {
      let place = Printable.text(finding.file) + ":\(problem.line)"
      text += "REFUSED\n  --> \(place): \(Printable.text(problem.message))\n"
    } else {
      text += "VERIFIED\n"
    }
    guard let entry = finding.entry else { return text }
    for (label, value) in Self.lines(entry.claim) { text += Self.line(label, value) }
    text += Self.line("rules", finding.rules ?? entry.rulesPath)
    text += Self.line("sha256", entry.rulesHash)
    text += Self.line("profile", entry.profile.rawValue)
    text += Self.line("name", entry.claim.name)
    if finding.problem == nil { text += Self.line("proof", "\(finding.steps) lines") }
    return text
  }

  private static func line(_ label: String, _ value: String) -> String {
    let gap = String(repeating: " ", count: max(1, 11 - label.count))
    return "  " + label + gap + Printable.text(value) + "\n"
  }

  /// What is claimed, each part with its label.
  private static func lines(_ claim: Claim) -> [(label: String, value: String)] {
    var lines = [
      ("path", claim.path.text),
      ("methods", claim.methods.methods.map { $0.word }.joined(separator: ", ")),
    ]
    if !claim.writes.isEmpty {
      lines.append(("writes", claim.writes.map { String($0.notation) }.joined(separator: ", ")))
    }
    if let given = claim.given { lines.append(("given", String(given.text))) }
    let condition = claim.obligation.condition.map { String($0.text) }
    lines.append((claim.obligation.word, condition ?? claim.obligation.meaning))
    return lines
  }

  /// The report for programs, schema `rules-check.verify-proof/1`.
  var json: JSONText {
    .object([
      ("schema", .string("rules-check.verify-proof/1")),
      ("certificates", .array(findings.map { Self.json($0) })),
    ])
  }

  private static func json(_ finding: Verification.Finding) -> JSONText {
    var members: [(String, JSONText)] = [
      ("file", .string(finding.file)), ("verified", .bool(finding.problem == nil)),
    ]
    if let entry = finding.entry {
      let claim = entry.claim
      members += [
        ("rules", .string(finding.rules ?? entry.rulesPath)), ("sha256", .string(entry.rulesHash)),
        ("profile", .string(entry.profile.rawValue)), ("path", .string(claim.path.text)),
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

extension Claim.Obligation {
  /// The word of certificates and of the command line.
  fileprivate var word: String {
    switch self {
    case .onlyIf: "only if"
    case .alwaysIf: "always if"
    case .never: "never"
    case .noErrors: "no errors"
    }
  }

  /// What is claimed where there is no condition.
  fileprivate var meaning: String {
    switch self {
    case .onlyIf, .alwaysIf: ""
    case .never: "nothing is allowed"
    case .noErrors: "no condition ends in an error"
    }
  }
}
