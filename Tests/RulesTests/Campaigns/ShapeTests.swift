import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting
@testable import rules_check_dev

/// A sample of the shape table; `rules-check differential --shapes 0` compares all of it, and
/// `SHAPE_CASES=5000 SHAPE_SEED=7 swift test --filter ShapeTests` more of it.
@Suite struct ShapeTests {
  private static let cases = Wanted.number("SHAPE_CASES", usually: 150, sample: 8)
  private static let seed = Wanted.seed("SHAPE_SEED")

  @Test(arguments: Method.allCases)
  func propositionsAndVerdictsAreWhatTheEvaluatorSays(_ method: Method) {
    let result = ShapeCampaign(seed: Self.seed).compare(Self.cases, method: method)
    #expect(result.different.isEmpty, "\(result.different.prefix(5).joined(separator: "\n"))")
    #expect(result.compared > Self.cases / 2)
    #expect(result.open < result.compared / 4)
  }

  @Test func theTableHasEveryShapeUnderEveryOperation() {
    let expressions = ShapeTable(.update).expressions
    #expect(expressions.count > 30_000)
    for entry in Builtins.table where entry.receiver != nil && entry.receiver != .constraint {
      #expect(expressions.contains { $0.contains(".\(String(entry.name))(") }, "\(entry.name)")
    }
  }
}
