import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// What clients can make true in several requests.
@Suite struct SequenceTests {
  private static let admin = """
    function isAdmin() {
      return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
    }
    match /admin/{doc} { allow read: if isAdmin(); }
    """

  /// A claim on the reads of /admin that it is about admins, after any requests.
  private static let onlyAdmins =
    #"{"path": "/admin/{doc}", "methods": "read", "onlyIf": "isAdmin()", "through": "any"}"#

  private func verdict(_ blocks: String, _ claim: String) throws -> Verdict {
    try #require(try Asked(blocks, claim).verdicts.first)
  }

  @Test func whoOwnsTheDocumentOfARoleTakesTheRole() throws {
    let asked = try Asked(
      Self.admin + " match /users/{u} { allow write: if request.auth.uid == u; }",
      Self.onlyAdmins)
    guard case .violated(let found) = try #require(asked.verdicts.first) else {
      return #expect(Bool(false), "not violated")
    }
    #expect(found.steps.count == 1)
    #expect(
      found.sentence(in: asked.rules.ruleset).hasPrefix(
        "alice, signed in, creates /users/alice with role (line 4), then reads /admin/"))
    try expectThatItRuns(found, in: asked)
  }

  /// The sequence is a test, which passes: denied at first, then allowed step by step.
  private func expectThatItRuns(
    _ found: Counterexample, in asked: Asked, isDeniedAtFirst: Bool = true
  ) throws {
    let suite = JSON(
      .object([JSON.Member("tests", value: JSON(.array([found.test])))]))
    let (read, problems) = SuiteReader.read(suite, in: SourceText(name: "s.json", ""))
    #expect(problems.isEmpty)
    let test = try #require(read?.tests.first)
    let result = Engine(asked.rules).run(test, documents: Documents(), now: .epoch)
    #expect(result.isPassed && result.steps.count == found.steps.count + (isDeniedAtFirst ? 2 : 1))
  }

  /// Each is a way to write the users, and what comes out.
  @Test(arguments: [
    ("allow create: if !('role' in request.resource.data);", "proved"),
    (
      "allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name']);",
      "proved"
    ),
    ("allow update: if request.resource.data.role == resource.data.role;", "proved"),
    ("allow update: if isAdmin();", "proved"),
    ("allow delete: if request.auth.uid == u;", "proved"),
    // A second account of the same person does it.
    ("allow update: if request.auth.uid != u;", "violated"),
    ("allow update: if request.resource.data.role != 'owner';", "violated"),
    ("allow write: if request.auth.token.super == true;", "violated"),
    ("allow create: if request.resource.data.role in ['user', 'admin'];", "violated"),
  ]) func whatMayBeWrittenDecides(_ case_: (statement: String, word: String)) throws {
    let found = try verdict(
      Self.admin + " match /users/{u} { " + case_.statement + " }", Self.onlyAdmins)
    #expect(found.word == case_.word)
  }

  @Test func aMemberMayInviteItself() throws {
    let rules = """
      match /rooms/{room} {
        match /members/{uid} { allow create: if request.auth.uid == uid; }
        match /messages/{m} {
          allow get: if exists(/databases/$(database)/documents/rooms/$(room)/members/$(request.auth.uid));
        }
      }
      """
    let claim = #"""
      {"path": "/rooms/{r}/messages/{m}", "methods": "get", "through": 2, "onlyIf":
      "exists(/databases/$(database)/documents/rooms/$(r)/members/$(request.auth.uid))"}
      """#
    #expect(try verdict(rules, claim).word == "violated")
    #expect(
      try verdict(rules.replacing("request.auth.uid == uid", with: "false"), claim).word
        == "proved")
  }

  @Test func whatDependsOnNothingStoredNeedsOneRequest() throws {
    guard
      case .proved(let proof) = try verdict(
        "match /users/{u} { allow write: if request.auth.uid == u; }",
        #"{"path": "/users/{u}", "onlyIf": "request.auth.uid == u", "through": "any"}"#)
    else { return #expect(Bool(false), "not proved") }
    #expect(proof.induction == SequenceProver.stateless && proof.notes.isEmpty)
  }

  /// Who creates a document is its author, and who was not at first cannot become it.
  @Test func anAuthorIsNotReplaced() throws {
    let rules = """
      match /posts/{p} {
        allow create: if request.resource.data.author == request.auth.uid;
        allow update: if resource.data.author == request.auth.uid;
      }
      """
    let claim =
      #"{"path": "/posts/{p}", "methods": "update", "onlyIf": "request.auth.uid == resource.data.author", "#
      + #""through": "any"}"#
    #expect(try verdict(rules, claim).word == "proved")
    let open = rules + " match /posts/{p} { allow update: if request.auth.uid == p; }"
    let wider = claim.replacing(
      "resource.data.author", with: "resource.data.author || request.auth.uid == p")
    #expect(try verdict(open, wider).word == "proved")
    #expect(try verdict(open, claim).word == "violated")
  }

  /// That the server must have stored something is not held against the rules.
  @Test func whatOnlyTheServerBeginsIsOpen() throws {
    let found = try verdict(
      Self.admin + """
         match /users/{u} {
           allow update: if request.auth.uid == u && resource.data.invited == true;
         }
        """, Self.onlyAdmins)
    guard case .undecided(let openReasons) = found else { return #expect(Bool(false), "decided") }
    #expect(openReasons.first?.reason.contains("no known request stores /users/") == true)
  }

  @Test(arguments: [
    #"getAfter(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin'"#,
    #"get(/databases/$(database)/documents/users/$(request.auth.uid)) == resource"#,
    "resource.data.until > request.time",
  ]) func whatIsNotFollowedIsOpen(_ condition: String) throws {
    let found = try verdict(
      "match /a/{x} { allow get: if \(condition); allow write: if false; }",
      #"{"path": "/a/{x}", "methods": "get", "through": "any", "onlyIf": ""# + condition + #""}"#)
    #expect(found.word == "undecided")
  }

  /// Each is broken by a sequence that the evaluator allows, and was proved once.
  @Test(arguments: [
    // A function of the block that is written hides the built-in of that name.
    (
      "match /logs/{r} { function getAfter(p) { return {'data': {'admin': false}}; } allow write; }"
        + " match /x/{id} { allow read: if isLogged(); } function isLogged() {"
        + " return get(/databases/$(database)/documents/logs/$(request.auth.uid)).data.admin == true; }",
      #""path": "/x/{id}", "methods": "get", "through": "any", "onlyIf": "isLogged()""#
    ),
    // What an update leaves has of what is stored all that it does not change.
    (
      "match /x/{id} { allow update: if request.resource.data.diff(resource.data).affectedKeys()"
        + ".hasOnly(['owner']); allow update: if request.resource.data.owner == request.auth.uid; }",
      #""path": "/x/{id}", "methods": "update", "writes": ["y"], "through": "any", "#
        + #""onlyIf": "request.resource.data.owner == request.auth.uid""#
    ),
    (
      "match /rooms/{r} { allow read; } match /x/{id} { allow update: if request.resource.data"
        + ".diff(resource.data).affectedKeys().hasOnly(['room']); allow update: if isOwner(); }"
        + " function isOwner() { return get(/databases/$(database)/documents/rooms/"
        + "$(request.resource.data.room)).data.owner == request.auth.uid; }",
      #""path": "/x/{id}", "methods": "update", "writes": ["y"], "through": "any", "#
        + #""onlyIf": "isOwner()""#
    ),
    // The request's own document is null if it is missing, and no error.
    (
      "match /x/{id} { allow delete; allow get: if isFree(id); } function isFree(id) {"
        + " return get(/databases/$(database)/documents/x/$(id)) == null; }",
      #""path": "/x/{id}", "methods": "get", "through": "any", "onlyIf": "isFree(id)""#
    ),
    // The claim's own variable has the name of one that is made up.
    (
      "match /rooms/{r} { allow create: if request.resource.data.open != r; }"
        + " match /x/{later0} { allow create: if isOpen(later0); } function isOpen(x) { return get("
        + "/databases/$(database)/documents/rooms/$(request.resource.data.room)).data.open == x; }",
      #""path": "/x/{later0}", "methods": "create", "through": "any", "onlyIf": "isOpen(later0)""#
    ),
    // The lookup is of the state before.
    (
      "match /x/{id} { allow update; }",
      #""path": "/x/{id}", "keeps": "get(/databases/(default)/documents/x/$(id)).data.n > 0""#
    ),
  ]) func whatSeveralRequestsBreakIsNotProved(_ case_: (rules: String, claim: String)) throws {
    let found = try verdict(case_.rules, "{" + case_.claim + "}")
    #expect(found.word == "undecided" || found.word == "violated", "\(found.word)")
  }

  /// `get(…) != null` counts if it is true, so whether it is false or an error makes no difference.
  @Test func whoHasADocumentIsFollowed() throws {
    let rules =
      " match /x/{id} { allow read: if isMember(); } function isMember() { return get("
      + "/databases/$(database)/documents/m/$(request.auth.uid)) != null; }"
    let claim = #"{"path": "/x/{id}", "methods": "read", "through": "any", "onlyIf": "isMember()"}"#
    #expect(try verdict("match /m/{u} { allow read; }" + rules, claim).word == "proved")
    #expect(try verdict("match /m/{u} { allow create; }" + rules, claim).word == "violated")
  }

  /// Each junction can write what is around it once more for every alternative.
  @Test func aConditionIsNotWrittenWithoutEnd() throws {
    let parts = (0..<9).map { n in
      "(resource.data.a\(n) == request.auth.uid && request.resource.data.k == \(n)"
        + " || resource.data.b\(n) == request.auth.uid)"
    }
    let asked = try Asked(
      "match /a/{x} { allow get: if false; }",
      #"{"path": "/a/{x}", "methods": "update", "through": "any", "onlyIf": ""#
        + parts.joined(separator: " && ") + #""}"#)
    let claim = asked.claims.claims[0]
    let function = asked.claims.rules.ruleset[try #require(claim.obligation)]
    let condition = try #require(function.bodies.last)
    var text = StateText(
      claim, in: asked.claims.rules, state: .before, home: .own, leavingOut: true)
    let obstacle = #expect(throws: StateObstacle.self) {
      _ = try text.alternatives(of: condition.root)
    }
    guard case .other(let openReason) = obstacle else { return #expect(Bool(false), "a request") }
    #expect(openReason.reason.hasPrefix("a condition with too many alternatives"))
  }

  /// A later request need not have the text that a path is made of, and then neither is true.
  /// A field inside a path is a text or is printed as one: what is found at both is the same document.
  @Test func aDocumentThatAFieldNamesIsOneDocument() throws {
    let path = "/databases/$(database)/documents/m/$(resource.data.f)"
    let condition = "get(\(path)).data.f == request.auth.uid"
    let rules = """
      match /m/{u} { allow create: if request.auth.uid != u; }
      match /d/{x} {
        allow create: if \(condition);
        allow update: if x == 'x';
      }
      """
    let claim =
      #"{"path": "/d/{x}", "methods": "update", "given": "getAfter(/databases/$('(default)')"#
      + #"/documents/m/$(request.resource.data.f)).data.f == request.auth.uid", "onlyIf": ""#
      + condition + #""}"#
    guard case .violated(let found) = try verdict(rules, claim),
      case .commit(let writes) = found.request.operation
    else { return #expect(Bool(false), "not violated") }
    // It is named by a text, not as what is printed.
    #expect(writes.map { $0.path.segments.last }.allSatisfy { $0 != "null" })
  }

  @Test func aTextOfTheLaterRequestMayBeMissing() throws {
    let path = "/databases/$(database)/documents/m/$(request.resource.data.f)"
    let condition = "resource.data.f == 'r' || exists(\(path)) || !exists(\(path))"
    let rules = """
      match /m/{u} { allow read: if false; }
      match /d/{x} { allow update: if \(condition); }
      """
    let claim =
      #"{"path": "/d/{x}", "methods": "update", "through": "any", "onlyIf": ""# + condition + #""}"#
    #expect(try verdict(rules, claim).word != "proved")
    // Where an error need not fail the whole, it is not followed.
    let lazy = "!(resource.data.f == 'r' && exists(\(path)))"
    #expect(
      try verdict(
        rules.replacing(condition, with: lazy), claim.replacing(condition, with: lazy)
      ).word == "undecided")
  }

  /// Who is let in by one alternative and makes another one true has escalated.
  @Test func anAlternativeForOtherRequestsIsNotMeantForAll() throws {
    let rules = """
      function role() { return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role; }
      match /users/{u} { allow create: if request.auth.uid == u; }
      match /posts/{p} {
        allow update: if request.auth != null && (role() == 'admin'
          || request.resource.data.diff(resource.data).affectedKeys().hasOnly(['likes'])
            && exists(/databases/$(database)/documents/users/$(request.auth.uid)));
      }
      """
    let found = Auditor(try Asked(rules, "").rules).matrix().escalations
    #expect(found.map { $0.isStable } == [false] && found.first?.level == .alarm)
  }

  /// The request that is denied at first is the last one to the letter, also if it changes nothing.
  @Test func whatIsShownRunsAsItIsWritten() throws {
    let asked = try Asked(
      """
      match /plans/{p} {
        allow update: if request.auth.uid == resource.data.owner
          || request.auth.uid == request.resource.data.owner;
      }
      """, "")
    let found = try #require(Auditor(asked.rules).matrix().escalations.first { !$0.steps.isEmpty })
    try expectThatItRuns(try #require(found.sequence), in: asked)
  }

  /// A query may be allowed whatever is stored: what the client makes true then is that it finds a document.
  @Test(arguments: [
    ("update", "violated"), ("create", "proved"), ("delete", "proved"),
  ]) func aQueryFindsWhatAClientHasMadeItsOwn(_ case_: (method: String, word: String)) throws {
    let asked = try Asked(
      """
      match /d/{x} {
        allow list: if resource.data.owner == request.auth.uid;
        allow \(case_.method): if request.auth != null;
      }
      """,
      #"{"path": "/d/{x}", "methods": "list", "through": "any", "#
        + #""onlyIf": "resource.data.owner == request.auth.uid"}"#)
    let verdict = try #require(asked.verdicts.first)
    #expect(verdict.word == case_.word)
    guard case .violated(let found) = verdict else { return }
    // It is allowed at first, too, so that no step of the test says that it is denied.
    try expectThatItRuns(found, in: asked, isDeniedAtFirst: false)
  }

  /// What is meant so, or hurts nobody, is no alarm.
  @Test(arguments: [
    (
      "match /groups/{g} { allow create: if request.auth != null; "
        + "allow read: if request.auth.uid in resource.data.members; "
        + "allow update: if request.resource.data.members "
        + "== resource.data.members.concat([request.auth.uid]); }",
      "the client joins, and cannot remove others"
    ),
    (
      "match /users/{u} { allow write: if request.auth.uid == u; match /shown/{x} { "
        + "allow get: if get(/databases/$(database)/documents/users/$(u)).data.open == true; } }",
      "all of these documents belong to the client"
    ),
    (
      "match /topics/{t} { allow create: if request.auth != null; } match /posts/{p} { allow create: if "
        + "exists(/databases/$(database)/documents/topics/$(request.resource.data.topic)) "
        + "&& request.resource.data.author == request.auth.uid; }",
      "then anyone may"
    ),
  ]) func whatIsMeantSoIsANote(_ case_: (rules: String, excuse: String)) throws {
    let found = Auditor(try Asked(case_.rules, "").rules).matrix().escalations
    #expect(found.first?.level == .note)
    #expect(
      found.first?.message.hasSuffix(": " + case_.excuse) == true,
      "\(found.first?.message ?? "none")")
    #expect(found.first?.steps.isEmpty == false)
  }

  /// A bound is no other claim: the first state is arbitrary, so that the request that makes the condition
  /// true can be the first.
  @Test func aNumberOfRequestsIsWhatAnyNumberIs() throws {
    for (statement, word) in [
      ("allow write: if request.auth.uid == u;", "violated"),
      ("allow update: if isAdmin();", "proved"),
    ] {
      for number in 1...3 {
        let found = try verdict(
          Self.admin + " match /users/{u} { \(statement) }",
          Self.onlyAdmins.replacing(#""any""#, with: "\(number)"))
        #expect(found.word == word)
        if case .violated(let shown) = found { #expect(shown.steps.count <= number) }
      }
    }
  }

  /// The order of two numbers goes with what they are compared with, also of floats and beside ints.
  @Test(arguments: ["true", "request.resource.data.n is float", "resource.data.n is int"])
  func aNumberThatOnlyGrowsStaysAboveABound(_ type: String) throws {
    let rules =
      "match /a/{x} { allow update: if \(type) && request.resource.data.n >= resource.data.n; }"
    let claim = #"{"path": "/a/{x}", "keeps": "resource.data.n >= 0"}"#
    #expect(try verdict(rules, claim).word == "proved")
    #expect(try verdict(rules.replacing(">=", with: "<="), claim).word == "violated")
    #expect(try verdict(rules, claim.replacing(">= 0", with: "> 0.5")).word == "proved")
    #expect(try verdict(rules, claim.replacing(">= 0", with: "<= 0")).word == "violated")
  }

  @Test func documentsKeepWhatEveryWriteKeeps() throws {
    let rules = """
      match /accounts/{id} {
        function isCount(data) { return data.balance is int; }
        allow create: if isCount(request.resource.data) && request.resource.data.balance == 0;
        allow update: if isCount(request.resource.data)
          && request.resource.data.balance >= resource.data.balance;
      }
      """
    let claim =
      #"{"path": "/accounts/{id}", "keeps": "isCount(resource.data) && resource.data.balance >= 0"}"#
    #expect(try verdict(rules, claim).word == "proved")
    #expect(
      try verdict(rules.replacing("balance == 0", with: "balance < 5"), claim).word
        == "violated")
    #expect(
      try verdict(rules.replacing(">= resource", with: "<= resource"), claim).word == "violated")
  }

  @Test func anAuditTellsWhatClientsCanMakeTrue() throws {
    let rules = try Asked(
      Self.admin + " match /users/{u} { allow write: if request.auth.uid == u; }"
        + " match /safe/{x} { allow get: if request.auth.uid == resource.data.owner; }"
        + " match /staff/{x} { allow get: if request.auth.token.staff == true; }", ""
    ).rules
    let found = Auditor(rules).matrix().escalations
    #expect(found.map { $0.level } == [.alarm, .note, .note])
    #expect(found.map { $0.isStable } == [false, true, true])
    #expect(found[0].steps.count == 3)
    #expect(found[2].message == "rests on token.staff, which only the server sets")
  }
}
