import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// Which block is said to have nearly applied, and why it did not.
@Suite struct NearestMatchTests {
  private static let rules = """
    match /users/{id} {
      allow get: if true;
      allow update, delete: if true;
      match /private/{doc} { allow read: if true; }
    }
    match /settings/global { allow read: if true; }
    match /{path=**}/tags/{tag} { allow get: if true; }
    """

  @Test(arguments: [
    (
      #""create": "/users/a", "data": {}"#,
      "`match /users/{id}` fits, but its statements are only for get, update, delete"
    ),
    (#""get": "/user/a""#, "`match /users/{id}` does not fit: `user` is not `users`"),
    (
      #""get": "/users/a/privat/b""#,
      "`match /users/{id}/private/{doc}` does not fit: `privat` is not `private`"
    ),
    (
      #""get": "/users/a/private/b/c/d""#,
      "`match /users/{id}/private/{doc}` does not reach below itself: the path goes on with /c/d"
    ),
    (
      #""list": "/settings""#,
      "`match /settings/global` does not fit: a query reads more than the document `global`"
    ),
    (
      #""list": "/tags", "collectionGroup": true"#,
      "`match /{path=**}/tags/{tag}` fits, but its statements are only for get"
    ),
    (
      #""list": "/users", "collectionGroup": true"#,
      "`match /users/{id}` does not fit: a collection group needs `{path=**}` before the collection"
    ),
  ])
  func theNearestBlockAndItsReasonAreTold(_ request: String, _ sentence: String) throws {
    let decision = try Scripted.decide(Self.rules, request)
    let access = try #require(decision.decision.accesses.last)
    #expect(access.tried.isEmpty)
    let nearest = try #require(NearestMatch.find(for: access.access, in: decision.rules))
    #expect(nearest.sentence(in: decision.rules.ruleset) == sentence)
  }

  @Test func inVersionOneABlockBelowAGlobIsNotReached() throws {
    let decision = try Scripted.decide(
      "match /{path=**} { match /a/{b} { allow get: if true; } }", #""get": "/c/d/a/b""#,
      version: 1)
    let access = try #require(decision.decision.accesses.last)
    let nearest = try #require(NearestMatch.find(for: access.access, in: decision.rules))
    #expect(
      nearest.sentence(in: decision.rules.ruleset)
        == "`match /{path=**}/a/{b}` fits, but in version 1 nothing below `{…=**}` is reached")
  }

  @Test func wordsThatAreNoMethodsAreNamed() throws {
    let decision = try Scripted.decide(
      "match /c/{id} { allow reed: if true; allow create: if true; }", #""get": "/c/d""#)
    let access = try #require(decision.decision.accesses.last)
    let nearest = try #require(NearestMatch.find(for: access.access, in: decision.rules))
    let source = decision.rules.ruleset.source
    let line = source.line(of: decision.rules.ruleset.allows[0].keyword.start)
    #expect(
      nearest.sentence(in: decision.rules.ruleset)
        == "`match /c/{id}` fits, but its statements are only for create; `reed` on line \(line) is not a method"
    )
  }

  @Test func rulesWithoutStatementsHaveNoNearestBlock() throws {
    let decision = try Scripted.decide(
      "match /c/{id} { function f() { return 1; } }", #""get": "/c/d""#)
    let access = try #require(decision.decision.accesses.last)
    #expect(NearestMatch.find(for: access.access, in: decision.rules) == nil)
  }
}
