import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// Counterexamples in words say what makes them possible, and nothing else.
@Suite struct CircumstanceTests {
  private static let users = """
    function role() {
      return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role;
    }
    """

  /// The rules inside of the documents' block, a claim, and the sentence without the statement.
  struct Case: CustomTestStringConvertible {
    let rules: String
    let claim: String
    let words: String

    init(_ rules: String, _ claim: String, _ words: String) {
      (self.rules, self.claim, self.words) = (rules, claim, words)
    }

    var testDescription: String { words }
  }

  @Test(arguments: [
    Case(
      users + "match /users/{u} { allow update: if role() == 'admin' || request.auth.uid == u; }",
      #"{"path": "/users/{u}", "methods": "update", "writes": ["a"], "onlyIf": "request.auth.uid == u"}"#,
      "mallory, whose /users/mallory has role 'admin', updates a of /users/alice"),
    Case(
      users + "match /users/{u} { allow delete: if role() is string; }",
      #"{"path": "/users/{u}", "methods": "delete", "onlyIf": "request.auth.uid == u"}"#,
      "mallory, whose /users/mallory has the field role, deletes /users/alice"),
    Case(
      """
      match /c/{c} { allow get: if
        exists(/databases/$(database)/documents/members/$(request.auth.uid)); }
      """,
      #"{"path": "/c/{c}", "methods": "get", "never": true}"#,
      "mallory, whose /members/mallory is stored, reads /c/alice"),
    Case(
      "match /c/{c} { allow get: if request.auth.token.admin == true; }",
      #"{"path": "/c/{c}", "methods": "get", "never": true}"#,
      "mallory, whose token has admin true, reads /c/alice"),
    Case(
      """
      match /rooms/{r}/messages/{m} { allow create: if
        request.auth.uid in get(/databases/$(database)/documents/rooms/$(r)).data.members; }
      """,
      #"{"path": "/rooms/{r}/messages/{m}", "methods": "create", "never": true}"#,
      "mallory, signed in, creates /rooms/s1/messages/alice, where /rooms/s1 has members ['mallory']"
    ),
    Case(
      "match /c/{c} { allow get: if resource.data.open == true && resource.data.x > 3; }",
      #"{"path": "/c/{c}", "methods": "get", "never": true}"#,
      "mallory, signed in, reads /c/alice, which has open true and x 4"),
    Case(
      "match /c/{c} { allow update: if request.resource.data.state == 'done'; }",
      #"{"path": "/c/{c}", "methods": "update", "writes": ["state"], "never": true}"#,
      "mallory, signed in, updates state (to 'done') of /c/alice"),
    Case(
      "match /c/{c} { allow create: if request.resource.data.at == request.time; }",
      #"{"path": "/c/{c}", "methods": "create", "never": true}"#,
      "mallory, signed in, creates /c/alice with at request.time"),
    Case(
      "match /c/{c} { allow get: if request.time < timestamp.date(2027, 12, 24); }",
      #"{"path": "/c/{c}", "methods": "get", "never": true}"#,
      "mallory, signed in, reads /c/alice, at 2025-10-21T09:00:00Z"),
    Case(
      """
      match /a/{x} { allow create: if
        existsAfter(/databases/$(database)/documents/b/$(x)); }
      match /b/{x} { allow create: if request.auth != null; }
      """,
      #"{"path": "/a/{x}", "methods": "create", "given": "!exists(/databases/$(database)/documents/b/$(x))", "never": true}"#,
      "mallory, signed in, creates /a/alice, and creates /b/alice in the same commit"),
  ])
  func theSentenceSaysWhatMatters(_ one: Case) throws {
    let asked = try Asked(one.rules, one.claim)
    guard case .violated(let found) = try #require(asked.verdicts.first) else {
      Issue.record("it is not violated")
      return
    }
    let sentence = found.sentence(in: asked.rules.ruleset)
    #expect(sentence.split(separator: ";").first.map { String($0) } == one.words)
  }

  /// What could be taken away is not named, whatever else is stored.
  @Test func whatDoesNotMatterIsNotNamed() throws {
    let asked = try Asked(
      Self.users + "match /users/{u} { allow delete: if role() == 'admin'; }",
      #"{"path": "/users/{u}", "methods": "delete", "onlyIf": "request.auth.uid == u"}"#)
    guard case .violated(let found) = try #require(asked.verdicts.first) else { return }
    var documents = found.documents.all.map { ($0.path, $0.data) }
    for place in documents.indices { documents[place].1["extra"] = .int(1) }
    documents.append((DocumentPath(["other", "x"]), MapValue([("a", .bool(true))])))
    var more = found
    more.documents = Documents(documents)
    more.request.principal?.token["beta"] = .bool(true)
    more.explain(by: asked.claims.engine)
    #expect(more.sentence(in: asked.rules.ruleset) == found.sentence(in: asked.rules.ruleset))
    #expect(found.sentence(in: asked.rules.ruleset).contains("has role 'admin', deletes"))
  }

  @Test func bothTestsAreThere() throws {
    let asked = try Asked(
      "match /c/{c} { allow get; }", #"{"path": "/c/{c}", "methods": "get", "never": true}"#)
    guard case .violated(let found) = try #require(asked.verdicts.first) else { return }
    func expectation(_ test: JSON) -> String? {
      guard case .object(let members) = test.kind,
        case .string(let word)? = members.first(where: { $0.key == "expect" })?.value.kind
      else { return nil }
      return String(word)
    }
    #expect(expectation(found.test) == "allow")
    #expect(expectation(found.closingTest) == "deny")
  }

  /// An owner who shares is named as such, and sharing is not what the closing test denies.
  @Test func theFirstOfSeveralRequestsSaysWhomTheDocumentNames() throws {
    let asked = try Asked(
      """
      match /docs/{d} {
        allow create: if request.auth.uid == request.resource.data.owner;
        allow update: if request.auth.uid == resource.data.owner
          && request.resource.data.owner == resource.data.owner;
      }
      match /docs/{d}/rev/{r} { allow get: if
        request.auth.uid in get(/databases/$(database)/documents/docs/$(d)).data.editors; }
      """,
      #"""
      {"path": "/docs/{d}/rev/{r}", "methods": "get", "through": "any", "onlyIf":
      "request.auth.uid in get(/databases/$(database)/documents/docs/$(d)).data.editors"}
      """#)
    guard case .violated(let found) = try #require(asked.verdicts.first) else {
      Issue.record("it is not violated")
      return
    }
    let sentence = found.sentence(in: asked.rules.ruleset)
    #expect(sentence.hasPrefix("mallory, whom /docs/alice names as owner, updates editors of"))
    guard case .object(let members) = found.closingTest.kind,
      case .array(let steps)? = members.first(where: { $0.key == "steps" })?.value.kind
    else {
      Issue.record("the closing test is no sequence")
      return
    }
    let expectations = steps.compactMap { step -> String? in
      guard case .object(let members) = step.kind,
        case .string(let word)? = members.first(where: { $0.key == "expect" })?.value.kind
      else { return nil }
      return String(word)
    }
    #expect(expectations == ["allow", "deny"])
  }
}
