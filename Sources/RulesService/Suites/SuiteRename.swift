import RulesEval
import RulesLang

extension SuiteAnalysis {
  /// Returns the edits that rename a function of the rules in the conditions of claims.
  package func rename(function old: String, to name: String) -> [TextEdit] {
    var edits: [TextEdit] = []
    for claim in suite?.claims ?? [] {
      var conditions = [claim.given].compactMap { $0 }
      switch claim.obligation {
      case .onlyIf(let condition), .alwaysIf(let condition): conditions.append(condition)
      case .never, .noErrors: break
      }
      for condition in conditions where condition.range.count == condition.text.bytes.count + 2 {
        // A longer literal contains escapes, so its value differs from its source.
        let tokens = TokenList(SourceText(name: "", bytes: condition.text.bytes)).tokens
        for (index, token) in tokens.enumerated() where token.kind == .identifier {
          let isCall = index + 1 < tokens.count && tokens[index + 1].kind == .leftParen
          let isMember = index > 0 && tokens[index - 1].kind == .dot
          let start = condition.range.start + 1 + token.range.start
          let range = SourceRange(start: start, end: start + UInt32(token.range.count))
          guard isCall, !isMember, source.string(range) == old else { continue }
          edits.append(TextEdit(range, text: name))
        }
      }
    }
    return edits
  }
}
