import RulesLang
import Testing

@testable import RulesEval

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
    let matrix = try ConformanceData.json("list-matrix.json")
    let documents = try ConformanceRequest.documents(matrix["documents"] ?? JSON(.null))
    var count = 0
    var disagreements: [String] = []
    guard case .object(let rows) = matrix["cells"]?.kind else { return }
    for row in rows {
      let rules = RulesetCase.rules(allowing: "list", if: String(row.key))
      guard case .object(let queries) = matrix["queries"]?.kind else { return }
      let order = matrix["order"]?.elements ?? []
      for (place, decision) in (row.value.string ?? "").enumerated() {
        guard let name = order[place].text,
          let query = queries.first(where: { $0.key == name })?.value
        else { continue }
        count += 1
        let request = Request(
          principal: Principal(uid: "u1"), time: ConformanceRequest.time,
          operation: .list(
            try ConformanceRequest().query(query, parent: DocumentPath([]))))
        let granted = try RulesetCase.decide(rules, documents, request)
        if granted != (decision == "A") {
          disagreements.append("\(String(row.key)) under \(String(name)): \(granted)")
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
