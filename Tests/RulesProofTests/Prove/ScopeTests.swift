import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// A claim that says nothing is not proved, and a verdict states what it is about.
@Suite struct ScopeTests {
  private static let blocks = """
    match /users/{user} {
      allow read: if request.auth.uid == user;
      allow update: if request.auth.uid == user
        && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['token']);
    }
    match /closed/{id} { allow read, write: if false; }
    match /outer/{o} { match /inner/{i} { allow get; } }
    match /by/{kind}/{rest=**} { allow list: if kind == 'a'; }
    """

  /// The word of a claim's verdict, and whether nothing is granted.
  private static func verdict(_ claim: String) throws -> (word: String, grantsNothing: Bool) {
    let verdict = try #require(try Asked(blocks, claim).verdicts.first)
    guard case .proved(let proof) = verdict else { return (verdict.word, false) }
    return (verdict.word, proof.grantsNothing)
  }

  @Test(arguments: [
    // No match block is for the documents.
    #"{"path": "/user/{id}", "never": true}"#,
    #"{"path": "/user/{id}", "onlyIf": "request.auth.uid == id"}"#,
    #"{"path": "/user/{id}", "errors": false}"#,
    #"{"path": "/users/{id}/posts/{post}", "never": true}"#,
    #"{"path": "/inner/{id}", "methods": "get", "never": true}"#,
    #"{"path": "/inner/{id}/{rest=**}", "onlyIf": "request.auth != null"}"#,
    #"{"path": "/user/{id}", "alwaysIf": "request.auth.uid == id && request.auth == null"}"#,
    // No request satisfies what is given.
    #"{"path": "/users/{id}", "given": "false", "never": true}"#,
    #"{"path": "/users/{id}", "given": "1 / 0 == 1", "never": true}"#,
    #"{"path": "/users/{id}", "given": "id == ''", "errors": false}"#,
    #"{"path": "/users/{id}", "given": "request.auth == null && request.auth.uid == id", "onlyIf": "true"}"#,
    #"{"path": "/users/{id}", "methods": "create", "given": "resource.data.x == 1", "onlyIf": "true"}"#,
    #"{"path": "/users/{id}", "methods": "read", "given": "request.resource != null", "never": true}"#,
    #"{"path": "/users/{id}", "given": "request.method == 'get' && request.method == 'list'", "never": true}"#,
    #"{"path": "/users/{id}", "methods": "update", "writes": "a", "given": "request.resource.data == resource.data", "onlyIf": "true"}"#,
    #"{"path": "/users/{id}", "methods": "update", "writes": "a", "given": "request.resource.data == resource.data", "alwaysIf": "true"}"#,
    #"{"path": "/users/{id}", "given": "resource.data.n > 5 && resource.data.n < 5", "errors": false}"#,
    #"{"path": "/closed/{id}", "given": "resource.data.x.matches('a+') && resource.data.x.matches('b+')", "never": true}"#,
  ])
  func aClaimAboutNoRequestIsVacuous(_ claim: String) throws {
    #expect(try Self.verdict(claim).word == "vacuous")
  }

  @Test(arguments: [
    (#"{"path": "/users/{id}", "onlyIf": "request.auth.uid == id"}"#, false),
    (
      #"{"path": "/users/{id}", "methods": "read", "given": "resource == null", "onlyIf": "request.auth.uid == id"}"#,
      false
    ),
    (#"{"path": "/users/{id}", "given": "request.auth == null", "never": true}"#, false),
    (
      #"{"path": "/users/{id}", "given": "request.auth.token.admin == true", "onlyIf": "request.auth.uid == id"}"#,
      false
    ),
    (#"{"path": "/users/{id}", "writes": "token", "onlyIf": "request.auth.uid == id"}"#, false),
    (#"{"path": "/by/{k}/{a}/{b}", "onlyIf": "k == 'a'"}"#, false),
    // Nothing is granted, though a block is for the documents.
    (#"{"path": "/users/{id}", "writes": "tokn", "onlyIf": "request.auth.uid == id"}"#, true),
    (#"{"path": "/users/{id}", "methods": "create", "onlyIf": "request.auth.uid == id"}"#, true),
    (
      #"{"path": "/users/{id}", "methods": "delete", "given": "request.auth.uid == 'a'", "onlyIf": "false"}"#,
      true
    ),
    (#"{"path": "/closed/{id}", "onlyIf": "false"}"#, true),
    (#"{"path": "/outer/{id}", "onlyIf": "false"}"#, true),
    (
      #"{"path": "/users/{id}", "given": "request.auth == null", "onlyIf": "request.auth.uid == id"}"#,
      true
    ),
    // That nothing is granted is what these say.
    (#"{"path": "/closed/{id}", "never": true}"#, false),
    (#"{"path": "/users/{id}", "methods": "delete", "never": true}"#, false),
  ])
  func aClaimThatHoldsSaysWhetherItHoldsForNothing(_ claim: String, _ isEmpty: Bool) throws {
    let found = try Self.verdict(claim)
    #expect(found.word == "proved")
    #expect(found.grantsNothing == isEmpty)
  }

  @Test func whatIsNotKnownOfAScopeIsSaid() throws {
    let claim = #"""
      {"path": "/users/{id}", "given": "hashing.md5(resource.data.s).toHexString() == 'AA'",
        "onlyIf": "true"}
      """#
    guard case .proved(let proof) = try Asked(Self.blocks, claim).verdicts[0] else {
      Issue.record("not proved")
      return
    }
    #expect(!proof.grantsNothing)
    #expect(proof.notes.contains("not decided whether any request is in this scope"))
  }

  @Test func aPathWithoutABlockGrantsNothingSoAlwaysIsViolated() throws {
    let claim = #"{"path": "/user/{id}", "alwaysIf": "request.auth.uid == id"}"#
    #expect(try Self.verdict(claim).word == "violated")
  }

  @Test(arguments: [
    ("/user/{id}", "/users/{user}"), ("/Users/{id}", "/users/{user}"),
    ("/closd/x", "/closed/{id}"), ("/outer/{o}/iner/{i}", "/outer/{o}/inner/{i}"),
    ("/inner/{i}", "/outer/{o}/inner/{i}"), ("/quite/{other}", nil),
  ])
  func theNearestPathOfTheRulesIsNamed(_ path: String, _ meant: String?) throws {
    let asked = try Asked(Self.blocks, #"{"path": "\#(path)", "never": true}"#)
    guard case .vacuous(let vacuity) = asked.verdicts[0] else {
      Issue.record("\(asked.verdicts[0])")
      return
    }
    #expect(vacuity.meant == meant)
  }

  @Test func aFieldThatNothingMentionsIsNamed() throws {
    let asked = try Asked(
      Self.blocks,
      #"{"path": "/users/{id}", "writes": ["tokn", "token", "old", "zzz.token", "old.tokn"], "never": true}"#
    )
    let found = asked.claims.unknownFields(of: 0) { ["old"] }
    #expect(found.map { $0.name } == ["tokn", "zzz.token", "old.tokn"])
    #expect(found.map { $0.meant } == ["token", nil, "old.token"])
  }

  @Test(arguments: [
    (#""onlyIf": "a == 1""#, "/u/{a}: any request, only if a == 1"),
    (#""methods": "read", "never": true"#, "/u/{a}: read, never allowed"),
    (
      #""methods": ["get", "write"], "errors": false"#,
      "/u/{a}: get or write, no condition ends in an error"
    ),
    (
      #""methods": "update", "writes": "x", "given": "p", "onlyIf": "q""#,
      "/u/{a}: update that changes x, given p, only if q"
    ),
    (
      #""writes": ["x", "`y.z`", "a.b"], "alwaysIf": "q\n    && r""#,
      "/u/{a}: write that changes x, `y.z` or a.b, always if q && r"
    ),
    (
      #""methods": ["create", "update", "read"], "never": true"#,
      "/u/{a}: read, create or update, never allowed"
    ),
  ])
  func aClaimWithoutANameIsNamedByAllItSays(_ members: String, _ name: String) throws {
    let text = #"{"claims": [{"path": "/u/{a}", \#(members.replacing("\n", with: #"\n"#))}]}"#
    let (suite, problems) = SuiteReader.read(SourceText(name: "a.suite.json", text))
    let claim = try #require(suite?.claims.first, "\(problems.map { $0.message })")
    #expect(claim.name == name)
    #expect(!claim.isNamed)
    // What writes claims down writes the same claim.
    let again = JSON(
      .object([JSON.Member("claims", value: JSON(.array([SuiteWriter.claim(claim)])))]))
    let read = SuiteReader.read(again, in: SourceText(name: "again", "")).suite?.claims.first
    #expect(read?.statement == claim.statement)
  }

  @Test func aScriptSaysWhatItIsAbout() throws {
    let asked = try Asked(
      Self.blocks, #"{"name": "n", "path": "/closed/{id}", "methods": "get", "onlyIf": "false"}"#)
    guard case .proved(let proof) = asked.verdicts[0] else {
      Issue.record("\(asked.verdicts[0])")
      return
    }
    let script = Prover(asked.claims).script(of: 0, remarks: proof.notes)
    #expect(
      script.hasPrefix(
        "; n\n; /closed/{id}: get, only if false\n; nothing in this scope is ever granted\n"))
  }
}
