import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofReport
@testable import RulesReport

/// An evaluator that never agrees with the search is what a defect of the prover looks like: nothing is
/// decided, and what is needed to see why can be written to files that show it again.
@Suite struct DefectTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow update: if request.resource.data.name == 'x';
        }
      }
    }

    """
  private static let source = SourceText(name: "r.rules", rules)
  private static let suite = """
    {"rules": "r.rules", "claims": [{"name": "owners only", "path": "/users/{uid}",
      "methods": ["update"], "writes": ["name"], "onlyIf": "request.auth.uid == uid"}]}
    """

  /// The claim's result, decided with an evaluator that confirms nothing.
  private static func doubtful() throws -> ClaimResult {
    let set = try set()
    var prover = Prover(set)
    prover.replay = { _, _ in nil }
    return result(of: set, prover.decide(0))
  }

  private static func set() throws -> ClaimSet {
    let checked = try #require(
      Checker.check(Self.source).checked)
    let claim = try #require(
      SuiteReader.read(SourceText(name: "suite", Self.suite)).0?.claims.first)
    return try ClaimSet([claim], about: checked)
  }

  private static func result(of set: ClaimSet, _ verdict: Verdict) -> ClaimResult {
    ClaimResult(
      claim: set.claims[0].claim, verdict: verdict, nanoseconds: 0,
      rules: set.engine.rules.ruleset, profile: set.engine.profile)
  }

  @Test func whatIsNotConfirmedIsOurDefect() throws {
    let result = try Self.doubtful()
    guard case .undecided(let openReasons) = result.verdict else {
      Issue.record("\(result.verdict)")
      return
    }
    #expect(result.conclusion == .undecided)
    #expect(openReasons.count == 1)
    #expect(openReasons[0].reason.contains("please report it"))
    #expect(openReasons[0].replay?.test != nil)
  }

  @Test func theBundleShowsItAgain() throws {
    let bundle = try #require(DefectBundle(try Self.doubtful(), about: Self.source))
    let files = bundle.files(named: "1")
    #expect(files.map { $0.name } == ["1.rules", "1.suite.json", "1.txt"])
    #expect(files[0].bytes == Array(Self.rules.utf8))

    // The suite states the claim again, and the request with what the search expects of it.
    let (read, problems) = SuiteReader.read(SourceText(name: "1.suite.json", bytes: files[1].bytes))
    let suite = try #require(read, "\(problems.map { $0.message })")
    #expect(suite.rulesPath == "1.rules")
    #expect(suite.claims.map { $0.name } == ["owners only"])
    #expect(suite.claims[0].writes.map { $0.text } == ["name"])
    let test = try #require(suite.tests.first)
    #expect(suite.tests.count == 1)
    #expect(test.expectation == .allow)

    let checked = try #require(
      Checker.check(SourceText(name: "1.rules", bytes: files[0].bytes)).checked)
    let again = try ClaimSet(suite.claims, about: checked)
    guard case .violated = Prover(again).decide(0) else {
      Issue.record("the evaluator as it is should confirm the hole")
      return
    }
  }

  @Test func theNotesSayWhatTheSearchFound() throws {
    let bundle = try #require(DefectBundle(try Self.doubtful(), about: Self.source))
    let notes = String(decoding: bundle.files(named: "1")[2].bytes, as: UTF8.self)
    let lines = notes.split(separator: "\n")
    #expect(lines.contains("profile emulator"))
    #expect(lines.contains("question update document /users/*"))
    #expect(lines.contains("term constant string:x"), "\(notes)")
    #expect(lines.contains { $0.hasPrefix("holds ") })
  }

  @Test func whatIsDecidedHasNoBundle() throws {
    let set = try Self.set()
    let result = Self.result(of: set, Prover(set).decide(0))
    #expect(DefectBundle(result, about: Self.source) == nil)
  }
}
