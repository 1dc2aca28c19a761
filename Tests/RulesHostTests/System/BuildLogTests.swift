import Testing

@testable import RulesHost

/// What is no command to GitHub on the log of a build.
@Suite struct BuildLogTests {
  private func disarmed(_ pieces: [String]) -> String {
    var log = BuildLog()
    return String(decoding: pieces.flatMap { log.disarmed($0.utf8) }, as: UTF8.self)
  }

  @Test(arguments: [
    ("::error::x\n", ": :error::x\n"), ("a\n \t::x", "a\n \t: :x"), ("\u{2003}::x", "\u{2003}: :x"),
    ("a\r::x", "a\r: :x"), ("a ##[error]x", "a ## [error]x"), ("###[x", "### [x"),
    (":::x", ": ::x"),
  ])
  func aCommandIsDisarmed(_ text: String, _ expected: String) {
    #expect(disarmed([text]) == expected)
    #expect(disarmed(text.map { String($0) }) == expected)
  }

  @Test(arguments: ["a::b\n", "a: ::b", "# #[x", "#[x", "[##", "allow read: if a.b::c", "", "\n\n"])
  func otherTextStays(_ text: String) {
    #expect(disarmed([text]) == text)
    #expect(disarmed(text.map { String($0) }) == text)
  }
}
