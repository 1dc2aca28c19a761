import RulesLang
import Testing

@testable import RulesEval
@testable import RulesTesting

/// The recorded answers of the official emulator: every one must come out the same.
@Suite struct ConformanceTests {
  @Test func everyExpressionHasTheValueOrErrorThatTheEmulatorGave() throws {
    let environments = try ConformanceData.environments()
    let cases = try ConformanceData.lines("expressions.jsonl")
    var disagreements: [String] = []
    for json in cases {
      let one = try ExpressionCase(json, environments)
      if let disagreement = try one.disagreement() { disagreements.append(disagreement) }
    }
    report("expressions", cases.count, disagreements)
  }

  @Test func everyRulesetDecidesAsTheEmulatorDid() throws {
    let cases = try ConformanceData.lines("rulesets.jsonl")
    var disagreements: [String] = []
    for json in cases {
      if let disagreement = try RulesetCase(json).disagreement() {
        disagreements.append(disagreement)
      }
    }
    report("rule sets", cases.count, disagreements)
  }

  @Test func everyCellOfTheQueryMatrixDecidesAsTheEmulatorDid() throws {
    let matrix = try QueryMatrix()
    var count = 0
    var disagreements: [String] = []
    for row in matrix.rows {
      for cell in row.cells {
        count += 1
        let granted = try RulesetCase.decide(row.rules, matrix.documents, cell.request)
        if granted != cell.isAllowed {
          disagreements.append("\(String(cell.condition)) under \(String(cell.query)): \(granted)")
        }
      }
    }
    #expect(count == 3198)
    report("query cells", count, disagreements)
  }

  private func report(_ what: String, _ count: Int, _ disagreements: [String]) {
    print("conformance: \(count - disagreements.count) of \(count) \(what) agree")
    #expect(count > 0)
    let shown = disagreements.prefix(40).joined(separator: "\n")
    #expect(disagreements.isEmpty, "\(disagreements.count) of \(count) disagree:\n\(shown)")
  }
}
