import RulesEval
import RulesLang
import RulesSolver
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// Changes of rules under which a claim is proved that does not hold of them.
@Suite struct RepairTests {
  private func repairs(_ blocks: String, _ claim: String, tests: String = "") throws -> [Repair] {
    let asked = try Asked(blocks, claim)
    guard case .violated(let found) = try #require(asked.verdicts.first) else { return [] }
    let text = #"{"users": {"a": "a"}, "tests": ["# + tests + "]}"
    let (suite, problems) = SuiteReader.read(SourceText(name: "s.json", text))
    #expect(problems.isEmpty)
    let search = RepairSearch(
      Engine(asked.rules), claim: asked.claims.claims[0].claim, suite: suite, at: .epoch
    ) { Budget() }
    let repairs = search.repairs(of: found)
    for repair in repairs {
      // What is proposed is asked once more.
      let checked = try #require(Checker.check(repair.rules).checked)
      let set = try ClaimSet([asked.claims.claims[0].claim], about: checked)
      #expect(Prover(set).decide(0).word == "proved")
      #expect(!repair.takesAway.isEmpty)
    }
    return repairs
  }

  private static let roles = """
    match /users/{u} { allow write: if request.auth.uid == u; }
    match /admin/{x} {
      allow get: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 1;
    }
    """
  private static let onlyAdmins = #"""
    {"path": "/admin/{x}", "methods": "get", "through": "any", "onlyIf":
    "get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 1"}
    """#

  @Test func theFieldOfARoleIsPinned() throws {
    let found = try repairs(Self.roles, Self.onlyAdmins)
    // Without the methods nobody could sign up.
    #expect(found.map { $0.change } == ["let create and update leave `role` alone in line 1"])
    #expect(
      found.first?.lines.first?.hasSuffix(
        "allow create: if request.auth.uid == u && !request.resource.data.keys().hasAny(['role']);")
        == true)
    #expect(
      found.first?.lines.dropFirst() == [
        "allow update: if request.auth.uid == u && "
          + "!request.resource.data.diff(resource.data).affectedKeys().hasAny(['role']);",
        "allow delete: if request.auth.uid == u; }",
      ])
  }

  /// A change is not proposed under which a test fails that passed.
  @Test func testsThatPassedStillPass() throws {
    let test = #"""
      {"as": "a", "create": "/users/a", "data": {"name": "A"}, "expect": "allow"}
      """#
    #expect(try repairs(Self.roles, Self.onlyAdmins, tests: test).count == 1)
    let role = test.replacing(#""name": "A""#, with: #""role": 1"#)
    #expect(try repairs(Self.roles, Self.onlyAdmins, tests: role).isEmpty)
  }

  @Test func whatTheClaimSaysIsAskedForInTheNamesOfTheStatement() throws {
    let found = try repairs(
      "match /posts/{post} { allow read; allow update: if request.auth != null || post == 'x'; }",
      #"{"path": "/posts/{p}", "methods": "update", "onlyIf": "request.auth.uid == p"}"#)
    #expect(
      found.first?.rules.bytes.isEmpty == false
        && found.first?.lines.first?.contains(
          "allow update: if (request.auth != null || post == 'x') && request.auth.uid == post;")
          == true
    )
  }
}
