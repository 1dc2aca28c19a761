import RulesEval
import RulesLang
import Testing

@testable import RulesProof
@testable import RulesTesting

/// Conditions that do not ask who the client is, and those that do.
@Suite struct OutsiderTests {
  private static let now = Timestamp(rfc3339: "2026-11-27T00:00:00Z")

  private func matrix(_ blocks: String) throws -> AccessMatrix {
    let matrix = Auditor(try Scripted.checked(blocks), at: Self.now).matrix()
    for opening in matrix.paths.flatMap({ $0.openings }) {
      #expect(opening.witness?.decision.isAllowed == true)
    }
    return matrix
  }

  /// The findings about what clients can do with documents, as `weight: message`.
  private func findings(_ statement: String) throws -> [String] {
    try matrix("match /d/{x} { \(statement) }").findings.map {
      "\($0.weight.word): \($0.message)"
    }.filter {
      $0.contains(" can ") && !$0.contains("nobody") && !$0.contains("no rule mentions can")
    }
  }

  /// What every new account satisfies keeps nobody from documents of others.
  @Test(arguments: [
    (
      "allow update: if request.auth != null && request.resource.data.v == resource.data.v + 1;",
      "alarm: any signed-in user can change any field of documents of others by sending data "
        + "that satisfies: request.resource.data.v == resource.data.v + 1"
    ),
    (
      "allow delete: if request.auth != null && resource.data.id == x;",
      "caution: any signed-in user can delete every document where resource.data.id == x"
    ),
    (
      "allow update: if request.auth != null && (resource.data.locked == false || request.auth.token.admin);",
      "caution: any signed-in user can change any field of every document where resource.data.locked == false"
    ),
    (
      "allow update: if request.auth.uid != null && x.matches('.*');",
      "caution: any signed-in user can change any field of every document where x.matches('.*')"
    ),
    (
      "allow update: if request.auth != null && !(request.auth.uid in resource.data.banned);",
      "caution: any signed-in user can change any field of every document where "
        + "!(request.auth.uid in resource.data.banned)"
    ),
    (
      "allow delete: if request.auth.uid.size() > 5;",
      "alarm: any signed-in user can delete every document with an account where: "
        + "request.auth.uid.size() > 5"
    ),
    (
      "allow delete: if !('banned' in request.auth.token);",
      "alarm: any signed-in user can delete every document with an account where: "
        + "!('banned' in request.auth.token)"
    ),
    (
      "allow read: if request.auth != null && resource.data.deleted == false;",
      "note: any signed-in user can get and list every field of every document where "
        + "resource.data.deleted == false"
    ),
    (
      "allow update: if resource.data.open == true;",
      "caution: anyone, signed out, can change any field of every document where resource.data.open == true"
    ),
    (
      "allow update: if resource.data.boss == request.auth.token.name;",
      "caution: any signed-in user can change any field of every document where "
        + "resource.data.boss == request.auth.token.name"
    ),
    (
      "allow update: if request.auth != null && (resource.data.host.uid == request.auth.uid "
        + "|| resource.data.state == 'open');",
      "caution: any signed-in user can change any field of every document where "
        + "resource.data.state == 'open'"
    ),
    (
      "allow update: if request.auth.token.org == request.resource.data.org;",
      "caution: any client that has token.org (any value) can change any field of documents of others by "
        + "sending data that satisfies: request.auth.token.org == request.resource.data.org"
    ),
  ])
  func whatDoesNotAskWhoTheClientIsIsAFinding(_ statement: String, _ finding: String) throws {
    let found = try findings(statement)
    #expect(found.contains(finding), "\(found)")
  }

  /// A statement is open although most of what it grants to outsiders is granted by one before it.
  @Test(arguments: [
    (
      "allow update: if !(request.auth.uid in resource.data.members); "
        + "allow update: if request.resource.data.author == request.auth.uid;",
      "alarm: any signed-in user can change any field of every document by sending data that satisfies: "
        + "request.resource.data.author == request.auth.uid"
    ),
    (
      "allow update: if request.auth != null && resource.data.state != 'shut'; "
        + "allow update: if request.auth != null && resource.data.state != x;",
      "caution: any signed-in user can change any field of every document where "
        + "resource.data.state != x"
    ),
  ])
  func anEarlierStatementHidesNothing(_ statements: String, _ finding: String) throws {
    let found = try findings(statements)
    #expect(found.contains(finding), "\(found)")
  }

  /// What an outsider satisfies is not said to keep clients out.
  @Test(arguments: [
    "allow update: if request.auth != null && resource.data.locked == false;",
    "allow delete: if request.auth != null && resource.data.id == x;",
    "allow read: if request.auth != null && resource.data.deleted == false;",
    "allow update: if request.auth.token.org == request.resource.data.org;",
  ])
  func nothingReassuringIsSaidOfWhatIsOpen(_ statement: String) throws {
    let escalations = try matrix("match /d/{x} { \(statement) }").escalations
    #expect(escalations.isEmpty, "\(escalations.map { $0.message })")
  }

  /// A condition that one account of an outsider fails is not proved to keep the others out.
  @Test(arguments: [
    "allow update: if request.auth.token.email_verified == true "
      + "&& request.auth.token.email.matches('.*@gmail[.]com') && resource.data.open == true;",
    "allow update: if request.auth.token.email_verified == true "
      + "&& request.auth.token.email.lower() > 't' && resource.data.open == true;",
    "allow delete: if request.auth.uid.matches('a.*') && resource.data.open == true;",
    "allow delete: if request.auth.uid.size() == 20 && resource.data.open == true;",
    "allow update: if request.auth.token.phone_number.matches('[+]49.*') && resource.data.open == true;",
    "allow update: if request.auth != null && request.time > timestamp.date(2030, 1, 1) "
      + "&& resource.data.open == true;",
  ])
  func oneAccountThatIsKeptOutIsNoProof(_ statement: String) throws {
    let escalations = try matrix("match /d/{x} { \(statement) }").escalations
    #expect(
      escalations.map { $0.message.hasSuffix(Self.isUnknown) } == [true],
      "\(escalations.map { $0.message })")
  }

  /// A condition that no account of an outsider satisfies is proved to keep all of them out.
  @Test(arguments: [
    "allow delete: if resource.data.editor == request.auth.token.email "
      + "&& request.auth.token.email_verified == true;",
    "allow delete: if exists(/databases/$(database)/documents/staff/$(request.auth.token.email)) "
      + "&& request.auth.token.email_verified == true;",
    "allow update: if resource.data.owner == request.auth.uid;",
    "allow delete: if request.auth.uid == 'boss' && resource.data.open == true;",
    "allow delete: if request.auth.uid in ['boss', 'deputy'] && resource.data.open == true;",
    "allow delete: if exists(/databases/$(database)/documents/staff/$(request.auth.uid));",
    "allow delete: if request.auth.token.admin == true && resource.data.open == true;",
    "allow update: if request.auth != null && request.time < timestamp.date(2020, 1, 1) "
      + "&& resource.data.open == true;",
  ])
  func whatNoNewAccountSatisfiesIsProved(_ statement: String) throws {
    let escalations = try matrix("match /d/{x} { \(statement) }").escalations
    #expect(
      escalations.map { $0.isStable && !$0.message.hasSuffix(Self.isUnknown) } == [true],
      "\(escalations.map { $0.message })")
  }

  private static let isUnknown = "; not decided whether a new account satisfies it"

  /// What names the client, in whatever way, or takes a claim of the server's, keeps others out.
  @Test(arguments: [
    "allow update: if resource.data.owner == request.auth.uid;",
    "allow read, update: if request.auth.uid in resource.data.members;",
    "allow update: if resource.data.members.hasAny([request.auth.uid]);",
    "allow update: if resource.data.members[request.auth.uid] == true;",
    "allow delete: if resource.data.host.uid == request.auth.uid;",
    "allow delete: if x == request.auth.uid + '_a';",
    "allow delete: if request.auth.uid in x.split('_');",
    "allow delete: if exists(/databases/$(database)/documents/staff/$(request.auth.uid));",
    "allow delete: if exists(/databases/$(database)/documents/staff/$(request.auth.uid + 'x'));",
    "allow delete: if request.auth.token.email in resource.data.invited;",
    "allow delete: if request.auth.token.email == 'boss@example.com';",
    "allow read: if request.auth.token.email.lower() == 'boss@example.com';",
    "allow delete: if request.auth.token.level > 3;",
    "allow update: if request.auth.token.org == resource.data.org;",
    "allow update: if request.auth.token.org == request.resource.data.org "
      + "&& request.resource.data.org == resource.data.org;",
    "allow delete: if request.auth != null && resource.data.until < timestamp.date(1900, 1, 1) "
      + "&& request.time < timestamp.date(2020, 1, 1);",
  ])
  func whatAsksWhoTheClientIsIsNoFinding(_ statement: String) throws {
    let found = try findings(statement)
    #expect(found.isEmpty, "\(found)")
  }

  /// A few fields that anybody can change in a way that the rules prescribe are often meant so.
  @Test func aCounterIsANote() throws {
    let found = try findings(
      "allow update: if request.auth != null && request.resource.data.likes == resource.data.likes + 1 "
        + "&& request.resource.data.diff(resource.data).affectedKeys().hasOnly(['likes']);")
    #expect(found.count == 1 && found[0].hasPrefix("note: any signed-in user can change likes of"))
  }

  /// A second way into a document does not hide that the first one is open to all.
  @Test func anOwnerBesideItHidesNothing() throws {
    let found = try findings(
      "allow update: if (request.auth != null && resource.data.host.uid == request.auth.uid) "
        + "|| (request.auth != null "
        + "&& request.resource.data.diff(resource.data).affectedKeys().hasOnly(['guests']));")
    #expect(
      found.contains { $0.hasPrefix("alarm: any signed-in user can change guests of every") },
      "\(found)")
  }

  /// A contact form is a caution, and a time stamp is sent.
  @Test func whatIsMeantSoIsNoAlarm() throws {
    #expect(
      try findings("allow create;") == ["caution: anyone, signed out, can create every document"])
    #expect(
      try findings("allow update: if request.resource.data.at == request.time;") == [
        "alarm: anyone, signed out, can change any field of every document by sending data that "
          + "satisfies: request.resource.data.at == request.time"
      ])
  }
}
