import Foundation
import RulesLang
import RulesStyle
import Testing

@testable import RulesTesting

/// What the lints find in files that say so themselves: `// expect: CODE "text"` at the end of a
/// line names a finding that begins on it and the exact text that it underlines, `// expect-next:`
/// one on the next line. Nothing else may be found.
@Suite struct LintTests {
  @Test(arguments: Golden.cases("lint"))
  func theLintsFindWhatTheFileExpectsAndNothingElse(_ name: String) throws {
    let file = Golden.folder("lint").appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let source = SourceText(name: name, text)
    let outcome = Checker.check(source)
    let checked = try #require(outcome.checked, "\(outcome.diagnostics.map(\.message))")
    let found = Linter().run(checked).filter { $0.origin == .lint }
    try ExpectedFinding.expect(found, in: source)
  }

  /// Where several expressions that begin at one place need what is absent, it is the same one in every run.
  @Test func whatIsAbsentIsUnderlinedAsFarAsItIsNeeded() throws {
    let statements = (0..<12).map { "allow get, delete: if request.resource.data.f\($0) == 1;" }
    let checked = try Scripted.checked(
      "match /a/{b} { \(statements.joined(separator: "\n")) }")
    let found = Linter().run(checked).filter { $0.code.name == "absent-resource" }
    let underlined = found.map { $0.related.map { checked.ruleset.source.string($0.range) } }
    #expect(underlined.count == statements.count)
    for each in underlined { #expect(each == ["request.resource", "request.resource.data"]) }
  }

  @Test func aCommentSilencesARemarkAboutTheWholeFile() throws {
    let file = Golden.folder("lint").appendingPathComponent("version-one.rules")
    let source = SourceText(name: "v1", try String(contentsOf: file, encoding: .utf8))
    let checked = try #require(Checker.check(source).checked)
    #expect(checked.warnings.map(\.code.name) == ["old-version"])
    #expect(Linter().run(checked).isEmpty)
  }

  @Test func anIgnoreOfAProvedLintIsNotUnusedWhereNobodyLookedForIt() throws {
    let text = """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents/a/{b} {
        // rules-check: ignore dead-allow it is kept for later
        allow get: if d == 'here';
      } }
      """
    let checked = try #require(Checker.check(SourceText(name: "x", text)).checked)
    let codes = Linter().run(checked).map(\.code.name)
    #expect(!codes.contains("unused-ignore"))
    #expect(Linter().run(checked, proved: []).map(\.code.name) == codes + ["unused-ignore"])
  }

  @Test func aLevelSilencesOrRaisesWhatLintAndCompilerSay() throws {
    let source = SourceText(
      name: "x",
      "service cloud.firestore { match /databases/{d}/documents/a/{b} { allow read; } }")
    let checked = try #require(Checker.check(source).checked)
    func run(_ levels: [String: LintLevel]) -> [String] {
      var byCode: [Code: LintLevel] = [:]
      for code in Code.all + Lints.all.map(\.code) { byCode[code] = levels[code.name] }
      return Linter(levels: byCode).run(checked).map { "\($0.code.name) \($0.severity.word)" }
    }
    #expect(run([:]) == ["old-version warning", "open-read info"])
    #expect(run(["open-read": .off]) == ["old-version warning"])
    #expect(
      run(["open-read": .on(.error), "old-version": .on(.error)])
        == ["old-version error", "open-read error"])
    #expect(run(["open-read": .off, "old-version": .off]).isEmpty)
  }
}
