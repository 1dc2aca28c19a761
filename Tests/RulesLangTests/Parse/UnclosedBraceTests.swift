import Testing

@testable import RulesLang

/// Which brace a report of the end of the file points at.
@Suite struct UnclosedBraceTests {
  private static let files: [(String, line: Int?)] = [
    ("service cloud.firestore {", 1),
    ("service cloud.firestore {\n  match /a/{b} {\n    allow read;\n  }\n", 1),
    // Its partner stands further to the left than its own line begins.
    ("service cloud.firestore {\n  match /a/{b} {\n    allow read;\n}\n", 2),
    (
      "service cloud.firestore {\n  match /a/{b} {\n    match /c/{d} {\n    }\n  match /e/{f} {\n  }\n}\n",
      2
    ),
    // Braces in comments and texts are none.
    ("service cloud.firestore {\n  // {\n  match /a/{b} {\n    allow read: if a == '{';\n  }\n", 1),
    ("service cloud.firestore\n", nil),
  ]

  @Test(arguments: files)
  func theBraceIsFound(_ text: String, _ line: Int?) throws {
    let source = SourceText(name: "a.rules", text)
    let report = try #require(
      Checker.check(source).diagnostics.first { $0.message.contains("<EOF>") },
      "\(Checker.check(source).diagnostics.map { $0.message })")
    let places = report.related.map { source.line(of: $0.range.start) }
    #expect(places == [line].compactMap { $0 })
  }

  @Test func manyBlanksAndBracesTakeNoTime() {
    let blanks = String(repeating: " ", count: 100_000)
    let text =
      "service cloud.firestore {\n" + blanks + String(repeating: "{ } ", count: 50_000) + "\n"
    #expect(!Checker.check(SourceText(name: "a.rules", text)).diagnostics.isEmpty)
  }
}
