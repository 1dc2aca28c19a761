package import RulesEval
import RulesLang

extension ExpressionEvaluator.Result {
  /// The result of an expression in machine-readable form: its value, its error, or the reason why it does
  /// not compile.
  package var json: JSONText {
    switch self {
    case .value(let value): return JSONText(value)
    case .error(let error, let source):
      let place = source.position(of: error.site.start)
      return .object([
        ("error", error.reason.message.map { .string($0) } ?? .null),
        ("line", .int(place.line)), ("column", .int(place.column)),
      ])
    case .rejected(let diagnostics, _):
      let messages = diagnostics.filter { $0.severity == .error }.map { $0.message }
      return .object([("compileError", .string(messages.joined(separator: "; ")))])
    }
  }
}
