import RulesEval
import RulesLang
package import RulesProof

/// A finding of an audit: from its answers, or a warning of `check`.
package struct AuditFinding: Sendable {
  /// The severity.
  package var weight: AccessFinding.Weight
  /// The path of the documents; nil for a finding about a line of the rules.
  package var path: String?
  /// The line of a warning of `check`.
  package var line: Int?
  /// Further lines with the same warning.
  package var otherLines: [Int] = []
  /// The codes of the findings of `check` about the same statement, or of this one.
  package var codes: [String] = []
  /// The message, a sentence.
  package var message: String
  /// A request that demonstrates it.
  package var witness: Counterexample?

  /// The documents or the line, for the beginning of a sentence.
  var place: String {
    if let path { return path }
    guard let line else { return "the rules" }
    let words = ([line] + otherLines).map { "\($0)" }
    if words.count == 1 { return "line \(line)" }
    return "lines " + words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
  }

  /// The message followed by the codes.
  var sentence: String {
    codes.isEmpty ? message : message + " [" + codes.joined(separator: ", ") + "]"
  }
}

extension AuditReport {
  /// The findings that make the exit code 1.
  package enum Failure: String, CaseIterable, Sendable {
    case alarm, caution, none
  }

  /// The findings of the audit and the warnings of `check`, the gravest first.
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
        add(lint, to: &others)
      }
    }
    found += others
    return [.alarm, .caution, .note].flatMap { weight in found.filter { $0.weight == weight } }
  }

  /// Adds a warning of `check` as a caution; equal warnings become one with several lines.
  private func add(_ warning: Diagnostic, to found: inout [AuditFinding]) {
    let line = warning.range.map { rules.source.line(of: $0.start) }
    var message = warning.message
    // The words of Google's compiler need an explanation.
    if warning.origin == .compile, let note = warning.notes.first { message += " (\(note))" }
    let codes = [warning.code.name]
    guard let place = found.firstIndex(where: { $0.message == message && $0.codes == codes }),
      let first = found[place].line, let line
    else {
      found.append(AuditFinding(weight: .caution, line: line, codes: codes, message: message))
      return
    }
    if line != first, !found[place].otherLines.contains(line) {
      found[place].otherLines.append(line)
    }
  }

  /// Lints about statements that are too open, which the audit's answers show by a request.
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

  /// True if something was found that counts as a failure. Alarms count only with a request that demonstrates
  /// them.
  package func isFailure(_ failure: Failure) -> Bool {
    let opens = matrix.escalations.contains { $0.level == .alarm }
    return switch failure {
    case .none: false
    case .alarm: opens || findings.contains { $0.weight == .alarm && $0.witness != nil }
    case .caution: opens || findings.contains { $0.weight >= .caution }
    }
  }
}
