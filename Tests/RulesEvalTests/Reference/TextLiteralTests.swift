import RulesLang
import Testing

@testable import RulesEval

/// Texts written as literals.
@Suite struct TextLiteralTests {
  @Test(arguments: [
    Text(), "a", "it's", "\\", "\\'", "\"", "a\nb\rc", "\u{8}\u{C}\t\u{0}", "é", "e\u{301}",
    "\u{1F600}",
    "${x}", Text(units: [0xD83D]), Text(units: [0xDE00, 0x41]), "\u{2028}",
  ])
  func theValueOfALiteralIsTheText(_ text: Text) {
    let evaluator = ExpressionEvaluator(environment: nil, profile: .emulator)
    guard case .value(.string(let value)) = evaluator.evaluate(text.literal) else {
      Issue.record("\(text.literal) is no string")
      return
    }
    #expect(value == text)
  }
}
