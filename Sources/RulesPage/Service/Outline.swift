import RulesEval
import RulesLang

/// The blocks and functions of a rules text, for completion and navigation; of a text that does not compile,
/// those that could be parsed.
struct Outline {
  private let rules: Ruleset

  /// Creates the outline of rules.
  init(of rules: Ruleset) { self.rules = rules }

  /// `{"report": {"matches": [{"pattern", "line", "offset", "endOffset"}], "functions": [{"name", …}]}}`,
  /// in the order of the text; a pattern begins below `/databases/{database}/documents`, offsets are
  /// those of characters.
  var json: JSONText {
    let matches = rules.matches.indices.map { index in
      let match = rules.matches[index]
      let pattern = NearestMatch.pattern(of: MatchID(index), in: rules)
      return JSONText.object([("pattern", .string(pattern))] + place(match.range))
    }
    let functions = rules.functions.map { function in
      JSONText.object([("name", .string(String(function.name.text)))] + place(function.name.range))
    }
    return .object([
      ("report", .object([("matches", .array(matches)), ("functions", .array(functions))]))
    ])
  }

  private func place(_ range: SourceRange) -> [(String, JSONText)] {
    let source = rules.source
    return [
      ("line", .int(source.line(of: range.start))),
      ("offset", .int(source.characterOffset(of: range.start))),
      ("endOffset", .int(source.characterOffset(of: range.end))),
    ]
  }
}
