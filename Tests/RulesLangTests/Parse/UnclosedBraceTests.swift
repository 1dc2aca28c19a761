import Testing

@testable import RulesLang
@testable import RulesTesting

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
    let size = Wanted.cases(20_000, of: 100_000)
    let blanks = String(repeating: " ", count: size)
    let text =
      "service cloud.firestore {\n" + blanks + String(repeating: "{ } ", count: size / 2) + "\n"
    #expect(!Checker.check(SourceText(name: "a.rules", text)).diagnostics.isEmpty)
  }

  /// What is open where a statement ends is pointed at; what ends for another reason is not.
  @Test(arguments: [
    ("a == (b", "("), ("[1, 2", "["), ("f(a[b], c", "("), ("(a) == b c", nil), ("a == == b", nil),
    ("{'k': (1", "("),
  ])
  func anOpenParenthesisIsPointedAt(_ condition: String, _ open: String?) throws {
    let source = SourceText(
      name: "a.rules",
      "service cloud.firestore {\n  match /a/{b} {\n    allow read: if \(condition);\n  }\n}\n")
    let report = try #require(Checker.check(source).diagnostics.first { $0.severity == .error })
    #expect(report.related.map { source.string($0.range) } == [open].compactMap { $0 })
  }

  /// The official emulator says that `match` is missing.
  @Test func aBlockThatDoesNotBeginIsNamed() throws {
    func help(_ block: String) -> String? {
      let text = "service cloud.firestore {\n  \(block)\n    allow read;\n  }\n}\n"
      return Checker.check(SourceText(name: "a.rules", text)).diagnostics.first {
        $0.message == "Missing 'match' keyword before path."
      }?.help
    }
    #expect(try #require(help("match /a/{b}")).contains("`{` of its block is missing"))
    #expect(try #require(help("/a/{b} {")).contains("a block is `match /path { … }`"))
  }
}
