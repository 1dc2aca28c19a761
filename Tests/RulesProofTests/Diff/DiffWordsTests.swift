import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// Sentences about differences are true of every request that they describe.
@Suite struct DiffWordsTests {
  /// The sentences about the change from one file to another, by path.
  private func sentences(_ old: String, _ new: String) throws -> [String] {
    let comparison = RulesComparison(
      from: Engine(try Scripted.checked(old)), to: Engine(try Scripted.checked(new)))
    return comparison.run().flatMap { path in path.differences.map { $0.sentence(path.path) } }
  }

  private func sentences(
    statement old: String = "if false", becomes new: String, of method: String
  ) throws -> [String] {
    try sentences(
      "match /posts/{id} { allow \(method): \(old); }",
      "match /posts/{id} { allow \(method): if \(new); }")
  }

  /// A capture is named as the path that the sentence is about names its segment.
  @Test(arguments: [
    ("groupId", "a signed-in user whose ID is `{g}` may now get /groups/{g}/members/{m}"),
    ("memberId", "the owner may now get /groups/{g}/members/{m}"),
  ])
  func aSegmentHasOneName(_ capture: String, _ sentence: String) throws {
    let members = "match /groups/{g}/members/{m} { allow read: if false; }"
    let found = try sentences(
      members,
      members
        + " match /groups/{groupId}/members/{memberId} { allow get: if request.auth.uid == \(capture); }"
    )
    #expect(found == [sentence + " (before: nobody)"])
  }

  /// Two files may give two segments each other's name.
  @Test func namesThatChangePlacesAreNotMixedUp() throws {
    let found = try sentences(
      "match /a/{x}/b/{y} { allow get: if request.auth.uid == x && resource.data.o == y; }",
      "match /a/{y}/b/{x} { allow get: if request.auth.uid == y && resource.data.o == x "
        + "&& resource.data.open == true; }")
    #expect(
      found == [
        "only a signed-in user whose ID is `{y}` if `resource.data.o == x` "
          + "and `resource.data.open == true` "
          + "may still get /a/{y}/b/{x} "
          + "(before: only a signed-in user whose ID is `{y}` if `resource.data.o == x`)"
      ])
  }

  /// The requests of one difference may be more than the first statement found allows of them.
  @Test func aSentenceIsAboutAllOfItsDifference() throws {
    let changed = "request.resource.data.diff(resource.data).affectedKeys()"
    let found = try sentences(
      "match /posts/{id} { allow update: if request.auth != null; }",
      """
      match /posts/{id} {
        allow update: if \(changed).hasOnly(['more']);
        allow update: if request.auth == null || request.auth.uid != id;
      }
      """)
    #expect(
      found == [
        "a client that is not signed in may now update /posts/{id}",
        "a signed-in user may no longer update fields other than `more` of /posts/{id} "
          + "unless `request.auth.uid != id`",
      ])
  }

  /// A segment that the path spells out is no owner, and two users are no one.
  @Test func differentUsersAreNotMerged() throws {
    let found = try sentences(
      "match /groups/{groupId}/members/{memberId} { allow read: if false; }",
      """
      match /{path=**}/members/{memberId} { allow get: if request.auth.uid == memberId; }
      match /{top}/{owner}/members/{m} { allow update: if request.auth.uid == top; }
      """)
    #expect(
      found == [
        "the owner may now get other documents of /{path=**}/members/{memberId} (before: nobody)",
        "the owner may now get other documents of /{top}/{owner}/members/{m} (before: nobody)",
        "a signed-in user whose ID is `{top}` may now "
          + "update other documents of /{top}/{owner}/members/{m} "
          + "(before: nobody)",
        "the owner may now get /groups/{groupId}/members/{memberId} (before: nobody)",
        "a signed-in user whose ID is `'groups'` may now update /groups/{groupId}/members/{memberId} "
          + "(before: nobody)",
      ])
  }

  /// A token may lack a claim, and a document a field: then a negation is an error, and denies.
  @Test(arguments: [
    (
      "!(request.auth.token.banned == true)",
      "a signed-in user may now get /posts/{id} if `request.auth.token.banned == true` is false"
    ),
    (
      "!(request.auth.uid in resource.data.banned)",
      "a signed-in user may now get /posts/{id} if `request.auth.uid in resource.data.banned` is false"
    ),
    (
      "!(request.auth.uid == resource.data.owner)",
      "a signed-in user may now get /posts/{id} if `request.auth.uid == resource.data.owner` is false"
    ),
    ("!(request.auth.uid == id)", "a signed-in user who is not the owner may now get /posts/{id}"),
    (
      "!(request.auth.uid in ['a'])",
      "a signed-in user who is not in `['a']` may now get /posts/{id}"
    ),
  ])
  func aNegationIsNotTrueOfWhatFails(_ condition: String, _ sentence: String) throws {
    #expect(
      try sentences(becomes: condition, of: "get") == [sentence + " (before: nobody)"])
  }

  /// Conditions on the changed fields that differ are told apart.
  @Test(arguments: [
    ("affected().hasOnly(['a'])", "`a`"), ("affected().hasAny(['a'])", "fields including `a`"),
    ("!affected().hasOnly(['a'])", "fields other than `a`"),
    ("!affected().hasAny(['a'])", "only fields other than `a`"),
  ])
  func differentFieldsAreDifferentWords(_ condition: String, _ what: String) throws {
    let condition = condition.replacing(
      "affected()", with: "request.resource.data.diff(resource.data).affectedKeys()")
    #expect(
      try sentences(becomes: condition, of: "update") == [
        "anyone may now update \(what) of /posts/{id} (before: nobody)"
      ])
  }

  /// A delete has no `request.resource`, so that it has no fields either.
  @Test func aDeleteWritesNoFields() throws {
    let found = try sentences(
      statement: "if true", becomes: "request.resource.data.keys().hasOnly(['a'])", of: "delete")
    #expect(found == ["nobody may delete /posts/{id} any more (before: anyone)"])
  }
}
