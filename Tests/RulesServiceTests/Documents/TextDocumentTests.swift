import RulesLang
import Testing

@testable import RulesService

/// Positions as editors count them.
@Suite struct TextDocumentTests {
  private func document(_ text: String, _ encoding: PositionEncoding) -> TextDocument {
    TextDocument(uri: "file:///a.rules", name: "a.rules", text: Text(text), encoding: encoding)
  }

  @Test func charactersAreCountedInTheUnitsThatWereAgreedOn() {
    let text = "aé€😀b\nc"
    let columns: [(PositionEncoding, [Int])] = [
      (.utf8, [0, 1, 3, 6, 10, 11]), (.utf16, [0, 1, 2, 3, 5, 6]), (.utf32, [0, 1, 2, 3, 4, 5]),
    ]
    let offsets = [0, 1, 3, 6, 10, 11]
    for (encoding, expected) in columns {
      let document = document(text, encoding)
      for (offset, column) in zip(offsets, expected) {
        let position = TextPosition(line: 0, character: column)
        #expect(document.position(of: offset) == position)
        #expect(document.offset(of: position) == offset)
      }
    }
  }

  @Test func aPositionOutsideOfTheTextIsTheNearestOneInside() {
    let document = document("ab\n😀\n", .utf16)
    #expect(document.offset(of: TextPosition(line: 0, character: 99)) == 2)
    #expect(document.offset(of: TextPosition(line: 1, character: 1)) == 3)
    #expect(document.offset(of: TextPosition(line: 9, character: 0)) == 8)
    #expect(document.position(of: 99) == TextPosition(line: 2, character: 0))
  }

  @Test func linesEndInThreeWays() {
    let document = document("a\r\nb\rc\nd", .utf16)
    #expect(document.lineCount == 4)
    #expect([1, 3, 5, 7].map { document.position(of: $0).line } == [0, 1, 2, 3])
    #expect(document.offset(of: TextPosition(line: 0, character: 5)) == 1)
    #expect(document.offset(of: TextPosition(line: 1, character: 5)) == 4)
  }

  @Test func changesAreMadeOneAfterAnother() {
    var document = document("one two", .utf16)
    func range(_ start: Int, _ end: Int) -> Range<TextPosition> {
      TextPosition(line: 0, character: start)..<TextPosition(line: 0, character: end)
    }
    document.apply(
      [
        TextChange(replacing: range(0, 3), with: "three\n"),
        TextChange(replacing: range(5, 99), with: "!"),
        TextChange(replacing: range(0, 1), with: "T"),
      ], version: 2)
    #expect(document.source.string(SourceRange(start: 0, end: 99)) == "Three!\n two")
    #expect(document.version == 2)
    document.apply([TextChange(with: "new")], version: 3)
    #expect(document.source.bytes == Array("new".utf8))
    #expect(document.lineCount == 1)
  }

  @Test func aByteOrderMarkIsACharacterToEditorsAndNoneToUs() {
    var document = document("\u{FEFF}allow", .utf16)
    #expect(document.source.hadByteOrderMark)
    #expect(document.position(of: 0) == TextPosition(line: 0, character: 1))
    #expect(document.offset(of: TextPosition(line: 0, character: 3)) == 2)
    let place = TextPosition(line: 0, character: 6)
    document.apply([TextChange(replacing: place..<place, with: "!")], version: 2)
    #expect(document.source.hadByteOrderMark)
    #expect(document.source.bytes == Array("allow!".utf8))
  }

  @Test func anyEditOfAnyTextGivesTheTextThatTheEditorHas() {
    // The same edits on an array of UTF-16 units, as an editor keeps them.
    var units = Array("a😀\r\nb\n\u{10FFFF}c".utf16)
    var document = document(String(decoding: units, as: UTF16.self), .utf16)
    var seed: UInt64 = 7
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    let pieces = ["", "x", "\n", "\r", "é", "😀", "ab\r\n"]
    for step in 0..<2000 {
      let places = [random(units.count + 1), random(units.count + 1)].sorted().map { place in
        // An editor never cuts a pair in two.
        place > 0 && place < units.count && units[place] & 0xFC00 == 0xDC00 ? place - 1 : place
      }
      let text = units.count > 300 ? "" : pieces[random(pieces.count)]
      func position(_ place: Int) -> TextPosition {
        var line = 0
        var start = 0
        for index in 0..<place {
          let isBreak =
            units[index] == 10
            || (units[index] == 13 && !(index + 1 < units.count && units[index + 1] == 10))
          if isBreak { (line, start) = (line + 1, index + 1) }
        }
        return TextPosition(line: line, character: place - start)
      }
      // The middle of a line end is no place.
      let isInside = places.contains {
        $0 > 0 && $0 < units.count && units[$0 - 1] == 13 && units[$0] == 10
      }
      if isInside { continue }
      document.apply(
        [TextChange(replacing: position(places[0])..<position(places[1]), with: Text(text))],
        version: step)
      units.replaceSubrange(places[0]..<places[1], with: Array(text.utf16))
      #expect(document.source.bytes == Array(String(decoding: units, as: UTF16.self).utf8))
    }
  }
}
