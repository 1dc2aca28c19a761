import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// Lookups whose paths come from functions, from variables, or from texts.
@Suite struct ComputedPathTests {
  private static let root = "/databases/$(database)/documents"

  private func found(_ blocks: String) throws -> [Escalation] {
    EscalationSearch(try Asked(blocks, "").rules).all()
  }

  /// Each is a way to look the client's own document up, which the client may write.
  @Test(arguments: [
    ("function p() { return \(root)/people/$(request.auth.uid); }", "p()"),
    ("function p(u) { return \(root)/people/$(u); }", "p(request.auth.uid)"),
    ("function p(u) { let id = u; return \(root)/people/$(id); }", "p(request.auth.uid)"),
    (
      "function q(c, u) { return \(root)/$(c)/$(u); } "
        + "function p(u) { return q('peo' + 'ple', u); }", "p(request.auth.uid)"
    ),
    ("", "\(root)/people/$('' + request.auth.uid)"),
    (
      "function p(c, i) { return path('/databases/' + database + '/documents/' + c + '/' + i); }",
      "p('people', request.auth.uid)"
    ),
    ("", "path('databases/(default)/documents/people/' + request.auth.uid)"),
  ]) func thePathIsFollowed(_ case_: (functions: String, path: String)) throws {
    let role = "get(\(case_.path)).data.role == 'admin'"
    let self_ = "match /people/{u} { allow write: if request.auth.uid == u; } "
    let asked = "match /s/{x} { allow write: if \(role); }"
    let found = try found(case_.functions + self_ + asked)
    #expect(found.map { $0.level } == [.alarm], "\(found.map { $0.message })")
    let verdict = try Asked(
      case_.functions + self_ + asked,
      #"{"path": "/s/{x}", "methods": "write", "through": "any", "onlyIf": ""# + role + #""}"#
    ).verdicts.first
    #expect(verdict?.word == "violated")
  }

  /// The document comes from a function as a whole.
  @Test func theDocumentIsFollowed() throws {
    let found = try found(
      "function me() { return get(\(Self.root)/people/$(request.auth.uid)); }"
        + " function role() { return request.auth != null ? me().data.role : null; }"
        + " match /people/{u} { allow write: if request.auth.uid == u; }"
        + " match /s/{x} { allow write: if role() == 'admin'; }")
    #expect(found.map { $0.level } == [.alarm], "\(found.map { $0.message })")
  }

  /// A document with an ID that is put together is one that anybody may create.
  @Test func anIDIsPutTogether() throws {
    let found = try found(
      "match /links/{id} { allow create: if request.auth != null"
        + " && request.resource.data.userId == request.auth.uid; }"
        + " match /meds/{m} { function linked(d, u) { let id = d + '_' + u;"
        + " return exists(\(Self.root)/links/$(id)); }"
        + " allow read: if request.auth != null && linked(resource.data.device, request.auth.uid); }"
    )
    #expect(found.map { $0.level } == [.alarm], "\(found.map { $0.message })")
  }

  /// Nobody writes the documents, which is proved of a path that comes from a function.
  @Test(arguments: [
    ("function p() { return \(root)/people/$(request.auth.uid); }", "p()", true),
    ("", "\(root)/people/$('a' + request.auth.uid)", true),
    // A user ID may have characters that mean something in a path that is parsed.
    ("", "path('/databases/(default)/documents/people/' + request.auth.uid)", false),
    ("", "path(resource.data.place)", false),
  ]) func whatIsNotFollowedIsNotStable(
    _ case_: (functions: String, path: String, isStable: Bool)
  ) throws {
    let found = try found(
      case_.functions + "match /other/{u} { allow create; }"
        + " match /s/{x} { allow get: if get(\(case_.path)).data.role == 'admin'; }")
    #expect(found.map { $0.isStable } == [case_.isStable], "\(found.map { $0.message })")
    #expect(found.allSatisfy { $0.openReasons.isEmpty == case_.isStable })
  }

  /// The request names the document, or the time: each opens what is there already.
  @Test(arguments: [
    "match /teams/{t} { allow create: if request.resource.data.boss == request.auth.uid; }"
      + " match /u/{c} { allow update: if get(\(root)/teams/$(request.resource.data.team)).data.boss"
      + " == request.auth.uid; }",
    "match /users/{u} { allow read, write: if request.auth.uid == u; }"
      + " match /paid/{x} { allow read: if get(\(root)/users/$(request.auth.uid)).data.until"
      + " > request.time; }",
    "match /users/{u} { allow write: if request.auth.uid == u; }"
      + " match /t/{x} { allow read: if get(\(root)/users/$(request.auth.uid)).data.team"
      + " == resource.data.team; }",
    "match /users/{u} { allow write: if request.auth.uid == u; }"
      + " match /t/{x} { allow read: if resource.data.team in"
      + " get(\(root)/users/$(request.auth.uid)).data.teams; }",
  ]) func whatTheClientChoosesOpensWhatIsThere(_ rules: String) throws {
    let found = try found(rules)
    #expect(found.contains { $0.level == .alarm }, "\(found.map { $0.message })")
  }

  /// That a value is one that the server stores is no alarm.
  @Test func whatTheServerMustStoreIsANote() throws {
    let found = try found(
      "match /users/{u} { allow write: if request.auth.uid == u; }"
        + " match /t/{x} { allow read: if resource.data.open == true"
        + " && get(\(Self.root)/users/$(request.auth.uid)).data.team == 'a'; }")
    #expect(found.map { $0.level } == [.note], "\(found.map { $0.message })")
  }
}
