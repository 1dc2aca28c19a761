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

  /// The claim's own condition for its own requests comes first; what would take the field away from its
  /// owner, too, is none.
  @Test func theClaimsConditionComesFirst() throws {
    let found = try repairs(
      """
      match /users/{uid} {
        allow update: if request.auth.uid == uid || request.auth.token.admin == true;
      }
      """,
      #"""
      {"path": "/users/{u}", "methods": "update", "writes": ["token"],
        "onlyIf": "request.auth.uid == u"}
      """#)
    #expect(
      found.map { $0.change } == [
        "add the claim's condition, for changes of `token`, to line 2",
        "add the claim's condition to line 2",
      ])
    // Where one alternative is required, it is all that is left.
    #expect(found.last?.lines == ["allow update: if request.auth.uid == uid;"])
    #expect(
      found.first?.takesAway == [
        "a signed-in user with the claim `admin == true` who is not the owner can no longer change "
          + "`token` of /users/{uid}"
      ])
  }

  @Test func whatIsThereIsNotRepeated() throws {
    let found = try repairs(
      """
      function signedIn() { return request.auth != null; }
      match /posts/{p} { allow delete: if signedIn() && p != 'x'; }
      """,
      #"""
      {"path": "/posts/{p}", "methods": "delete",
        "onlyIf": "request.auth != null && request.auth.uid == p"}
      """#)
    #expect(
      found.first?.lines.first?.contains("if signedIn() && p != 'x' && request.auth.uid == p;")
        == true)
  }

  /// The claim's variables are those of outer blocks, whatever a glob below them stands for.
  @Test func wildcardsOfOuterBlocksHaveNames() throws {
    let found = try repairs(
      "match /rooms/{room} { match /{rest=**} { allow create: if request.auth != null; } }",
      #"""
      {"path": "/rooms/{r}/messages/{m}", "methods": "create", "onlyIf": "request.auth.uid == r"}
      """#)
    #expect(found.first?.change == "add the claim's condition to line 1")
    #expect(
      found.first?.lines.first?.contains("if request.auth != null && request.auth.uid == room;")
        == true)
  }

  /// `true` is no conjunct, and reading is not taken away where a condition helps.
  @Test func nothingIsRequiredBesideTrue() throws {
    let found = try repairs(
      "match /posts/{p} { allow read: if (true); }",
      #"{"path": "/posts/{p}", "methods": "read", "onlyIf": "request.auth != null"}"#)
    #expect(found.map { $0.change } == ["add the claim's condition to line 1"])
    #expect(
      found.first?.lines.first?.contains("{ allow read: if request.auth != null; }") == true)
  }

  /// No proof follows single segments of a catch-all's path, so it leaves the collection out.
  @Test func aCatchAllLeavesTheClaimsCollectionOut() throws {
    let found = try repairs(
      """
      match /users/{u}/private/{x} { allow get: if request.auth != null; }
      match /{d=**} { allow get: if request.auth.token.support == true; }
      """,
      #"""
      {"path": "/users/{u}/private/{x}", "methods": "get", "onlyIf": "request.auth.uid == u"}
      """#)
    #expect(
      found.first?.change
        == "add the claim's condition to line 1; leave `/users` out of line 2")
    #expect(
      found.first?.lines.last?.hasPrefix(
        "match /{collection}/{d=**} { allow get: if request.auth.token.support == true "
          + "&& collection != 'users'; }") == true)
  }

  @Test func carriageReturnsAndTabsStay() throws {
    let text = [
      "rules_version = '2';", "service cloud.firestore {", " match /databases/{d}/documents {",
      "\tmatch /a/{x} {", "\t\tallow read, write: if request.auth != null; // here", "\t}", " }",
      "}", "",
    ].joined(separator: "\r\n")
    let checked = try #require(Checker.check(SourceText(name: "a.rules", text)).checked)
    let (suite, _) = SuiteReader.read(
      SourceText(
        name: "s.json",
        #"{"claims": [{"path": "/a/{x}", "methods": "write", "onlyIf": "request.auth.uid == x"}]}"#)
    )
    let claim = try #require(suite?.claims.first)
    let set = try ClaimSet([claim], about: checked)
    guard case .violated(let found) = Prover(set).decide(0) else {
      return #expect(Bool(false), "not violated")
    }
    let search = RepairSearch(Engine(checked), claim: claim, suite: nil, at: .epoch) { Budget() }
    let repair = try #require(search.repairs(of: found).first)
    #expect(
      String(decoding: repair.rules.bytes, as: UTF8.self)
        == text.replacing(
          "allow read, write: if request.auth != null;",
          with: "allow write: if request.auth != null && request.auth.uid == x;\r\n"
            + "\t\tallow read: if request.auth != null;"))
    #expect(
      repair.lines == [
        "allow write: if request.auth != null && request.auth.uid == x;",
        "allow read: if request.auth != null; // here",
      ])
  }
}
