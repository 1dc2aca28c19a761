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
        == ["nobody can delete, although a statement is for that"])
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
