import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// What is said to be in the way of a request that is denied.
@Suite struct ObstacleTests {
  /// A condition, the request, and the sentences expected.
  struct Case: Sendable, CustomTestStringConvertible {
    var condition: String
    var request: String
    var sentences: [String]

    init(_ condition: String, _ request: String, _ sentences: String...) {
      self.condition = condition
      self.request = request
      self.sentences = sentences
    }

    var testDescription: String { condition }
  }

  private static let get = #""as": {"uid": "bob"}, "get": "/c/d""#
  private static let update = #""as": {"uid": "bob"}, "update": "/c/d", "data": {"a": 2, "b": 1}"#

  @Test(arguments: [
    Case(
      "request.auth.uid == 'alice'", get,
      #"`request.auth.uid == 'alice'` is false: "bob" vs "alice""#),
    Case(
      "request.auth == null", get,
      #"`request.auth == null` is false: `request.auth` is {uid: "bob", token: {...}}"#),
    Case(
      "1 == 1 && 2 == 3 && 4 == 5", get,
      "`2 == 3` is false: 2 vs 3", "`4 == 5` would have to be true, too (not evaluated)"),
    Case("1 == 2 && 3 == 4 || 5 == 6", get, "`5 == 6` is false: 5 vs 6"),
    Case("1 == 2 || 3 == 4 && 5 == 6", get, "`1 == 2` is false: 1 vs 2"),
    Case(
      "!(1 == 1 || 2 == 3)", get, "`1 == 1` is true: 1 vs 1",
      "`2 == 3` would have to be false, too (not evaluated)"),
    Case("!(1 == 1 && 2 == 2)", get, "`1 == 1` is true: 1 vs 1"),
    Case("3 in [1, 2]", get, "`3 in [1, 2]` is false: 3 is not in [1, 2]"),
    Case(
      "request.auth.uid is int", get,
      #"`request.auth.uid is int` is false: it is "bob", of type string"#),
    Case(
      "request.auth.uid.matches('a.*')", get,
      #"`request.auth.uid.matches('a.*')` is false: it is called on "bob""#),
    Case(
      "request.auth.token.admin", get,
      #"`request.auth.token.admin` ends in an error: `request.auth.token` has no "admin""#),
    Case(
      "request.auth.uid", get,
      #"`request.auth.uid` is not a condition: it is "bob", not a bool"#),
    Case(
      "exists(/databases/$(database)/documents/x/y)", get,
      "`exists(/databases/$(database)/documents/x/y)` is false: /x/y is not stored"),
    Case(
      "get(/databases/$(database)/documents/x/y).data.a == 1", get,
      "`get(/databases/$(database)/documents/x/y)` ends in an error: get() fails: /x/y is not stored"
    ),
    Case("request.auth.uid == 'bob' ? 1 == 2 : true", get, "`1 == 2` is false: 1 vs 2"),
    Case(
      "request.auth.token.admin ? 1 == 1 : true", get,
      #"`request.auth.token.admin` ends in an error: `request.auth.token` has no "admin""#),
    Case(
      "1 == 1 && (request.auth.token.admin ? 1 == 1 : 1 == 2)", get,
      #"`request.auth.token.admin` ends in an error: `request.auth.token` has no "admin""#,
      "`1 == 1` would have to be true, too (not evaluated)"),
    Case("1 == 2 ? true : 3 == 4", get, "`3 == 4` is false: 3 vs 4"),
    Case(
      "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a'])", update,
      #"`request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a'])` is false: added: b; changed: a; "b" is not in the list"#
    ),
    Case(
      "request.resource.data.keys().hasAll(['a', 'z'])", update,
      #"`request.resource.data.keys().hasAll(['a', 'z'])` is false: "z" is missing"#),
    Case(
      "request.resource.data.keys().hasAny(['z'])", update,
      #"`request.resource.data.keys().hasAny(['z'])` is false: ["a", "b"] has none of ["z"]"#),
    Case(
      "!('a' in request.resource.data.diff(resource.data).affectedKeys())", update,
      #"`'a' in request.resource.data.diff(resource.data).affectedKeys()` is true: "a" is in {"a", "b"}"#
    ),
    Case(
      "resource.data.owner == 'bob'", #""as": null, "list": "/c""#,
      #"`resource.data.owner` ends in an error: the query has no filter on "owner""#),
    Case(
      "request.auth.uid == 'bob'", #""as": null, "get": "/c/d""#,
      "`request.auth.uid` ends in an error: `request.auth` is null"),
    Case("same(request.auth.uid, 'alice')", get, #"`a == b` is false: "bob" vs "alice""#),
    Case(
      "passes(request.auth.uid == 'alice')", get,
      #"`request.auth.uid == 'alice'` is false: "bob" vs "alice""#),
    Case("bound()", get, "`1 == 2` is false: 1 vs 2"),
  ])
  func theSmallestPartThatWouldHaveToChangeIsNamed(_ one: Case) throws {
    let decision = try Scripted.decide(
      """
      function same(a, b) { return a == b; }
      function passes(flag) { return flag; }
      function bound() { let flag = 1 == 2; return flag; }
      match /c/{id} { allow read, write: if \(one.condition); }
      """, one.request, documents: #"{"/c/d": {"a": 1}}"#)
    let nearest = try #require(decision.decision.accesses.last?.nearest(in: decision.rules))
    #expect(nearest.obstacles.map { $0.sentence(in: decision.rules.ruleset) } == one.sentences)
  }

  @Test func theStatementWithTheFewestObstaclesIsTheNearest() throws {
    let decision = try Scripted.decide(
      """
      match /c/{id} {
        allow get: if 1 == 2 && 3 == 4;
        allow get: if 5 == 6;
        allow get: if 7 == 8;
      }
      """, Self.get)
    let nearest = try #require(decision.decision.accesses[0].nearest(in: decision.rules))
    #expect(nearest.obstacles.map { $0.detail } == ["5 vs 6"])
  }

  @Test func whatIsAllowedHasNoObstacles() throws {
    let decision = try Scripted.decide("match /c/{id} { allow get: if true; }", Self.get)
    #expect(decision.decision.accesses[0].nearest(in: decision.rules) == nil)
  }
}
