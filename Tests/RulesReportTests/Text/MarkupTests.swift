import RulesLang
import Testing

@testable import RulesReport

/// Text of users inside of XML and HTML, and source broken into lines.
@Suite struct MarkupTests {
  @Test func nothingThatAUserWritesIsMarkup() {
    let hostile = "<script a=\"b\">&amp;'</script>"
    #expect(HTML.text(hostile) == "&lt;script a=&quot;b&quot;&gt;&amp;amp;'&lt;/script&gt;")
    #expect(
      XML.escaped(hostile, isAttribute: true)
        == "&lt;script a=&quot;b&quot;&gt;&amp;amp;'&lt;/script&gt;")
    #expect(XML.escaped("]]>\"\n\t") == "]]&gt;\"\n\t")
    #expect(XML.escaped("\n", isAttribute: true) == "&#10;")
    #expect(HTML.code(in: "say `<b>` or `c") == "say <code>&lt;b&gt;</code> or <code>c</code>")
  }

  /// XML 1.0 has no way to write these.
  @Test func whatXMLCannotHoldIsReplaced() {
    #expect(
      XML.escaped("\u{0}\u{1B}\u{8}\r\u{85}\u{FFFE}") == String(repeating: "\u{FFFD}", count: 6))
    #expect(XML.escaped("é😀") == "é😀")
  }

  @Test func textInMarkdownCallsNobody() {
    #expect(
      Markdown.text("@alice, (@team/x) a@example.com @ 1")
        == "@<!-- -->alice, (@<!-- -->team/x) a@example.com @ 1")
    #expect(Markdown.sentence("`@alice` and @bob") == "`@alice` and @<!-- -->bob")
    #expect(Markdown.text("a\u{200B}b\u{FEFF}") == "a?b?")
  }

  @Test func elementsAreNestedAndIndented() {
    var xml = XMLText("")
    xml.open("a", attributes: [("b", "1 < 2")])
    xml.empty("c", attributes: [])
    xml.element("d", attributes: [("e", "")], content: "x & y")
    xml.close("a")
    #expect(
      xml.output == """
        <?xml version="1.0" encoding="UTF-8"?>
        <a b="1 &lt; 2">
          <c/>
          <d e="">x &amp; y</d>
        </a>

        """)
  }

  private func pieces(_ text: String) -> [String] {
    let source = SourceText(name: "x", text)
    let whole = SourceRange(start: 0, end: source.bytes.count)
    return LinePieces.split(whole, of: source).map { source.string($0) }
  }

  @Test func aLongLineIsBrokenBeforeItsOperators() {
    let word = String(repeating: "a", count: 40)
    #expect(pieces("\(word) && \(word)") == ["\(word) && \(word)"])
    #expect(
      pieces("\(word) && \(word) b || c \(word)") == ["\(word) && \(word) b", "|| c \(word)"])
    #expect(pieces("\(word) \(word) \(word)") == ["\(word) \(word)", word])
  }

  @Test func aLineWithoutBlanksIsCutBetweenCharacters() {
    let faces = String(repeating: "😀", count: 60)
    let found = pieces("a" + faces)
    #expect(found.joined() == "a" + faces && found.count == 3)
    #expect(found.allSatisfy { !$0.contains("\u{FFFD}") && $0.utf8.count <= 103 })
  }
}
