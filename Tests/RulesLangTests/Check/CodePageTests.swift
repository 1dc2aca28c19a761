import Foundation
import Testing

@testable import RulesLang
@testable import RulesTesting

/// The pages of the codes: complete, with examples that do what they say, and written out.
@Suite struct CodePageTests {
  private static let file = CommandLineCase.package.appendingPathComponent("Docs/Diagnostics.md")

  @Test func everyCodeHasOnePage() throws {
    let registry = try String(
      contentsOf: CommandLineCase.package.appendingPathComponent(
        "Sources/RulesLang/Diagnostics/Code.swift"), encoding: .utf8)
    let pattern = try NSRegularExpression(pattern: #"Code\("([a-z0-9-]+)"\)"#)
    let names = pattern.matches(in: registry, range: NSRange(registry.startIndex..., in: registry))
      .compactMap { Range($0.range(at: 1), in: registry).map { String(registry[$0]) } }
    #expect(names.count > 40)
    #expect(names.sorted() == CodePage.table.map { $0.code.name }.sorted())
  }

  @Test(arguments: CodePage.table.map { $0.code.name })
  func theExamplesDoWhatThePageSays(_ name: String) throws {
    let page = try #require(CodePage.named(name))
    #expect(page.meaning.hasSuffix("."))
    guard let bad = page.rulesToAvoid else {
      // What only bytes, sizes or JSON can show has tests of its own.
      #expect(
        [
          "suite", "unreadable", "configuration", "git", "usage", "impossible-data",
          "missing-asker", "literal-variable", "empty-rules",
          "invalid-utf8", "byte-order-mark",
          "too-many-errors", "limit-source",
        ]
        .contains(name))
      return
    }
    let source = SourceText(name: "bad", bad)
    let said = Checker.check(source).diagnostics + Checker.checkFirestore(source).diagnostics
    #expect(said.contains { $0.code == page.code && $0.severity == page.severity }, "\(said)")
    let good = Checker.checkFirestore(SourceText(name: "good", try #require(page.rulesToPrefer)))
    #expect(good.checked != nil)
    #expect(good.diagnostics.isEmpty, "\(good.diagnostics)")
  }

  @Test func theDocumentIsMadeFromTheTable() {
    var text = """
      # Diagnostics

      What `rules-check check` says about a rules file, one section a code; `rules-check help CODE`
      prints the same. An *error* keeps the rules from being used, a *warning* does not. Where
      Google's compiler reports the same, the message is its message. Fragments stand inside a
      `match` block. This page is made from the table in `Sources/RulesLang/Diagnostics`.

      """
    for page in CodePage.table { text += "\n" + page.markdown }
    Golden.expect(text, in: Self.file)
  }
}
