import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// What anybody can bring about although an answer is "only if".
@Suite struct OpeningTests {
  private static let now = Timestamp(rfc3339: "2026-11-27T00:00:00Z")

  /// The findings about rules that are more than notes, as `weight: message`.
  private func findings(_ blocks: String) throws -> [String] {
    let matrix = Auditor(try Scripted.checked(blocks), at: Self.now).matrix()
    for finding in matrix.findings where finding.weight == .alarm {
      #expect(finding.witness?.decision.isAllowed == true, "\(finding.message)")
    }
    return matrix.findings.filter { $0.weight > .note }.map { "\($0.weight.word): \($0.message)" }
  }

  /// What a client sends, and what only the clock decides, keeps nobody out.
  @Test(arguments: [
    "allow update: if request.resource.data.a is string && request.resource.data.a.size() < 300;",
    "allow update: if request.resource.data.owner == request.auth.uid;",
    "allow update: if request.auth != null && request.resource.data.owner == resource.data.owner;",
    "allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a']);",
    "allow update: if request.resource.data.at == request.time;",
    "allow update: if request.resource.data.id == x;",
    "allow update, delete: if request.time < timestamp.date(2027, 12, 24);",
    "allow delete: if request.auth.token.email_verified == true;",
    "allow delete: if request.auth.token.firebase.sign_in_provider in ['password', 'google.com'];",
    "allow update: if request.resource.data.a == 'x' || resource.data.owner == request.auth.uid;",
  ])
  func whatAnybodyBringsAboutIsAnAlarm(_ statement: String) throws {
    let found = try findings("match /d/{x} { \(statement) }")
    #expect(found.contains { $0.hasPrefix("alarm: any") || $0.hasPrefix("alarm: a client with") })
  }

  /// What is stored, or what the server sets, keeps others out: no alarm.
  @Test(arguments: [
    "allow update: if resource.data.owner == request.auth.uid;",
    "allow update: if request.auth.uid == x && request.resource.data.a is string;",
    "allow update: if resource.data.state == 'open' && request.resource.data.a is string;",
    "allow update: if resource.data.state != 'shut';",
    "allow delete: if request.auth.token.admin == true;",
    "allow update: if request.auth.token.email_verified == true && request.auth.token.admin == true;",
    "allow update: if exists(/databases/$(database)/documents/open/$(x));",
    "allow delete: if request.auth.uid == 'boss';",
    "allow delete: if x == 'public';",
    "allow update: if request.time < timestamp.date(2020, 1, 1);",
  ])
  func whatIsProtectedIsNoAlarm(_ statement: String) throws {
    let found = try findings("match /d/{x} { \(statement) }")
    #expect(!found.contains { $0.hasPrefix("alarm") }, "\(found)")
  }

  /// Creating is what apps let people do: a caution, if nothing but the content is checked by nobody.
  @Test func creatingIsNoAlarmForThoseWhoHaveAnAccount() throws {
    let open = try findings("match /d/{x} { allow create: if request.auth != null; }")
    #expect(open == ["caution: any signed-in user can create every document"])
    let own = try findings(
      "match /d/{x} { allow create: if request.resource.data.owner == request.auth.uid; }")
    #expect(own.isEmpty)
  }

  /// The sentence names the signed-in users whom a document, their user ID or a claim keeps out.
  @Test(arguments: [
    (
      "allow create: if request.auth != null "
        + "&& !exists(/databases/$(database)/documents/users/$(request.auth.uid));",
      "caution: any signed-in user who has no document /users/{uid} can create every document"
    ),
    (
      "allow delete: if request.auth != null && request.auth.uid != x;",
      "alarm: any signed-in user who is not the owner {x} can delete every document"
    ),
    (
      "allow delete: if request.auth != null;",
      "alarm: any signed-in user can delete every document"
    ),
  ])
  func whoIsDeniedIsNoSignedInUser(_ statement: String, _ sentence: String) throws {
    #expect(try findings("match /d/{x} { \(statement) }") == [sentence])
  }

  /// Fields that no rule mentions: a mark stands for its columns, and more than three names are counted.
  @Test func whoeverMayUpdateIsSaidOnce() throws {
    func note(_ statement: String) throws -> String? {
      try AuditedRules.matrix("match /d/{x} { \(statement) }").findings.map { $0.message }
        .first { $0.hasPrefix("fields that") }
    }
    let either = "request.auth.uid == x || request.auth.token.admin == true"
    #expect(
      try note("allow update: if \(either);")
        == "fields that no rule mentions can be added and changed by: everybody who may update the document"
    )
    #expect(
      try note(
        "allow update: if \(either) || request.auth.token.clerk == true "
          + "&& request.resource.data.diff(resource.data).affectedKeys().hasOnly(['a']);")
        == "fields that no rule mentions can be added and changed by: owner {x}; token.admin")
  }

  /// A statement that is proved never to grant leaves no question about its condition.
  @Test func ofADeadStatementNothingIsOpen() throws {
    func open(_ lookup: String) throws -> Int {
      try AuditedRules.matrix(
        """
        match /d/{x} {
          allow get: if request.auth.uid == x;
          allow get: if request.auth != null && \(lookup) == request.auth.uid;
        }
        """
      ).escalations.count { !$0.openReasons.isEmpty }
    }
    #expect(try open("get(/databases/$(database)/documents/events/$(unbound)).data.a") == 0)
    #expect(try open("get(path(resource.data.at)).data.a") == 1)
  }

  /// A statement of which nothing comes is told, and what is shut on purpose is not.
  @Test func onlyWhatSurprisesIsSaidToBeShut() throws {
    func notes(_ statements: String) throws -> [String] {
      try AuditedRules.matrix("match /d/{x} { \(statements) }").findings.map { $0.message }
        .filter { $0.hasPrefix("nobody") }
    }
    #expect(try notes("allow read: if request.auth.uid == x; allow write: if false;").isEmpty)
    #expect(try notes("allow read: if request.auth.uid == x;").isEmpty)
    #expect(
      try notes("allow write: if request.auth.uid == x && request.resource.data.a is string;")
        == ["nobody can delete: no request satisfies the statement for it"])
  }

  /// One field across paths: who reads it, creates documents with it, changes it.
  @Test func oneFieldHasRowsOfItsOwn() throws {
    let rules = try Scripted.checked(
      """
      match /a/{x} {
        allow read;
        allow create: if !('role' in request.resource.data);
        allow update: if request.auth.uid == x
          && !request.resource.data.diff(resource.data).affectedKeys().hasAny(['role']);
      }
      match /b/{x} { allow read: if request.auth.uid == x; }
      match /c/{x} { allow write: if request.auth.uid == x; }
      """)
    let matrix = Auditor(rules, about: "role").matrix()
    #expect(matrix.paths.map { $0.path.text } == ["/a/{x}", "/c/{x}"])
    let rows = try #require(matrix.paths.first).rows
    #expect(rows.map { $0.operation.label }.contains("create with role"))
    for row in rows where row.operation.method == .create || row.operation.method == .update {
      #expect(row.cells.allSatisfy { $0.answer == .never }, "\(row.operation.label)")
    }
  }
}
