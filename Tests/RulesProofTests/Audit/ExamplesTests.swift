import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof
@testable import RulesProofTesting

/// Which requests a matrix shows.
@Suite struct ExamplesTests {
  private static let rules = """
    match /notes/{id} {
      allow read: if true;
      allow create, update: if request.auth != null && request.resource.data.size() < 20;
      allow delete: if resource.data.until < request.time;
    }
    """

  /// The answers are the same, and of the findings the requests are, too.
  @Test func whatIsShownChangesNoAnswer() throws {
    let checked = try Asked(Self.rules, "").rules
    let all = Auditor(checked).matrix()
    let few = Auditor(checked, examples: .ofFindings).matrix()
    #expect(all.cells.map { $0.answer } == few.cells.map { $0.answer })
    #expect(all.cells.map { $0.alternatives } == few.cells.map { $0.alternatives })
    #expect(
      all.findings.map { $0.witness.map { JSONText($0.record(name: "x")).compact } }
        == few.findings.map { $0.witness.map { JSONText($0.record(name: "x")).compact } })
    #expect(few.findings.contains { $0.witness != nil })
    #expect(few.cells.contains { $0.answer == .onlyIf && $0.allowed == nil })
  }

  /// A request that is shown has nothing in it that does not matter.
  @Test func whatIsShownIsSmall() throws {
    let matrix = Auditor(try Asked(Self.rules, "").rules).matrix()
    let path = try #require(matrix.paths.first)
    let row = try #require(path.rows.first { $0.operation == .delete })
    for cell in row.cells where cell.answer == .onlyIf {
      #expect(cell.allowed?.documents.all.map { $0.1.keys } == [["until"]])
      #expect(cell.denied?.documents.all.allSatisfy { $0.1.count == 0 } ?? false)
    }
    #expect(row.cells.contains { $0.answer == .onlyIf })
  }
}
