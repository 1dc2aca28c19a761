import RulesEval
import RulesLang
package import RulesProof

/// A finding of an audit: something that the answers show, or that `check` warns of.
package struct AuditFinding: Sendable {
  /// How much it matters.
  package var weight: AccessFinding.Weight
  /// The documents; nil if it is about a line of the rules.
  package var path: String?
  /// The line of what `check` warns of.
  package var line: Int?
  /// The codes of what `check` says of the same statement, or of this.
  package var codes: [String] = []
  /// The sentence.
  package var message: String
  /// A request that shows it.
  package var witness: Counterexample?

  /// The documents or the line, for the beginning of a sentence.
  var place: String { path ?? line.map { "line \($0)" } ?? "the rules" }

  /// The sentence with the codes behind it.
  var sentence: String {
    codes.isEmpty ? message : message + " [" + codes.joined(separator: ", ") + "]"
  }
}

extension AuditReport {
  /// The findings that make the exit code 1.
  package enum Failure: String, CaseIterable, Sendable {
    case alarm, caution, none
  }

  /// What stands out, the gravest first: what the answers show, and what `check` warns of.
  package var findings: [AuditFinding] {
    var found = matrix.findings.map {
      AuditFinding(
        weight: $0.weight, path: $0.path.text, message: $0.message, witness: $0.witness)
    }
    var others: [AuditFinding] = []
    if let field, !matrix.isFieldNamed {
      others.append(
        AuditFinding(weight: .note, message: "no statement names the field \(field)"))
    }
    for lint in warnings {
      let place = found.firstIndex { finding in
        finding.weight > .note && Self.openness.contains(lint.code.name)
          && finding.witness?.allow.map { isAbout(lint, $0) } ?? false
      }
      if let place {
        if !found[place].codes.contains(lint.code.name) {
          found[place].codes.append(lint.code.name)
        }
      } else {
        others.append(
          AuditFinding(
            weight: .caution, line: lint.range.map { rules.source.line(of: $0.start) },
            codes: [lint.code.name], message: lint.message))
      }
    }
    found += others
    return [.alarm, .caution, .note].flatMap { weight in found.filter { $0.weight == weight } }
  }

  /// Lints that say of a statement what the answers show by a request.
  private static let openness: Set<String> = [
    "open-wildcard", "test-mode", "open-write", "open-create", "open-read", "any-user-write",
    "any-user-read", "unauthenticated-write", "owner-from-request",
  ]

  private func isAbout(_ lint: Diagnostic, _ allow: AllowID) -> Bool {
    guard let range = lint.range else { return false }
    let start = rules[allow].keyword.start
    let end = rules[allow].condition.map { rules[$0.root].range.end } ?? rules[allow].keyword.end
    return start <= range.start && range.start <= end
  }

  /// True if something was found that is a failure. An alarm is one if a request shows it.
  package func isFailure(_ failure: Failure) -> Bool {
    let opens = matrix.escalations.contains { $0.level == .alarm }
    return switch failure {
    case .none: false
    case .alarm: opens || findings.contains { $0.weight == .alarm && $0.witness != nil }
    case .caution: opens || findings.contains { $0.weight >= .caution }
    }
  }
}
