import RulesEval
import RulesLang
import RulesProof
import RulesProofReport
import RulesReport
import Testing

@testable import RulesTesting

/// Reports made the way a page would make them: from texts in memory to text in memory, by what the
/// modules offer to everybody.
@Suite struct RenderingTests {
  private static let rules = SourceText(
    name: "app.rules",
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /notes/{id} {
          allow read: if request.auth.uid == resource.data.owner || true;
          allow write: if request.auth != null;
        }
      }
    }
    """)
  private static let suite = SourceText(
    name: "app.suite.json",
    #"""
    {"rules": "app.rules", "documents": {"/notes/n": {"owner": "ann"}}, "tests": [
      {"name": "mine", "as": {"uid": "ann"}, "get": "/notes/n", "expect": "allow"},
      {"name": "not mine", "as": {"uid": "bob"}, "get": "/notes/n", "expect": "deny"},
      {"name": "signed out", "as": null, "delete": "/notes/n", "expect": "allow"}
    ], "claims": [
      {"name": "owners", "path": "/notes/{id}", "methods": ["get"], "onlyIf": "request.auth != null"}
    ]}
    """#)

  /// What came of the suite, with its coverage.
  private static func report() throws -> TestReport {
    let checked = try #require(Checker.check(rules).checked)
    let suite = try #require(SuiteReader.read(suite).suite)
    let engine = Engine(checked)
    var tally = TestReport.Tally()
    let results = suite.tests.map {
      engine.run($0, documents: suite.documents, now: .epoch, tracing: true)
    }
    for result in results { tally.add(result, nanoseconds: 0) }
    var ran = TestReport.Suite(
      source: suite.source, rulesPath: "app.rules", rules: checked, tally: tally, results: results)
    let set = try ClaimSet(suite.claims, about: checked)
    ran.claims = [
      ClaimResult(
        claim: suite.claims[0], verdict: Prover(set).decide(0), nanoseconds: 0,
        rules: set.engine.rules.ruleset, profile: .emulator)
    ]
    var coverage = CoverageReport(required: 99)
    coverage.add(results, path: "app.rules", of: checked)
    return TestReport(suites: [ran], nanoseconds: 0, coverage: coverage)
  }

  private static func text(_ report: TestReport, _ palette: Palette) -> String {
    let style = TestText.Style(
      palette, isQuiet: false, showsAll: true, explainsAll: true, showsCoverage: true)
    return TestText(style).render(report)
  }

  @Test func coloursChangeNothingButColour() throws {
    let report = try Self.report()
    let plain = Self.text(report, .plain)
    let coloured = Self.text(report, .ansi)
    #expect(plain.contains("not mine") && plain.contains("VIOLATED") && plain.contains("coverage"))
    #expect(coloured != plain)
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test func theCoveragePageNamesProgramAndOutcome() throws {
    let report = try Self.report()
    let figures = TestText.figures(of: report)
    #expect(figures == "3 tests, 1 passed, 2 failed; 1 claim, 1 violated")
    let page = CoveragePage(try #require(report.coverage), result: figures).text
    #expect(page.contains("<p class=\"run\">rules-check \(Product.version): \(figures)</p>"))
    #expect(page.contains("\"file\":\"app.rules\""))
  }

  @Test func everyFormatIsMadeInMemory() throws {
    let report = try Self.report()
    #expect(report.conclusion == .failure)
    var (json, junit, tap) = ("", "", "")
    TestJSON(report).write(to: &json)
    JUnitReport(report).write(to: &junit)
    TAPReport(report).write(to: &tap)
    let remarks = TestAnnotations(report).problems
    let coverage = try #require(report.coverage)
    let texts = [
      json, junit, tap, GitHubReport(remarks).text,
      SARIFReport(remarks, rules: TestAnnotations.kinds).text,
    ]
    for text in texts { #expect(text.contains("not mine")) }
    for text in [
      LCOVReport(coverage).text, CoveragePage(coverage).text, RuleCoverageReport(coverage).text,
    ] {
      #expect(text.contains("app.rules"))
    }
  }
}
