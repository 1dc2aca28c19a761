import RulesEval
import RulesLang
import RulesService

/// Encodes diagnostics as the protocol's JSON.
struct DiagnosticCoder {
  /// The text of the diagnostics.
  let document: TextDocument
  /// The abilities of the editor.
  let client: ClientAbilities

  private var coder: LanguageCoder { LanguageCoder(document: document) }

  /// Encodes diagnostics in their order.
  func list(_ diagnostics: [Diagnostic]) -> JSONText { .array(diagnostics.map { json($0) }) }

  /// Encodes one diagnostic; one of the whole file is placed at its beginning.
  func json(_ diagnostic: Diagnostic) -> JSONText {
    var message = diagnostic.message
    for note in diagnostic.notes { message += "\nnote: " + note }
    if let help = diagnostic.help { message += "\nhelp: " + help }
    let place = diagnostic.range ?? SourceRange(start: UInt32(0), end: 0)
    var members: [(String, JSONText)] = [
      ("range", coder.range(place)), ("severity", .int(severity(diagnostic.severity))),
      ("code", .string(diagnostic.code.name)), ("source", .string("rules-check")),
      ("message", .string(message)),
    ]
    if Self.unnecessary.contains(diagnostic.code.name) {
      members.append(("tags", .array([.int(1)])))
    }
    if client.hasRelatedPlaces, !diagnostic.related.isEmpty {
      let related = diagnostic.related.map { label in
        JSONText.object([
          ("location", coder.location(label.range)), ("message", .string(label.text)),
        ])
      }
      members.append(("relatedInformation", .array(related)))
    }
    return .object(members)
  }

  /// Codes that editors show faded.
  private static let unnecessary: Set<String> = [
    "unused-function", "unused-variable", "unused-capture", "dead-allow", "covered-allow",
    "redundant-condition", "redundant-guard", "redundant-parameter",
  ]

  private func severity(_ severity: Diagnostic.Severity) -> Int {
    switch severity {
    case .error: 1
    case .warning: 2
    case .info: 3
    }
  }
}
