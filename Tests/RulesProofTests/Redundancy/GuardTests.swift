import RulesEval
import RulesLang
import RulesProof
import Testing

@testable import RulesTesting

/// Guards that ask whether somebody is signed in, or whether something is there, are never called redundant
/// conditions: without them a denial may be an error, or they say what is meant.
@Suite struct GuardTests {
  /// Conditions of one block each, in which nothing but a guard changes no decision.
  static let guarded = [
    "allow get: if request.auth != null && request.auth.uid == id;",
    """
    allow get: if request.auth != null && request.auth.uid == id;
    allow get: if request.auth != null
      && get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
    """,
    "allow get: if request.auth != null && request.auth.uid == id || resource.data.open == true;",
    """
    function authenticated() { return request.auth.uid != null; }
    allow get: if authenticated() && request.auth.uid == id;
    """,
    """
    function signedIn() { return request.auth != null; }
    function isOwner(user) { return signedIn() && request.auth.uid == user; }
    allow get: if signedIn() && isOwner(id);
    """,
    """
    function mail() {
      return ('email' in request.auth.token && request.auth.token.email != null)
        ? request.auth.token.email.lower() : '';
    }
    allow read: if request.auth != null && (request.auth.token.admin == true
      || (mail() != '' && exists(/databases/$(database)/documents/admins/$(mail()))));
    """,
    "allow update: if resource != null && request.auth.uid == resource.data.owner;",
    "allow update: if resource == null || request.auth.uid == resource.data.owner;",
    "allow create: if 'x' in request.resource.data && request.resource.data.x > 3;",
  ]

  @Test(arguments: guarded)
  func aGuardIsNoRedundantCondition(_ statements: String) throws {
    let codes = try findings(of: statements).map(\.code.name)
    #expect(!codes.contains("redundant-condition"), "\(codes)")
  }

  @Test func partsThatAskForMoreAreStillFound() throws {
    let found = try findings(
      of: """
        allow get: if request.auth != null && request.auth.uid == id && request.auth.uid == id
          && (resource.data.n > 1 || true);
        """)
    #expect(found.filter { $0.code.name == "redundant-condition" }.count == 2)
  }

  @Test func aGuardThatIsNeverFalseIsSaidToChangeNoDecision() throws {
    let found = try findings(
      of: "allow update: if resource != null && request.auth.uid == resource.data.owner;")
    let message = try #require(found.first { $0.code.name == "redundant-guard" }?.message)
    #expect(
      message
        == "`resource != null` changes no decision: without it every request is decided the same")
  }

  private func findings(of statements: String) throws -> [Diagnostic] {
    let checked = try Scripted.checked("match /a/{id} { \(statements) }")
    var search = RedundancySearch(Engine(checked))
    return search.run().diagnostics(in: checked)
  }
}
