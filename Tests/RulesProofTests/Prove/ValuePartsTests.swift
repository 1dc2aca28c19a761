import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// Values that share their parts are paid for by their parts.
@Suite struct ValuePartsTests {
  /// `g<depth>(x)` is `x` in 2^(depth + 1) lists.
  private static func rules(_ depth: Int) -> String {
    var text = "match /c/{id} { function g0(x) { return [x, x]; } "
    for level in 1...depth { text += "function g\(level)(x) { return g\(level - 1)([x, x]); } " }
    return text + "allow get: if g\(depth)(resource.data.n) == g\(depth)(resource.data.m); }"
  }

  private static let never = #"{"path": "/c/{id}", "methods": "get", "never": true}"#

  @Test func partsAreCounted() throws {
    for depth in [12, 16] {
      let asked = try Asked(Self.rules(depth), Self.never)
      var parts = ValueParts(asked.rules)
      let count = parts.count(of: AllowID(0))
      #expect(count > 2 << depth && count < 64 << depth, "\(count)")
    }
    let plain = try Asked("match /c/{id} { allow get: if [1, 2] == resource.data.l; }", Self.never)
    var parts = ValueParts(plain.rules)
    #expect(parts.count(of: AllowID(0)) == 0)
  }

  /// What a request would cost is not spent beyond the steps, and the verdict says what ended the search.
  @Test func theVerdictNamesTheSteps() throws {
    let asked = try Asked(Self.rules(16), Self.never)
    let budget = Budget(steps: 10_000)
    guard case .undecided(let doubts) = Prover(asked.claims, within: budget).decide(0) else {
      Issue.record("it is decided")
      return
    }
    #expect(doubts.contains { $0.reason.contains("budget of 10,000 steps") }, "\(doubts)")
  }
}
