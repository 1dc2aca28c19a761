import Foundation
import RulesLang
import Testing

/// One finding, and what a file says is found in it: `// expect: CODE "text"` at the end of a line names
/// one that begins on it and the exact text that it underlines, `// expect-next:` one on the next line.
struct ExpectedFinding: Hashable, CustomStringConvertible {
  var line: Int
  var code: String
  var text: String

  var description: String { "\(line): \(code) \"\(text)\"" }

  /// Records an issue for each finding that a file says is in it and that is not among some, and the
  /// other way round.
  static func expect(_ diagnostics: [Diagnostic], in source: SourceText) throws {
    let found = diagnostics.map { diagnostic in
      let range = diagnostic.range ?? .none
      return ExpectedFinding(
        line: source.line(of: range.start), code: diagnostic.code.name, text: source.string(range))
    }
    let expected = try all(in: String(decoding: source.bytes, as: UTF8.self))
    for finding in expected where !found.contains(finding) {
      Issue.record("\(source.name):\(finding) is not found")
    }
    for finding in found where !expected.contains(finding) {
      Issue.record("\(source.name):\(finding) is not expected")
    }
    #expect(found.count == expected.count)
  }

  /// What a file says is found in it.
  static func all(in text: String) throws -> [ExpectedFinding] {
    let pattern = try NSRegularExpression(
      pattern: #"// expect(-next)?: ([a-z-]+) "(.*?)"(?= // expect|\s*$)"#)
    var found: [ExpectedFinding] = []
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      for match in pattern.matches(in: line, range: NSRange(line.startIndex..., in: line)) {
        func part(_ number: Int) -> String {
          Range(match.range(at: number), in: line).map { String(line[$0]) } ?? ""
        }
        let place = part(1).isEmpty ? index + 1 : index + 2
        found.append(ExpectedFinding(line: place, code: part(2), text: part(3)))
      }
    }
    return found
  }
}
