import Foundation
import Testing

@testable import RulesLang
@testable import RulesTesting

/// What is said of a text: `Golden/diagnostics/NAME.rules`, where comments below each line tell
/// every diagnostic that begins on it, with the exact text underlined:
///
///     allow read: if request.auth = null;
///     // expect: error[syntax] at `=`: Unexpected '='.
///
/// Remarks about the whole file stand before the first line. The comments are no part of the text
/// that is checked.
@Suite struct DiagnosticTests {
  private static let mark = "// expect: "

  @Test(arguments: Golden.cases("diagnostics"))
  func everyMistakeIsToldWhereItIs(_ name: String) throws {
    let file = Golden.folder("diagnostics").appendingPathComponent(name)
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let kept = lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix(Self.mark) }
    let source = SourceText(name: name, kept.joined(separator: "\n"))
    Golden.expect(annotated(kept, Checker.check(source).diagnostics, source), in: file)
  }

  /// The lines with comments for the diagnostics.
  private func annotated(
    _ lines: [String], _ diagnostics: [Diagnostic], _ source: SourceText
  ) -> String {
    var result = diagnostics.filter { $0.range == nil }.map { comment($0, source) }
    for (index, line) in lines.enumerated() {
      result.append(line)
      let indent = line.prefix { $0 == " " }
      for diagnostic in diagnostics {
        guard let range = diagnostic.range, source.line(of: range.start) == index + 1 else {
          continue
        }
        result.append(indent + comment(diagnostic, source))
      }
    }
    return result.joined(separator: "\n")
  }

  private func comment(_ diagnostic: Diagnostic, _ source: SourceText) -> String {
    var text = Self.mark + diagnostic.severity.word + "[" + diagnostic.code.name + "]"
    if let range = diagnostic.range {
      let whole = source.string(range)
      let first = whole.prefix { $0 != "\n" }
      text += " at `\(first)\(first.count < whole.count ? "…" : "")`"
    }
    text += ": " + diagnostic.message
    if let help = diagnostic.help { text += " (\(help))" }
    return text
  }

  @Test func theFilesHaveExpectations() throws {
    let names = Golden.cases("diagnostics")
    #expect(names.count >= 10)
    for name in names {
      let file = Golden.folder("diagnostics").appendingPathComponent(name)
      #expect(try String(contentsOf: file, encoding: .utf8).contains(Self.mark), "\(name)")
    }
  }
}
