import Testing

@testable import RulesLang
@testable import RulesTesting

/// Texts that nobody would write, or that somebody wrote to do harm: each gets a diagnostic, none
/// exhausts the stack, the memory or the patience.
@Suite struct HostileTextTests {
  private static let levels = Wanted.cases(10_000, of: 100_000)

  /// A text with so many levels, and the codes that may be said of it.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var condition: String
    var codes: Set<String>
    var testDescription: String { name }

    init(_ name: String, _ condition: String, _ codes: Set<String>) {
      (self.name, self.condition, self.codes) = (name, condition, codes)
    }

    /// An opening piece and a closing piece, so many of each around a middle.
    static func nest(
      _ name: String, _ open: String, _ middle: String, _ close: String, _ code: String
    ) -> Case {
      Case(
        name,
        String(repeating: open, count: levels) + middle + String(repeating: close, count: levels),
        [code])
    }
  }

  static let cases: [Case] = [
    .nest("parentheses", "(", "true", ")", "limit-nesting"),
    .nest("open parentheses", "(", "", "", "syntax"),
    .nest("not", "!", "true", "", "limit-nesting"),
    .nest("minus", "-", "1", "", "increment-operator"),
    .nest("spaced minus", "- ", "1", "", "syntax"),
    .nest("members", "", "a", ".a", "limit-nesting"),
    .nest("methods", "", "a", ".f()", "limit-nesting"),
    .nest("indices", "", "a", "[0]", "limit-nesting"),
    .nest("slices", "", "a", "[0:1]", "limit-nesting"),
    .nest("indices inside indices", "a[", "0", "]", "limit-nesting"),
    .nest("lists", "[", "", "]", "limit-nesting"),
    .nest("open lists", "[", "", "", "syntax"),
    .nest("maps", "{'a':", "1", "}", "limit-nesting"),
    .nest("open maps", "{", "", "", "syntax"),
    .nest("calls", "f(", "1", ")", "limit-nesting"),
    .nest("open calls", "f(", "", "", "syntax"),
    .nest("interpolations", "/a/$(", "1", ")", "limit-nesting"),
    .nest("ternaries to the left", "true ? ", "1", " : 2", "limit-nesting"),
    .nest("ternaries to the right", "true ? 1 : ", "1", "", "limit-nesting"),
    .nest("open ternaries", "true ? ", "1", "", "syntax"),
    .nest("and", "true && ", "true", "", "limit-nesting"),
    .nest("plus", "1 + ", "1", "", "limit-nesting"),
    .nest("less", "1 < ", "", "", "limit-nesting"),
    .nest("in", "a in ", "a", "", "limit-nesting"),
    .nest("is", "", "1", " is int", "limit-nesting"),
    .nest("mixed brackets", "([", "", "", "syntax"),
    .nest("question marks", "?", "", "", "missing-condition"),
  ]

  private func rules(_ condition: String) -> SourceText {
    SourceText(
      name: "hostile",
      "rules_version = '2';\nservice cloud.firestore { match /a/{b} { allow read: if \(condition); } }"
    )
  }

  @Test(arguments: cases)
  func manyThousandLevelsAreOneMistake(_ one: Case) {
    let outcome = Checker.check(rules(one.condition))
    #expect(outcome.checked == nil)
    let codes = Set(outcome.diagnostics.map { $0.code.name })
    #expect(!codes.isDisjoint(with: one.codes), "\(codes)")
    #expect(outcome.diagnostics.count <= Parser.maximumErrors + 1)
  }

  @Test(arguments: [
    ("match /a/{b} {", "}", "limit-match-depth"), ("match /a/{b} {", "", "limit-match-depth"),
    ("function f() {", "", "syntax"), ("match ", "", "syntax"), ("}", "", "syntax"),
    ("service x {", "", "syntax"), ("allow read: if ", "", "syntax"),
  ])
  func manyThousandBlocksAreRefused(_ open: String, _ close: String, _ code: String) {
    let text =
      "rules_version = '2'; service cloud.firestore {"
      + String(repeating: open, count: Self.levels)
      + String(repeating: close, count: Self.levels) + "}"
    let outcome = Checker.check(SourceText(name: "hostile", text))
    #expect(outcome.checked == nil)
    #expect(outcome.diagnostics.contains { $0.code.name == code })
    #expect(outcome.diagnostics.count <= Parser.maximumErrors + 1)
  }

  @Test(arguments: [
    [0xFF], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC0, 0xAF],
  ])
  func whatIsNoUTF8IsRefusedWhereItBegins(_ bytes: [UInt8]) throws {
    let head = Array("rules_version = '2'; // ".utf8)
    let tail = Array("\nservice cloud.firestore { match /a { allow read; } }".utf8)
    let outcome = Checker.check(SourceText(name: "bytes", bytes: head + bytes + tail))
    #expect(outcome.checked == nil)
    let mistake = try #require(outcome.diagnostics.first { $0.code == .invalidUTF8 })
    #expect(mistake.range?.start == UInt32(head.count))
  }

  @Test(arguments: ["\0", "\u{B}", "\u{A0}", "\u{2003}", "\u{85}", "#", "`", "^", "~", "\\", "é"])
  func aCharacterThatBelongsToNoTokenIsRefused(_ character: String) {
    let outcome = Checker.check(rules("true \(character) && true"))
    #expect(outcome.checked == nil)
    #expect(outcome.diagnostics.contains { $0.code == .unknownCharacter })
  }

  @Test func aByteOrderMarkIsAnErrorAndLineEndsOfWindowsAreNone() {
    let text = "rules_version = '2';\nservice cloud.firestore { match /a { allow read; } }\n"
    let marked = Checker.check(SourceText(name: "bom", bytes: [0xEF, 0xBB, 0xBF] + text.utf8))
    #expect(marked.checked == nil)
    #expect(marked.diagnostics.map { $0.code } == [.byteOrderMark])
    var windows: [UInt8] = []
    for byte in text.utf8 { windows += byte == 0x0A ? [0x0D, 0x0A] : [byte] }
    let outcome = Checker.check(SourceText(name: "crlf", bytes: windows))
    #expect(outcome.checked != nil)
    #expect(outcome.diagnostics.isEmpty)
  }

  @Test(arguments: [
    "'", "\"", "'abc", "b'", "/* a", "{", "{'a'", "{'a':", "[", "[1,", "(", "(1", "/", "/a/",
    "/a/$", "/a/$(", "/{", "/{a", "/{a=", "f(", "f(1", "f(1,", "a.", "a.f(", "a[", "a[1", "a[1:",
    "a ?", "a ? b", "a ? b :", "1 +", "!", "-", "a is", "a in", "a &&", "'\\", "'\\u12", "math.",
  ])
  func whatIsNotFinishedIsAMistakeAndNotACrash(_ condition: String) {
    let whole = "rules_version = '2';\nservice cloud.firestore { match /a/{b} { allow read: if "
    let cut = Checker.check(SourceText(name: "cut", whole + condition))
    #expect(cut.checked == nil && cut.diagnostics.hasErrors)
    let alone = Checker.checkExpression(SourceText(name: "cut", condition), match: [])
    #expect(alone.checked == nil && alone.diagnostics.hasErrors)
  }

  @Test func moreMistakesThanAnybodyReadsAreCut() {
    let bad = String(repeating: "match /a { allow read: if a = b; }\n", count: 5000)
    let errors = Checker.check(
      SourceText(name: "errors", "rules_version = '2'; service cloud.firestore {\n\(bad)}"))
    #expect(errors.diagnostics.count == Parser.maximumErrors + 1)
    #expect(errors.diagnostics.last?.code == .tooManyErrors)
    let odd = String(repeating: "match /a { allow read: if reqest.auth != null; }\n", count: 5000)
    let warnings = Checker.check(
      SourceText(name: "warnings", "rules_version = '2'; service cloud.firestore {\n\(odd)}"))
    #expect(warnings.checked != nil)
    #expect(warnings.diagnostics.count == [Diagnostic].maximumTold + 1)
    #expect(warnings.diagnostics.first?.code == .tooManyErrors)
  }

  @Test func aHugeTokenIsQuotedInPart() throws {
    let digits = String(repeating: "9", count: 1_000_000)
    let outcome = Checker.check(rules("a == \(digits)"))
    let mistake = try #require(outcome.diagnostics.first)
    #expect(mistake.code.name == "invalid-number")
    #expect(mistake.message.utf8.count < 200)
    #expect(TextRenderer().render(mistake, in: outcome.ruleset.source).utf8.count < 1000)
  }
}
