import Testing

@testable import RulesLang

/// Texts that are not UTF-8.
@Suite struct EncodingTests {
  @Test func aTextInUTF16IsOneMistake() {
    let rules = "rules_version = '2';\nservice cloud.firestore { }\n"
    let little: [UInt8] = rules.utf8.flatMap { [$0, 0] }
    let big: [UInt8] = rules.utf8.flatMap { [0, $0] }
    // With a byte order mark and without.
    for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big] as [[UInt8]] {
      let outcome = Checker.check(SourceText(name: "a.rules", bytes: bytes))
      #expect(outcome.checked == nil)
      #expect(outcome.diagnostics.map { $0.code.name } == ["invalid-utf8"])
      #expect(outcome.diagnostics.allSatisfy { $0.message.contains("UTF-16") })
    }
  }
}
