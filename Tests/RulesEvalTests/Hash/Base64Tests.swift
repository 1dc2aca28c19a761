import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// Octets as text.
@Suite struct Base64Tests {
  @Test func textsAreThoseOfTheStandard() {
    let vectors: [(String, Text)] = [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ]
    for (message, text) in vectors {
      let octets = Array(message.utf8)
      #expect(Base64.standard.text(of: octets) == text)
      #expect(Base64.standard.octets(of: text) == octets)
      let unpadded = Text(String(String(text).prefix { $0 != "=" }))
      #expect(Base64.standard.octets(of: unpadded) == octets)
    }
  }

  @Test func theAlphabetsDifferInTwoDigits() {
    #expect(Base64.standard.text(of: [0xFF, 0xEF, 0xBE]) == "/+++")
    #expect(Base64.urlSafe.text(of: [0xFF, 0xEF, 0xBE]) == "_---")
    #expect(Base64.urlSafe.text(of: [0xFF]) == "_w==")
    #expect(Base64.standard.octets(of: "_---") == nil)
    #expect(Base64.urlSafe.octets(of: "/+++") == nil)
    #expect(Base64.urlSafe.octets(of: "_---") == [0xFF, 0xEF, 0xBE])
  }

  @Test func whatIsNoBase64IsRefused() {
    let texts: [Text] = [
      "A", "AAAAA", "=", "==", "====", "A===", "AA=", "AAA=A", "AA==AAAA", "A A=", "AA\n==", "AAAé",
      "AA==\n", "Zm9v====",
    ]
    for text in texts { #expect(Base64.standard.octets(of: text) == nil, "\(text)") }
  }

  @Test func octetsReadBackAsThemselves() {
    var generator = SplitMix(seed: 61)
    for count in 0..<200 {
      let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(Base64.standard.octets(of: Base64.standard.text(of: octets)) == octets)
      #expect(Base64.urlSafe.octets(of: Base64.urlSafe.text(of: octets)) == octets)
    }
  }

  @Test func base16HasTwoUpperCaseDigitsAnOctet() {
    #expect(Base16.text(of: [0x00, 0x0F, 0xA0, 0xFF]) == "000FA0FF")
    #expect(Base16.text(of: []) == "")
  }
}
