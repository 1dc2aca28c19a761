import Testing

@testable import RulesLang

/// What `matches`, `split` and `replace` promise beyond the measured answers.
@Suite struct PatternTests {
  @Test func anEmptyMatchNeverSplitsASurrogatePair() throws {
    let empty = try Pattern("")
    #expect(empty.split("a😀b") == ["", "a", "😀", "b"])
    #expect(try empty.replace("😀", with: "-") == "-😀-")
    #expect(try Pattern("b*").replace("😀b😀", with: "-") == "-😀--😀-")
  }

  @Test func aLoneSurrogateIsOneCodePoint() throws {
    let high = Text(units: [0xD83D])
    let low = Text(units: [0xDE00])
    #expect(try Pattern(".").matches(high))
    #expect(try Pattern("\\p{Cs}").matches(low))
    #expect(try Pattern("[\\x{D800}-\\x{DBFF}]").matches(high))
    #expect(try Pattern(high).matches(high))
    #expect(try !Pattern(high).matches("😀"))
    #expect(try !Pattern(".").matches(high + Text("x")))
  }

  @Test func halvesOfAPairJoinWhenWhatWasBetweenThemGoes() throws {
    let halves = Text(units: [0xD83D, 0x78, 0xDE00])
    #expect(try Pattern("x").replace(halves, with: "") == "😀")
    let template = Text(units: [0xD83D, 0x5C, 0xDE00])
    #expect(try Pattern("x").replace("x", with: template) == "😀")
  }

  @Test func aTemplateErrorCountsOnlyIfThereIsAMatch() throws {
    let pattern = try Pattern("(a)")
    #expect(try pattern.replace("b", with: "$2") == "b")
    #expect(throws: TemplateError(reason: .missingGroup(2), offset: 1)) {
      try pattern.replace("ab", with: "x$2")
    }
    #expect(throws: TemplateError(reason: .unknownName, offset: 0)) {
      try pattern.replace("a", with: "${name}")
    }
    #expect(throws: TemplateError(reason: .unclosedName, offset: 2)) {
      try pattern.replace("a", with: "$1${1")
    }
  }

  @Test func theFlagIEndsForLettersWhoseFoldingNeverEndsInTheEmulator() throws {
    #expect(try Pattern("(?i)\\x{1C80}").matches("\u{1C80}"))
    #expect(try !Pattern("(?i)\\x{1C80}").matches("\u{412}"))
    #expect(try Pattern("(?i)[\\x{0}-\\x{10FFFF}]").matches("\u{1C80}"))
  }

  @Test func theFlagIFoldsLettersBesideOthersAsItDoesAlone() throws {
    // The emulator merges the alternatives to a class, in which it does not fold these.
    #expect(try Pattern("(?i)\\x{104B0}|x").matches("\u{104D8}"))
    #expect(try !Pattern("(?i)[\\x{104B0}x]").matches("\u{104D8}"))
  }

  @Test func aNamedGroupThatTookNoPartIsNullAndANumberedOneEmpty() throws {
    let pattern = try Pattern("(?<one>a)|(?<other>b)")
    #expect(try pattern.replace("a", with: "[${one}${other}]") == "[anull]")
    #expect(try pattern.replace("a", with: "[$1$2]") == "[a]")
  }

  @Test func groupsAreTrackedHoweverManyTheTemplateNames() throws {
    var source = ""
    var template = ""
    for number in 1...100 {
      source += "(.)"
      template = "$\(number)" + template
    }
    let letters = String(repeating: "abcdefghij", count: 10)
    let result = try Pattern(Text(source)).replace(Text(letters), with: Text(template))
    #expect(result == Text(String(letters.reversed())))
  }

  @Test func onePatternServesManyTexts() throws {
    let email = try Pattern("^[a-z0-9._%+-]+@[a-z0-9.-]+$")
    for (text, expected) in [
      ("alice@example.org", true), ("alice", false), ("a@b@c", false), ("é@b", false), ("", false),
    ] {
      #expect(email.matches(Text(text)) == expected, "\(text)")
    }
  }
}
