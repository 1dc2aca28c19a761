import RulesEval
import RulesLang

/// An error or warning of the compiler about uploaded rules.
struct RulesIssue: Sendable {
  /// The name of the file; nil if it has none.
  var file: String?
  /// The line, counted from 1; 0 for an issue of the whole file.
  var line = 0
  /// The column, counted from 1; 0 for an issue of the whole file.
  var column = 0
  /// The number of characters before the first character of the place.
  var first = 0
  /// The number of characters before the last character of the place.
  var last = 0
  /// The official words.
  var description: String
  /// True if the rules cannot be used because of the issue.
  var isError: Bool

  /// Creates the issue of a diagnostic in a text.
  init(_ diagnostic: Diagnostic, in source: SourceText, file: String?) {
    self.file = file
    description = diagnostic.message
    isError = diagnostic.severity == .error
    guard let range = diagnostic.range else { return }
    let position = source.position(of: range.start)
    line = position.line
    column = position.column
    first = source.characterOffset(of: range.start)
    last = max(first, source.characterOffset(of: range.end) - 1)
  }

  /// The line in a refusal of rules, such as `L1:58 Unexpected '}'.`
  var text: String { "L\(line):\(column) \(description)" }

  /// The issue as JSON in the answer to an upload. Zeros are left out, as in proto3 JSON.
  var json: JSONText {
    var place: [(String, JSONText)] = []
    if line > 0 {
      if let file { place.append(("fileName", .string(file))) }
      place.append(("line", .int(line)))
      place.append(("column", .int(column)))
      if first > 0 { place.append(("currentOffset", .int(first))) }
      if last > 0 { place.append(("endOffset", .int(last))) }
    }
    return .object([
      ("sourcePosition", .object(place)), ("description", .string(description)),
      ("severity", .string(isError ? "ERROR" : "WARNING")),
    ])
  }
}
