import RulesLang
import Testing

/// Literals as rules write them.
@Suite struct LiteralTextTests {
  @Test(arguments: [
    (Literal.bytes([0x41, 0x27, 0x5C, 0xFF, 0x00]), #"b'A\x27\x5c\xff\x00'"#),
    (.bytes([]), "b''"), (.float(1.5), "1.5"), (.float(0), "0.0"),
    (.float(1e21), "1000000000000000000000.0"), (.float(1.25e20), "125000000000000000000.0"),
    (.float(1.5e-7), "0.00000015"), (.float(1e-5), "0.00001"), (.string("it's"), #"'it\'s'"#),
    (.null, "null"), (.int(7), "7"),
  ]) func aLiteralIsWrittenWithoutExponents(_ case_: (literal: Literal, text: String)) {
    #expect(case_.literal.rulesText == case_.text)
  }

  /// What is written is read as the same.
  @Test(arguments: [
    Literal.bytes(Array(0...255)), .float(1e300), .float(.leastNonzeroMagnitude), .float(.infinity),
    .float(.greatestFiniteMagnitude), .float(123456.789), .float(9_007_199_254_740_992),
  ]) func whatIsWrittenIsReadAsTheSame(_ literal: Literal) throws {
    let text =
      "service cloud.firestore { match /a/{b} { allow get: if \(literal.rulesText) == b; } }"
    let rules = try #require(Checker.check(SourceText(name: "t.rules", text)).checked)
    let condition = try #require(rules.ruleset.allows.first?.condition)
    guard case .binary(_, let left, _) = rules.ruleset[condition.root].kind else {
      return #expect(Bool(false), "no comparison")
    }
    #expect(rules.ruleset[left].kind == .literal(literal))
  }
}
