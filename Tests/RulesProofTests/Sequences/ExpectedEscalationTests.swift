import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// Sequences that are meant so, and such as are holes.
@Suite struct ExpectedEscalationTests {
  private static let root = "/databases/$(database)/documents"

  private func severities(_ blocks: String) throws -> [Diagnostic.Severity] {
    let rules = try Asked(blocks, "").rules
    return EscalationSearch(rules, notes: false).all().diagnostics(in: rules).map { $0.severity }
  }

  private static let pinned =
    "allow create: if request.auth.uid == request.resource.data.owner;"
    + " allow update: if request.auth.uid == resource.data.owner"
    + " && request.resource.data.owner == resource.data.owner;"

  /// Each is what the rules are for: nothing worse than a remark.
  @Test(arguments: [
    // The owner adds an editor.
    "match /docs/{d} { \(pinned) } match /docs/{d}/rev/{r} { allow read: if request.auth.uid in"
      + " get(\(root)/docs/$(d)).data.editors; }",
    // An author publishes a post.
    "match /posts/{p} { \(pinned) allow read: if resource.data.live == true; }",
    // A user name is given up and taken again.
    "match /un/{name} { allow create: if request.auth != null"
      + " && request.resource.data.uid == request.auth.uid;"
      + " allow delete: if resource.data.uid == request.auth.uid; }",
    // Somebody founds an organization and works in it.
    "match /orgs/{org} { allow create: if request.auth != null; } match /projects/{p} {"
      + " allow create: if request.auth != null && request.auth.uid in"
      + " get(\(root)/orgs/$(request.resource.data.org)).data.editors; }",
    // An admin adds itself to the viewers.
    "match /orgs/{org} { allow read: if request.auth.uid in resource.data.viewers;"
      + " allow create: if request.auth != null;"
      + " allow update: if (request.auth.uid in resource.data.admins"
      + " && request.resource.data.owner == resource.data.owner)"
      + " || request.auth.uid == resource.data.owner; }",
  ]) func whatIsMeantIsARemark(_ rules: String) throws {
    let found = try severities(rules)
    #expect(found.allSatisfy { $0 == .info }, "\(found)")
  }

  /// Each opens what somebody else has.
  @Test(arguments: [
    // The server stores something under the same name.
    "match /grants/{v} { allow create: if request.auth != null"
      + " && request.resource.data.by == request.auth.uid; }"
      + " match /vault/{v} { allow read: if request.auth != null"
      + " && get(\(root)/grants/$(v)).data.by == request.auth.uid; }",
    // A friend list is its owner's, rather than that of a group.
    "match /friends/{u} { allow read: if request.auth.uid == u; allow update: if request.auth != null"
      + " && request.resource.data.list.hasAll(resource.data.list); }"
      + " match /photos/{u}/p/{x} { allow read: if request.auth.uid in"
      + " get(\(root)/friends/$(u)).data.list; }",
    // One of many members lets itself into the vault below.
    "match /rooms/{r} { allow create: if request.auth.uid in request.resource.data.members;"
      + " allow update: if request.auth.uid in resource.data.members"
      + " && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['keepers']); }"
      + " match /rooms/{r}/vault/{v} { allow read: if request.auth.uid in"
      + " get(\(root)/rooms/$(r)).data.keepers; }",
  ]) func whatOpensWhatIsSomebodyElsesIsAnError(_ rules: String) throws {
    let found = try severities(rules)
    #expect(found.contains(.error), "\(found)")
  }

  /// A client that joins a couple may put the other one out by the next request.
  @Test func whoJoinsAndPutsOutIsNotSaidToPutNobodyOut() throws {
    let rules = try Asked(
      """
      match /couples/{c} {
        allow update: if request.auth.uid in resource.data.memberIds
          && request.resource.data.memberIds.size() <= 2;
        allow update: if request.auth != null && resource.data.memberIds.size() == 1
          && request.resource.data.memberIds.size() == 2
          && resource.data.memberIds[0] in request.resource.data.memberIds
          && request.auth.uid in request.resource.data.memberIds;
      }
      """, ""
    ).rules
    let found = EscalationSearch(rules).all().map { $0.message }
    #expect(found.allSatisfy { !$0.contains("cannot remove others") }, "\(found)")
  }

  /// Nobody is let in by a statement that always fails, so there is nothing to be asked.
  @Test func aStatementThatNeverGrantsIsNoQuestion() throws {
    let rules = try Asked("match /a/{id} { allow update: if request.auth.uid == userId; }", "")
      .rules
    #expect(EscalationSearch(rules).all().isEmpty)
  }

  /// One other content of a document is not every content: with another value than these two the first
  /// request may be denied.
  @Test(arguments: ["state != 'locked'", "level > 3"])
  func otherValuesThatWereTriedAreNotAllValues(_ condition: String) throws {
    let rules = try Asked(
      "match /rooms/{r} { allow update: if request.auth != null && resource.data.\(condition) && "
        + "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['admin']);"
        + " allow delete: if resource.data.admin == request.auth.uid; }", ""
    ).rules
    let field = condition.prefix { $0 != " " }
    let found = EscalationSearch(rules, notes: false).all()
    #expect(found.map { $0.level } == [.alarm])
    let message = try #require(found.first?.message)
    #expect(
      message.hasSuffix(
        ", and likewise with other values of `\(field)` and `admin` of /rooms/alice"),
      "\(message)")
  }

  /// A later request is made with the claims that its client has, so what grants more to others does not hide
  /// what it gained; wherever it stands.
  @Test(arguments: [
    "match /files/{f} { $admin $role }", "match /files/{f} { $role $admin }",
    "match /{any=**} { $admin } match /files/{f} { $role }",
    "match /files/{f} { $role } match /{any=**} { $admin }",
  ]) func whatAdminsMayDoHidesNoRoleThatIsSelfGranted(_ blocks: String) throws {
    let rules =
      "match /users/{u} { allow create: if request.auth.uid == u; } "
      + blocks.replacing("$admin", with: "allow write: if request.auth.token.admin == true;")
      .replacing(
        "$role",
        with: "allow create: if get(\(Self.root)/users/$(request.auth.uid)).data.role == 'admin'"
          + " && request.resource.data.title is string;")
    let found = EscalationSearch(try Asked(rules, "").rules, notes: false).all()
    #expect(found.contains { $0.level == .alarm }, "\(found.map { $0.message })")
  }

  /// Each begins with documents as clients can create them, also for other accounts, or by one commit.
  @Test(arguments: [
    "match /sub/{s} { allow create: if request.auth != null"
      + " && request.resource.data.ids == [request.auth.uid];"
      + " allow update: if request.auth != null"
      + " && request.resource.data.ids == resource.data.ids.concat([request.auth.uid]); }"
      + " match /sub/{s}/c/{x} { allow get: if request.auth.uid in get(\(root)/sub/$(s)).data.ids; }",
    "match /req/{r} { allow create: if request.auth != null"
      + " && request.resource.data.from == request.auth.uid && request.resource.data.ok == false;"
      + " allow update: if request.auth != null && resource.data.from != request.auth.uid"
      + " && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['ok']); }"
      + " match /gate/{r} { allow get: if get(\(root)/req/$(request.auth.uid)).data.ok == true; }",
    "match /rooms/{r} { allow create: if request.auth != null"
      + " && request.resource.data.host == request.auth.uid && request.resource.data.open is bool;"
      + " allow update: if request.auth.uid == resource.data.host"
      + " && request.resource.data.host == resource.data.host; }"
      + " match /rooms/{r}/seats/{s} { allow create: if request.auth.uid == s"
      + " && get(\(root)/rooms/$(r)).data.open == true; }"
      + " match /rooms/{r}/talk/{t} { allow get: if"
      + " exists(\(root)/rooms/$(r)/seats/$(request.auth.uid)); }",
    "match /pay/{u} { allow create: if request.auth.uid == u"
      + " && getAfter(\(root)/rcpt/$(u)).data.ok == true; }"
      + " match /rcpt/{u} { allow create: if request.auth.uid == u"
      + " && getAfter(\(root)/pay/$(u)).data.ok == true; }"
      + " match /film/{s} { allow get: if request.auth != null"
      + " && exists(\(root)/pay/$(request.auth.uid)); }",
    "match /keys/{k} { allow create: if request.auth != null"
      + " && existsAfter(\(root)/locks/$(k)); }"
      + " match /locks/{k} { allow create: if request.auth != null"
      + " && existsAfter(\(root)/keys/$(k)); }"
      + " match /safe/{s} { allow get: if request.auth != null"
      + " && exists(\(root)/keys/$(request.auth.uid)); }",
  ]) func whatClientsCanCreateIsABeginning(_ rules: String) throws {
    let found = EscalationSearch(try Asked(rules, "").rules, notes: false).all()
    #expect(
      found.contains { $0.level == .alarm || $0.excused != nil }, "\(found.map { $0.message })")
    let last = try #require(rules.split(separator: "allow get: if ").last)
    let condition = String(last.dropLast(3))
    let path = try #require(
      ["/sub/{s}/c/{x}", "/gate/{r}", "/rooms/{r}/talk/{t}", "/film/{s}", "/safe/{s}"].first {
        rules.contains("match \($0) {")
      })
    let verdict = try Asked(
      rules,
      #"{"path": ""# + path + #"", "methods": "get", "through": "any", "onlyIf": ""# + condition
        + #""}"#
    ).verdicts.first
    #expect(verdict?.word == "violated", "\(path)")
  }
}
