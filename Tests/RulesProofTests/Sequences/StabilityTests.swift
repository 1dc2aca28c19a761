import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// What no client can make true, and what it can.
@Suite struct StabilityTests {
  private static let admin = """
    function isAdmin() {
      return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
    }
    match /admin/{doc} { allow get: if isAdmin(); }

    """

  /// A claim on the reads of /admin that it is about admins, after any requests.
  private static let onlyAdmins =
    #"{"path": "/admin/{doc}", "methods": "get", "onlyIf": "isAdmin()", "through": "any"}"#

  private func verdict(_ blocks: String, _ claim: String, of place: Int = 0) throws -> Verdict {
    let verdicts = try Asked(blocks, claim).verdicts
    return try #require(verdicts.count > place ? verdicts[place] : nil)
  }

  /// Each is a way to let clients write, and what comes out.
  @Test(arguments: [
    ("match /{c}/{d} { allow write: if c != 'admin' && request.auth.uid == d; }", "violated"),
    ("match /{any=**} { allow update: if request.auth.token.x == true; }", "violated"),
    ("match /{c}/{x=**} { allow create: if c == 'users'; }", "violated"),
    (
      "match /users/{u} { allow create: if getAfter(/databases/$(database)/documents/tickets/$(u)).data.ok == true; }"
        + " match /tickets/{u} { allow create: if request.auth.uid == u; }", "violated"
    ),
    (
      "match /users/{u} { allow create: if getAfter(/databases/$(database)/documents/tickets/$(u)).data.ok == true; }"
        + " match /tickets/{u} { allow create: if request.resource.data.ok == false; }", "undecided"
    ),
    ("match /users/{request} { allow write; }", "violated"),
    ("match /users/{u} { allow update: if request.resource.data == resource.data; }", "proved"),
    (
      "match /users/{u} { allow update: if request.resource.data.role == resource.data.role; "
        + "allow create: if request.resource.data.keys().hasOnly(['name']); }", "proved"
    ),
    (
      "match /users/{u} { allow update: if request.resource.data.get(['role'], 0) == "
        + "resource.data.get('role', 0); }", "proved"
    ),
  ]) func adminsAreMadeByAdmins(_ case_: (statements: String, word: String)) throws {
    let found = try verdict(Self.admin + case_.statements, Self.onlyAdmins)
    #expect(found.word == case_.word, "\(case_.statements)")
  }

  /// Each is a condition on the own document, how it may be written, and what comes out.
  @Test(arguments: [
    ("resource == null", "allow delete;", "violated"),
    ("!(resource != null)", "allow delete;", "violated"),
    ("resource.data.n is int", "allow update: if request.resource.data.n is float;", "proved"),
    (
      "resource.data.n == 1", "allow update: if request.resource.data.n == resource.data.n;",
      "proved"
    ),
    (
      "resource.data.n is int", "allow update: if request.resource.data.n == resource.data.n;",
      "undecided"
    ),
    (
      "resource.data.n == 0.00000015 || resource.data.n == b'ab'",
      "allow update: if request.resource.data.n == resource.data.n;", "proved"
    ),
    ("!('o' in resource.data)", "allow update: if !('o' in resource.data);", "proved"),
    ("resource.data.until < request.time", "allow update;", "undecided"),
  ]) func whatIsStoredHasTypes(
    _ case_: (condition: String, statement: String, word: String)
  ) throws {
    let found = try verdict(
      "match /x/{id} { allow get: if \(case_.condition); \(case_.statement) }",
      #"{"path": "/x/{id}", "methods": "get", "through": "any", "onlyIf": ""# + case_.condition
        + #""}"#)
    #expect(found.word == case_.word, "\(case_.condition)")
  }

  /// Parts of a condition are followed one by one, so also one beside a path of any depth.
  @Test func aDocumentOfAnyDepthIsFollowedBesideARole() throws {
    let rules = """
      function isAdmin() {
        return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
      }
      match /x/{any=**} { allow get: if isAdmin() && resource.data.open == true; }

      """
    let claim =
      #"{"path": "/x/{any=**}", "methods": "get", "through": "any", "onlyIf": "isAdmin() && resource.data.open == true"}"#
    #expect(try verdict(rules, claim).word == "proved")
    let open = rules + "match /x/{y} { allow update: if request.auth.uid == y; }"
    #expect(try verdict(open, claim).word == "undecided")
  }

  /// If the first request after it was allowed before, there may be another one.
  @Test func allThatIsAllowedThenIsTried() throws {
    let rules = """
      function isAdmin() {
        return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
      }
      match /a/{x} { allow get: if x > 'b' || isAdmin(); allow list: if isAdmin() || true; }
      match /users/{u} { allow create: if request.auth.uid == u; }
      """
    let claim =
      #"{"path": "/a/{x}", "methods": "get", "through": "any", "onlyIf": "x > 'b' || isAdmin()"}"#
    #expect(try verdict(rules, claim).word == "violated")
  }

  /// A commit that writes a document of which it was asked already is one that this question was about.
  @Test func whatAnotherDocumentsQuestionAnswersIsNoQuestionOfThisOne() throws {
    let rules = """
      function isAdmin() {
        return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
      }
      match /users/{u} {
        allow create: if request.auth.uid == u && request.resource.data.role == 'client';
        allow update: if request.resource.data.role == resource.data.role;
      }
      match /notes/{n} {
        allow get: if resource.data.owner == request.auth.uid
          || resource.data.editor == request.auth.uid || isAdmin();
        allow create: if request.resource.data.owner == request.auth.uid;
        allow update: if resource.data.owner == request.auth.uid
          && request.resource.data.owner == resource.data.owner;
      }
      """
    let claim =
      #"{"path": "/notes/{n}", "methods": "get", "through": "any", "onlyIf": "resource.data.owner == "#
      + #"request.auth.uid || resource.data.editor == request.auth.uid || isAdmin()"}"#
    #expect(try verdict(rules, claim).word == "proved")
    let open = rules.replacing(
      "request.resource.data.role == resource.data.role", with: "request.auth.uid == u")
    #expect(try verdict(open, claim).word != "proved")
  }

  /// Each has the two documents that a condition reads in another order.
  @Test(arguments: [true, false]) func aCommitThatMustWriteBothDocumentsIsFound(
    isClubFirst: Bool
  ) throws {
    let club = "/databases/$(database)/documents/clubs/c"
    let team = "/databases/$(database)/documents/teams/t"
    let parts = ["get(\(club)).data.a == true", "get(\(team)).data.b == true"]
    let condition = (isClubFirst ? parts : parts.reversed()).joined(separator: " && ")
    let rules = """
      match /clubs/c {
        allow update: if resource.data.a == false
          && get(\(team)).data.b == false && getAfter(\(team)).data.b == true;
      }
      match /teams/t {
        allow update: if resource.data.b == false
          && get(\(club)).data.a == false && getAfter(\(club)).data.a == true;
      }
      match /notes/{n} { allow get: if \(condition); }
      """
    let claim =
      #"{"path": "/notes/{n}", "methods": "get", "through": "any", "onlyIf": ""# + condition
      + #""}"#
    #expect(try verdict(rules, claim).word != "proved")
    // A team is only written while the club stays as it is, and a club only with the team.
    let closed = rules.replacing(
      "getAfter(\(club)).data.a == true", with: "getAfter(\(club)).data.a == false")
    #expect(try verdict(closed, claim).word == "proved")
  }

  /// What documents are proved to keep is known of those that a request finds.
  @Test func whatDocumentsKeepIsUsed() throws {
    let rules =
      Self.admin + """
        match /users/{u} {
          allow create: if !('invited' in request.resource.data) && !('role' in request.resource.data);
          allow update: if request.auth.uid == u && resource.data.invited == true
            && request.resource.data.invited == true;
        }
        """
    let keeps = #"{"path": "/users/{id}", "keeps": "resource.data.get('invited', false) != true"}"#
    #expect(try verdict(rules, Self.onlyAdmins).word == "undecided")
    let claims = Self.onlyAdmins + ", " + keeps
    #expect(try verdict(rules, claims, of: 1).word == "proved")
    guard case .proved(let proof) = try verdict(rules, claims) else {
      return #expect(Bool(false), "not proved")
    }
    let kept = "provided that the `keeps` claims of /users/{id} hold at first"
    #expect(proof.induction?.hasSuffix(kept) == true)
    // What is not proved to be kept is not used, nor what is kept under a condition.
    let open = rules.replacing("!('invited' in request.resource.data) && ", with: "")
    #expect(try verdict(open, claims).word != "proved")
    let narrow = keeps.replacing(#""keeps""#, with: #""given": "id != 'a'", "keeps""#)
    #expect(try verdict(rules, Self.onlyAdmins + ", " + narrow).word == "undecided")
    let elsewhere = keeps.replacing("/users/{id}", with: "/users/root")
    #expect(try verdict(rules, Self.onlyAdmins + ", " + elsewhere).word == "undecided")
  }

  /// A user ID need not be the name of a document; what is not there has any name.
  @Test func aUserIDWithASlashLooksUpWhatIsNotThere() throws {
    let rules = """
      match /x/{id} {
        allow get: if request.auth.uid == 'a/b'
          && !exists(/databases/$(database)/documents/m/$(request.auth.uid));
      }
      """
    #expect(
      try verdict(rules, #"{"path": "/x/{id}", "methods": "get", "never": true}"#).word
        == "violated")
  }

  /// Each is a hole, and the lint that tells of it.
  @Test(arguments: [
    (
      "match /users/{u} { allow create: if request.auth.uid == u; }", Self.admin,
      "self-granted-role"
    ),
    (
      "match /rooms/{r} { match /members/{u} { allow create: if request.auth.uid == u; } }",
      "match /rooms/{r}/texts/{t} { allow get: if exists(/databases/$(database)/documents/rooms/"
        + "$(r)/members/$(request.auth.uid)); }", "self-made-membership"
    ),
    (
      "match /posts/{p} { allow create, update: if request.resource.data.author == request.auth.uid;",
      "allow delete: if resource.data.author == request.auth.uid; }", "self-made-owner"
    ),
  ]) func theLintSaysWhatClientsDo(_ case_: (write: String, asks: String, code: String)) throws {
    let rules = try Asked(case_.write + "\n" + case_.asks, "").rules
    let found = EscalationSearch(rules).all().diagnostics(in: rules)
    #expect(found.map { $0.code.name } == [case_.code])
  }
}
