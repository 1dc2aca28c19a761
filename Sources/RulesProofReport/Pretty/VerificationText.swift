import RulesEval
import RulesLang
import RulesVerify

/// The report of `verify-proof` as text.
package struct VerificationText {
  private let isQuiet: Bool

  /// Creates a report; when quiet it has only refused certificates.
  package init(isQuiet: Bool) { self.isQuiet = isQuiet }

  /// Returns the claims of each certificate, and the number that is verified.
  package func render(_ report: VerificationReport) -> String {
    var text = ""
    for finding in report.findings where !isQuiet || finding.problem != nil {
      text += render(finding)
    }
    if isQuiet, report.refused == 0 { return "" }
    return text + "\(report.findings.count - report.refused) verified, \(report.refused) refused\n"
  }

  private func render(_ finding: VerificationReport.Finding) -> String {
    var text = ""
    if let problem = finding.problem {
      let place = Printable.text(finding.file) + ":\(problem.line)"
      text += "REFUSED\n  --> \(place): \(Printable.text(problem.message))\n"
    } else {
      text += "VERIFIED\n"
    }
    guard let entry = finding.entry else { return text }
    for (label, value) in Self.lines(entry.claim) { text += Self.line(label, value: value) }
    text += Self.line("rules", value: finding.rules ?? entry.rulesPath)
    text += Self.line("sha256", value: entry.rulesHash)
    text += Self.line("profile", value: entry.profile.rawValue)
    text += Self.line("database", value: String(entry.database.text))
    text += Self.line("name", value: entry.claim.name)
    if finding.problem == nil { text += Self.line("proof", value: "\(finding.steps) lines") }
    return text
  }

  private static func line(_ label: String, value: String) -> String {
    let gap = String(repeating: " ", count: max(1, 11 - label.count))
    return "  " + label + gap + Printable.text(value) + "\n"
  }

  /// Returns the parts of a claim, each with its label.
  private static func lines(_ claim: Claim) -> [(label: String, value: String)] {
    var lines: [(label: String, value: String)] = [
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
}

extension Claim.Obligation {
  /// The word in certificates and on the command line.
  fileprivate var word: String {
    switch self {
    case .onlyIf: "only if"
    case .alwaysIf: "always if"
    case .never: "never"
    case .noErrors: "no errors"
    }
  }

  /// The meaning of the obligation, for claims without a condition.
  fileprivate var meaning: String {
    switch self {
    case .onlyIf, .alwaysIf: ""
    case .never: "nothing is allowed"
    case .noErrors: "no condition ends in an error"
    }
  }
}
