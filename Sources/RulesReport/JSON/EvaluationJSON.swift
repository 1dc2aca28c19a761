package import RulesEval
import RulesLang

extension ExpressionEvaluator.Result {
  /// The result of an expression in machine-readable form: its value, its error, or the reason why it does
  /// not compile.
  package var json: JSONText {
    switch self {
    case .value(let value): JSONText(value)
    case .error(let error, let source): Self.error.json((error, source))
    case .rejected(let diagnostics, _): Self.rejection.json(diagnostics)
    }
  }

  /// The schema of a line of `eval`.
  package static var schema: JSONText {
    JSONSchema.either("The answer of eval.", [value.schema, error.schema, rejection.schema])
  }

  private static let value = JSONForm<Value>(
    schema: JSONForm<(type: String, value: JSONText)>(
      "A value.",
      [
        .text("type", "The type of the value.") { $0.type },
        JSONMember(
          "value", .object([("description", .string("The value, as its type is written."))])
        ) { $0.value },
      ]
    ).schema
  ) { JSONText($0) }

  private static let error = JSONForm<(EvaluationError, SourceText)>(
    "An error.",
    [.textOrNull("error", "The engine's message.") { error, _ in error.reason.message }],
    .place { $1.position(of: $0.site.start) })

  private static let rejection = JSONForm<[Diagnostic]>(
    "The report of an expression that does not compile.",
    [
      .text("compileError", "The compile error.") { diagnostics in
        diagnostics.filter { $0.severity == .error }.map { $0.message }.joined(separator: "; ")
      }
    ])
}
