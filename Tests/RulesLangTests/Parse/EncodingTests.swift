import Testing

@testable import RulesLang

/// Texts that are not UTF-8.
@Suite struct EncodingTests {
  @Test func aTextInUTF16IsOneMistake() {
    let rules = "rules_version = '2';\nservice cloud.firestore { }\n"
    for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] {
      let bytes = mark + rules.utf8.flatMap { mark[0] == 0xFF ? [$0, 0] : [0, $0] }
      let outcome = Checker.check(SourceText(name: "a.rules", bytes: bytes))
      #expect(outcome.checked == nil)
      #expect(outcome.diagnostics.map { $0.code.name } == ["invalid-utf8"])
    }
  }
}
