import Testing

@testable import RulesLang

/// A refused pattern says why and where, and in the emulator's words.
@Suite struct PatternErrorTests {
  private func error(_ source: Text) -> PatternError? {
    do throws(PatternError) {
      _ = try Pattern(source)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("*a", PatternError.Reason.nothingToRepeat, 0), ("a|*", .nothingToRepeat, 2),
    ("a**", .doubleRepetition, 2), ("{+", .doubleRepetition, 1), ("a{2,1}", .badCount, 1),
    ("a{1001}", .badCount, 1), ("a)", .unbalancedParenthesis, 1),
    ("é(", .unbalancedParenthesis, 2), ("a[(]", .unbalancedParenthesis, 2),
    ("[)]", .unbalancedParenthesis, 1), ("a[bc", .unclosedClass, 1), ("[b-a]", .badRange, 1),
    ("a\\", .badEscape, 1), ("\\Z", .badEscape, 0), ("\\1", .badEscape, 0),
    ("\\x{110000}", .badEscape, 0), ("[\\b]", .badEscape, 1), ("\\p{greek}", .unknownProperty, 0),
    ("é\\pX", .unknownProperty, 2), ("[[:foo:]]", .unknownNamedClass, 1), ("(?x)", .badGroup, 2),
    ("(?=a)", .badGroup, 2), ("(?<n>a)(?<n>b)", .duplicateGroupName, 8),
  ])
  func aBadPatternIsRefusedWithReasonAndPlace(
    _ source: String, _ reason: PatternError.Reason, _ offset: Int
  ) {
    #expect(error(Text(source)) == PatternError(reason, at: offset), "\(source)")
  }

  @Test func theLimitsOfTheRulesEngineComeFirst() {
    #expect(error(Text(String(repeating: "a", count: 4096))) == nil)
    #expect(error(Text(String(repeating: "a", count: 4097)))?.reason == .tooLong)
    #expect(error(Text(String(repeating: "😀", count: 2049)))?.reason == .tooLong)
    #expect(error(Text(String(repeating: "()", count: 101)))?.reason == .tooManyGroups)
    #expect(error(Text(String(repeating: "(", count: 21)))?.reason == .groupsTooDeep)
    #expect(error(Text("*" + String(repeating: "(", count: 21)))?.reason == .groupsTooDeep)
  }

  @Test func theMessagesAreTheEmulators() {
    #expect(
      error("a(")?.message(for: "a(") == "Invalid regular expression pattern. Pattern: a(.")
    let deep = Text(String(repeating: "(", count: 21))
    #expect(
      error(deep)?.message(for: deep)
        == Text("Regular expression too many nested groupings. Maximum allowed nested ")
        + "groupings: 20 Pattern: " + deep + ".")
  }
}
