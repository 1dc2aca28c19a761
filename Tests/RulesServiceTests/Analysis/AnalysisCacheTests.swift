import Foundation
import RulesEval
import RulesLang
import RulesProofReport
import RulesSolver
import RulesStyle
import Testing

@testable import RulesService
@testable import RulesTesting

/// What is kept, and what is found out anew.
@Suite struct AnalysisCacheTests {
  private func source(_ text: String, _ name: String = "a.rules") -> SourceText {
    SourceText(
      name: name,
      "rules_version = '2';\nservice cloud.firestore {\n"
        + "match /databases/{database}/documents/a/{b} { \(text) } }")
  }

  @Test func whatHasNotChangedIsNotAnalysedAgain() {
    var cache = AnalysisCache()
    let first = cache.rules(source("allow read;"))
    #expect(cache.rules(source("allow read;")) === first)
    #expect(cache.analysed == 1)
    let second = cache.rules(source("allow write;"))
    #expect(second !== first)
    // What is undone is still there.
    #expect(cache.rules(source("allow read;")) === first)
    #expect(cache.analysed == 2)
    // The same text of another file has its own findings.
    #expect(cache.rules(source("allow read;", "b.rules")) !== first)
  }

  @Test func otherSettingsFindOtherThings() {
    var cache = AnalysisCache()
    let codes = cache.rules(source("allow read;")).diagnostics.map { $0.code.name }
    #expect(codes.contains("open-read"))
    let code = Lints.all.first { $0.code.name == "open-read" }?.code
    cache.settings = AnalysisSettings(levels: code.map { [$0: .off] } ?? [:])
    let silenced = cache.rules(source("allow read;")).diagnostics.map { $0.code.name }
    #expect(!silenced.contains("open-read"))
  }

  @Test func howeverManyEditsThereAreFewTextsAreKept() {
    var cache = AnalysisCache()
    var kept: [Weak] = []
    for number in 0..<200 {
      kept.append(Weak(cache.rules(source("allow read: if \(number) == 1;"))))
      kept.append(Weak(cache.rules(source("allow read: if \(number) == 2;", "\(number).rules"))))
    }
    #expect(kept.count { $0.analysis != nil } <= 64)
    #expect(kept.last?.analysis != nil)
  }

  private final class Weak {
    weak var analysis: RulesAnalysis?
    init(_ analysis: RulesAnalysis) { self.analysis = analysis }
  }

  @Test func namesOfRulesThatCompileAreThoseOfTheChecker() throws {
    let rules = MarkedText.block(
      """
      function f(a) { let b = a; return b == note && g(); }
      function g() { return request.auth != null; }
      allow read: if f(1) && math.abs(-1) == 1;
      """)
    let analysis = RulesAnalysis(rules.source, settings: AnalysisSettings())
    let checked = try #require(analysis.checked)
    #expect(analysis.names.bindings == checked.bindings)
    #expect(analysis.names.types == checked.types)
  }

  @Test func theSuitesOfRulesTellWhichTestsTriedAStatement() throws {
    let rules = MarkedText.block("allow get: if note == 'a';\nallow list: if false;")
    let text = SourceText(
      name: "a.suite.json",
      """
      {"rules": "a.rules", "tests": [{"get": "/notes/a", "expect": "allow"},
      {"get": "/notes/b", "expect": "allow"}, {"get": "/notes/c", "expect": "deny"}],
      "claims": [{"path": "/notes/{n}", "methods": "list", "never": true},
      {"path": "/notes/{n}", "methods": "get", "never": true}]}
      """)
    let suite = try #require(SuiteAnalysis(text).suite)
    let analysis = RulesAnalysis(rules.source, settings: AnalysisSettings())
    let checked = try #require(analysis.checked)
    let time = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
    var run = try #require(
      SuiteRun(testsIn: text, about: checked, profile: .emulator, now: time))
    run.decideClaims(in: text, about: checked, profile: .emulator, within: { .whole() })
    #expect(run.tests.map { $0.failures.count } == [0, 1, 0])
    #expect(run.claims.map { $0.word } == ["proved", "violated"])
    #expect(run.claims.map { $0.isPassed } == [true, false])
    var runs = RulesRuns()
    runs.suites = [("a.suite.json", run)]
    runs.last = (run.tests[2].name, run.lastValues)
    #expect(runs.tests(of: AllowID(0)) == (2, 1))
    #expect(runs.tests(of: AllowID(1)) == (0, 0))
    analysis.note(runs)
    let titles = analysis.lenses.map { $0.title }
    #expect(titles == ["1 of 3 tests fail", "prove …", "no test", "prove …"])
    let place = try #require(
      rules.source.string(SourceRange(start: 0, end: 9999)).range(of: "note =="))
    let text2 = rules.source.string(SourceRange(start: 0, end: 9999))
    let offset = text2.utf8.distance(from: text2.startIndex, to: place.lowerBound)
    let hover = try #require(analysis.hover(at: offset)?.markdown)
    #expect(hover.contains("\"c\"` in the test"))
    #expect(hover.contains("a value 3×"))
    // One test alone.
    let one = try #require(
      SuiteRun(
        testsIn: text, about: checked, profile: .emulator, at: suite.tests[0].range, now: time))
    #expect(one.tests.count == 1)
    let cancelled = SuiteRun(
      testsIn: text, about: checked, profile: .emulator, now: time, isCancelled: { true })
    #expect(cancelled == nil)
  }
}
