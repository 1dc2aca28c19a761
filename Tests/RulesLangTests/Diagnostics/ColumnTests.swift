import RulesLang
import Testing

/// How wide text is, and where it is broken.
@Suite struct ColumnTests {
  @Test(arguments: [
    ("abc", 3), ("", 0), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한국", 4), ("ＡＢ", 4), ("ｱ", 1),
    ("🚀", 2), ("❤\u{FE0F}", 1), ("\u{5E9}\u{5C1}", 1), ("⌚x", 3), ("𠀀", 2), ("\u{1F3FF}", 2),
    ("→", 1),
  ])
  func aTextTakesSoManyColumns(_ text: String, _ columns: Int) {
    #expect(Printable.columns(text) == columns)
  }

  @Test func aTextIsBrokenAtItsBlanks() {
    func wrapped(_ text: String, used: Int = 0) -> String {
      Printable.wrapped(text, columns: 10, used: used, indent: 2)
    }
    #expect(wrapped("one two") == "one two")
    #expect(wrapped("one two three four") == "one two\n  three\n  four")
    #expect(wrapped("1234567890 abc") == "1234567890\n  abc")
    #expect(wrapped("four 1234567890123 abc") == "four\n  1234567890123\n  abc")
    #expect(wrapped("one two", used: 6) == "one\n  two")
    #expect(wrapped("日本語 日本語") == "日本語\n  日本語")
    #expect(wrapped("") == "")
  }

  @Test func caretsStandBelowWhatIsWide() {
    let source = SourceText(name: "x", "'日本e\u{301}' + here")
    let start = UInt32(source.bytes.count - 4)
    let diagnostic = Diagnostic(
      .unknownVariable, severity: .error, message: "no",
      at: SourceRange(start: Int(start), end: source.bytes.count))
    let lines = TextRenderer().render(diagnostic, in: source).split(separator: "\n")
    #expect(lines[2] == " 1 | '日本e\u{301}' + here")
    #expect(lines[3] == "   |           ^^^^")
  }
}
