import Testing

@testable import rules_check_dev

/// Digits that Java prints and nobody needs.
@Suite struct FloatDigitsTests {
  @Test func floatsInTextsHaveTheFewestDigits() {
    #expect(
      FloatDigits.fewest(#"path["6.1489146912365169E18", "a"]"#)
        == #"path["6.148914691236517E18", "a"]"#)
    #expect(FloatDigits.fewest("-2.0000000000000001E-3x") == "-0.002x")
  }

  @Test func everythingElseStays() {
    for text in [
      "", "1", "1.5", "1.", ".5", "1.5E", "9223372036854775807", "12345678901234567.x", "1.50",
      "6.148914691236517E18", "é1.5",
    ] {
      #expect(FloatDigits.fewest(text) == text)
    }
  }
}
