import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// What somebody with two accounts can make true, and who creates what stands above.
@Suite struct AccountTests {
  private static let role = "get(/databases/$(database)/documents/roles/$(request.auth.uid)).data"

  private func verdict(_ blocks: String, _ condition: String, at path: String) throws -> Verdict {
    let claim =
      #"{"path": ""# + path + #"", "methods": "get", "through": "any", "onlyIf": ""# + condition
      + #""}"#
    return try #require(try Asked(blocks, claim).verdicts.first)
  }

  /// Each is who may write /roles/{u}, and what comes out of a claim about who has a role.
  @Test(arguments: [
    ("request.auth.uid != u", "violated"),
    ("request.auth != null && request.auth.uid != u && request.auth.token.name == 'x'", "violated"),
    // Only who has the role gives it, or who has a claim of the server's.
    ("\(role).admin == true", "proved"),
    ("request.auth.token.staff == true && request.auth.uid != u", "proved"),
    ("request.auth.uid != u && !('admin' in request.resource.data)", "proved"),
  ]) func aSecondAccountGivesTheRole(_ case_: (statement: String, word: String)) throws {
    let condition = "\(Self.role).admin == true"
    let found = try verdict(
      "match /roles/{u} { allow create, update: if \(case_.statement); } "
        + "match /s/{x} { allow get: if \(condition); }", condition, at: "/s/{x}")
    #expect(found.word == case_.word)
    guard case .violated(let shown) = found else { return }
    let uids = [shown.steps.first?.request.principal?.uid, shown.request.principal?.uid]
    #expect(uids.count == 2 && "\(String(describing: uids[0]))" != "\(String(describing: uids[1]))")
  }

  /// What a condition asks of the token alone stays what it is; what it compares with data is not followed.
  @Test func theTokenOfTheOtherAccountStays() throws {
    let rules = """
      match /roles/{u} { allow read: if false; }
      match /s/{x} { allow get: if request.auth.token.staff == true && \(Self.role).admin == true; }
      """
    let first = "request.auth.token.staff == true && \(Self.role).admin == true"
    guard case .proved(let proof) = try verdict(rules, first, at: "/s/{x}") else {
      return #expect(Bool(false), "not proved")
    }
    #expect(proof.notes.isEmpty)
    let second = "request.auth.token.org == resource.data.org"
    let other = "match /s/{x} { allow get: if \(second); }"
    guard case .proved(let proof) = try verdict(other, second, at: "/s/{x}") else {
      return #expect(Bool(false), "not proved")
    }
    #expect(
      proof.notes.contains {
        $0.hasPrefix("left out: requests by another account of the same person")
      })
  }

  /// What is left below a deleted room is said, unless nobody can create the room.
  @Test(arguments: [
    ("request.resource.data.owner == request.auth.uid", true), ("false", false),
  ]) func theCreationOfARoomIsLeftOutBySaying(_ case_: (statement: String, isSaid: Bool)) throws {
    let condition =
      "get(/databases/$(database)/documents/rooms/$(r)).data.owner == request.auth.uid"
    let rules = """
      match /rooms/{r} {
        allow create: if \(case_.statement);
        match /notes/{n} { allow get: if \(condition); }
      }
      """
    guard case .proved(let proof) = try verdict(rules, condition, at: "/rooms/{r}/notes/{n}") else {
      return #expect(Bool(false), "not proved")
    }
    #expect(
      proof.notes.contains { $0.contains("a client that recreates a deleted document") }
        == case_.isSaid)
  }

  /// Each is a hole that has an excuse only in the state that is found first.
  @Test(arguments: [
    "allow create: if request.resource.data.owner == request.auth.uid;"
      + " allow get: if resource.data.editor == request.auth.uid"
      + " || resource.data.owner == request.auth.uid;"
      + " allow update: if request.auth != null"
      + " && request.resource.data.owner == resource.data.owner;",
    "allow get: if resource.data.role[request.auth.uid] == 'r';"
      + " allow create: if request.resource.data.role[request.auth.uid] == 'r'"
      + " && request.resource.data.role.size() == 1;"
      + " allow update: if request.auth != null"
      + " && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['role']);",
    "allow get: if resource.data.owner == request.auth.uid;"
      + " allow update: if request.auth != null"
      + " && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['owner']);",
    "allow get: if resource.data.owner == request.auth.uid;"
      + " allow update: if request.auth != null"
      + " && request.resource.data.owner != request.auth.uid;",
  ]) func anExcuseCountsOnlyIfNothingIsFoundWithoutIt(_ statements: String) throws {
    let rules = try Asked("match /d/{x} { \(statements) }", "").rules
    let found = EscalationSearch(rules).all().filter { $0.sequence != nil }
    #expect(found.map { $0.level } == [.alarm], "\(found.map { $0.message })")
  }

  /// What nobody had may be taken, what one creates is one's own, and staff does what it is there for.
  @Test(arguments: [
    (
      "match /d/{x} { allow create: if !('owner' in request.resource.data);"
        + " allow get: if resource.data.owner == request.auth.uid; allow update: if request.auth != null"
        + " && resource.data.get('owner', null) == null"
        + " && request.resource.data.owner == request.auth.uid; }", "nobody had this access before",
      1
    ),
    (
      "match /profiles/{p} { allow create: if request.auth.uid == request.resource.data.owner; }"
        + " match /stats/{p}/daily/{d} { allow get: if get(/databases/$(database)/documents/profiles/"
        + "$(p)).data.owner == request.auth.uid; }",
      "the last document refers to the one that the client creates itself", 1
    ),
    (
      "match /chats/{c} { allow update: if request.auth.token.admin == true; match /typing/{u} {"
        + " allow write: if request.auth.uid in get(/databases/$(database)/documents/chats/$(c))"
        + ".data.people && request.auth.uid == u; } }",
      "only clients with token.admin can, which only the server sets", 0
    ),
  ]) func whatCanBeMeantSoIsARemark(
    _ case_: (rules: String, excuse: String, remarks: Int)
  ) throws {
    let rules = try Asked(case_.rules, "").rules
    let found = EscalationSearch(rules, notes: false).all()
    #expect(
      found.contains { $0.level == .note && $0.message.hasSuffix(": " + case_.excuse) },
      "\(found.map { $0.message })")
    let said = found.diagnostics(in: rules)
    #expect(said.map { $0.severity } == Array(repeating: .info, count: case_.remarks))
  }
}
