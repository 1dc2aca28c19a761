package import RulesEval
import RulesLang

extension ReplayedRequest {
  /// The request's line in the machine-readable report.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the line.
  package static let form = JSONForm<Self>(
    "The decision of the rules on a request.",
    [
      .count("request", "The line of the log.") { $0.line },
      .word("decision", "The decision.", among: decisions) { $0.verdict.word },
      .count("line?", "The line of the statement that granted.") {
        if case .allow(let line) = $0.verdict { line } else { nil }
      },
      .text("problem?", "Why the request is undecided.") {
        if case .undecided(let reason) = $0.verdict { reason } else { nil }
      },
      .word("before?", "The decision of the older rules.", among: decisions) { $0.before?.word },
      .client { $0.principalName.map { String($0) } },
      .text("method", "The method.") { $0.method.word },
      .text("path", "The path.") { String($0.path) },
    ])

  private static let decisions = ["allow", "deny", "undecided"]
}
