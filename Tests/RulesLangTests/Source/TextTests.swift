import RulesLang
import Testing

/// Exact text: equality by code point, order and size by UTF-16 unit.
@Suite struct TextTests {
  @Test func canonicallyEquivalentTextsAreDifferent() {
    let composed = Text("\u{e9}")
    let decomposed = Text("e\u{301}")
    #expect(String(composed) == String(decomposed))
    #expect(composed != decomposed)
  }

  @Test(arguments: ["", "a", "auth", "fifteen letters", "more than fifteen letters", "größe", "😀"])
  func aTextIsWhatAStringSaysByteForByte(string: String) {
    let text = Text(string)
    #expect(text == string)
    #expect(!(text == string + "x"))
    #expect(!(text == "x" + string))
    #expect(!(Text("\u{e9}") == "e\u{301}"))
    switch text {
    case "auth": #expect(string == "auth")
    case "more than fifteen letters": #expect(string == "more than fifteen letters")
    default: #expect(string != "auth" && string != "more than fifteen letters")
    }
  }

  @Test func sizeCountsUTF16Units() {
    #expect(Text("é😀").unitCount == 3)
    #expect(Text("").unitCount == 0)
  }

  @Test func aSliceMayLeaveHalfAPairAndTheHalvesJoinAgain() {
    let face = Text("a😀b")
    let high = face.slice(from: 1, upTo: 2)
    let low = face.slice(from: 2, upTo: 3)
    #expect(high.unitCount == 1)
    #expect(String(high) == "?")
    #expect(high + low == Text("😀"))
    #expect(high + Text("x") != Text("?x"))
  }

  @Test func lessThanComparesUnitsAndKeysCompareCodePoints() {
    let last = Text("\u{ffff}")
    let face = Text("😀")
    #expect(Text.precedesByUnit(face, last))
    #expect(Text.precedesByCodePoint(last, face))
    #expect(Text.precedesByUnit("a", "ab"))
    #expect(!Text.precedesByUnit("ab", "ab"))
    #expect(Text.precedesByUnit("aé", "aê"))
  }

  @Test func textsOfEveryLengthAreEqualAndHashedByAllTheirBytes() {
    for length in 0...40 {
      let bytes = (0..<length).map { UInt8($0 + 1) }
      #expect(Text(wellFormed: bytes) == Text(wellFormed: bytes.map { $0 }))
      #expect(Text(wellFormed: bytes).hashValue == Text(wellFormed: bytes.map { $0 }).hashValue)
      #expect(Text(wellFormed: bytes) != Text(wellFormed: bytes + [0]))
      for place in 0..<length {
        var other = bytes
        other[place] ^= 0x40
        #expect(Text(wellFormed: bytes) != Text(wellFormed: other), "\(length) \(place)")
      }
    }
  }
}
