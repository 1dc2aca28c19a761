import RulesEval
import RulesLang
import RulesProof
import RulesSolver
import RulesStyle
import Testing

@testable import RulesTesting

/// What lints guess is proved or left out where proofs are asked for.
@Suite struct LintTrialTests {
  @Test func aStatementThatNeverGrantsHasNoOtherFinding() throws {
    let rules = """
      match /a/{id} {
        allow create: if request.auth.uid == id && request.resource.data.n is int;
        allow update: if request.auth.uid == id && 1 == 2;
      }
      """
    #expect(try codes(of: rules, deep: false).contains("update-bypass"))
    #expect(try codes(of: rules, deep: true) == ["dead-allow"])
  }

  @Test func aDenialThatNoOtherStatementUndoesIsNotPowerless() throws {
    let refuted = """
      match /{c}/{id} { allow write: if request.auth != null && c.size() < 3; }
      match /secrets/{id} { allow write: if false; }
      """
    #expect(try codes(of: refuted, deep: false).contains("powerless-deny"))
    #expect(try !codes(of: refuted, deep: true).contains("powerless-deny"))
    let shown = """
      match /{c}/{id} { allow write: if request.auth != null && c.size() < 30; }
      match /secrets/{id} { allow write: if false; }
      """
    #expect(try codes(of: shown, deep: true).contains("powerless-deny"))
  }

  @Test func aGlobThatGrantsNoMoreOfItsDocumentIsNoFinding() throws {
    let refuted = """
      match /users/{id} {
        allow update: if request.auth != null && request.auth.uid == id
          && request.resource.data.n < 10;
        match /{rest=**} {
          allow update: if request.auth != null && request.auth.uid == id
            && request.resource.data.n < 5;
        }
      }
      """
    #expect(try codes(of: refuted, deep: false).contains("zero-segments"))
    #expect(try !codes(of: refuted, deep: true).contains("zero-segments"))
    let shown = refuted.replacing("n < 5", with: "n < 50")
    #expect(try codes(of: shown, deep: true).contains("zero-segments"))
  }

  @Test func anUpdateThatChecksTheSameInOtherWordsIsNoBypass() throws {
    let rules = """
      match /a/{id} {
        allow create: if request.auth.uid == id && request.resource.data.n < 10;
        allow update: if request.auth.uid == id && LIMIT;
      }
      """
    let same = rules.replacing(
      "LIMIT", with: "request.resource.data.n <= 9 && request.resource.data.n is int")
    #expect(try !codes(of: same, deep: true).contains("update-bypass"))
    let weak = rules.replacing("LIMIT", with: "request.resource.data.n < 20")
    #expect(try !codes(of: weak, deep: false).contains("update-bypass"))
    #expect(try codes(of: weak, deep: true).contains("update-bypass"))
    let unchanged = rules.replacing("LIMIT", with: "request.resource.data.n == resource.data.n")
    #expect(try !codes(of: unchanged, deep: true).contains("update-bypass"))
  }

  @Test func aStepFromOneStatusToAnotherIsNoBypass() throws {
    let rules = """
      match /a/{id} {
        allow create: if request.auth.uid == id && request.resource.data.status in ['new'];
        allow update: if request.auth.uid == id && request.resource.data.status in ['new', 'sent'];
      }
      """
    #expect(try !codes(of: rules, deep: true).contains("update-bypass"))
  }

  private func codes(of blocks: String, deep: Bool) throws -> [String] {
    let checked = try Scripted.checked(blocks)
    guard deep else { return Linter().run(checked).map(\.code.name) }
    var search = RedundancySearch(Engine(checked))
    let report = search.run()
    let facts = LintTrial(checked, profile: .emulator, within: Budget())
      .facts(after: report.findings)
    return Linter().review(checked, proved: report.diagnostics(in: checked), knowing: facts)
      .told.map(\.code.name)
  }
}
