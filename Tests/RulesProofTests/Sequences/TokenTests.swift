import RulesEval
import RulesLang
import Testing

@testable import RulesEncoding
@testable import RulesProof
@testable import RulesProofTesting
@testable import RulesTesting

/// What is said of claims of the token, by who sets them.
@Suite struct TokenTests {
  private func messages(_ condition: String, to methods: String = "get") throws -> [String] {
    let rules = try Asked("match /a/{id} { allow \(methods): if \(condition); }", "").rules
    return EscalationSearch(rules).all().map { $0.message }
  }

  /// Each is granted only with a claim that the project's server sets.
  @Test(arguments: [
    ("request.auth.token.admin == true", "token.admin"),
    ("request.auth.token.admin", "token.admin"),
    ("request.auth != null && request.auth.token.role in ['editor', 'owner']", "token.role"),
    (
      "'staff' in request.auth.token.groups || request.auth.token.groups.hasAny(['x'])",
      "token.groups"
    ),
    ("request.auth.token.get('admin', false) == true", "token.admin"),
  ]) func whatOnlyTheServerSetsIsNamed(_ case_: (condition: String, claim: String)) throws {
    #expect(
      try messages(case_.condition) == ["rests on \(case_.claim), which only the server sets"])
  }

  /// Each reads a claim without resting on it, or reads no token.
  @Test(arguments: [
    "!('admin' in request.auth.token) || request.auth.token.admin == true",
    "request.auth.token.banned != true",
    "request.auth.token.banned == false || request.auth.token.banned != true",
    "request.auth.token.get('banned', false) == false",
    "request.auth.token.uid == id || request.auth.uid == id",
    "request.auth.token.admin == true || request.auth.uid == id",
  ]) func aClaimThatIsNotNeededIsNotNamed(_ condition: String) throws {
    #expect(try messages(condition).isEmpty)
  }

  @Test func onlyTheTokenHasClaims() throws {
    #expect(try messages("request.resource.data.token.key == 'k'", to: "create").isEmpty)
    #expect(
      try messages(
        "request.auth.token.admin == true || request.resource.data.open == true", to: "create"
      ).isEmpty)
  }

  /// Each reads what users choose, and what is said of it.
  @Test(arguments: [
    ("request.auth.token.email == 'boss@corp.com'", "depends on token.email, which users choose"),
    ("request.auth.token.name == 'Boss'", "depends on token.name, which users choose themselves"),
    (
      "request.auth.token.picture == 'x'", "depends on token.picture, which users choose themselves"
    ),
    (
      "request.auth.token.phone_number == '+1'",
      "rests on token.phone_number, which the sign-in has verified"
    ),
    ("request.auth.token.email in resource.data.admins", "depends on token.email, which users"),
    ("resource.data.owner == request.auth.token.name", "depends on token.name, which users choose"),
    (
      "exists(/databases/$(database)/documents/allow/$(request.auth.token.email))",
      "depends on token.email, which users choose"
    ),
    (
      "request.auth.token.email.matches('.*@corp[.]com') && request.auth.token.email_verified",
      "rests on token.email, which the sign-in has verified"
    ),
    (
      "request.auth.token.firebase.sign_in_provider == 'anonymous'",
      "depends on how the client signs in (token.firebase.sign_in_provider)"
    ),
    (
      "request.auth.token[resource.data.claim] == true",
      "depends on claims of the token that it does not name, again before each request"
    ),
  ]) func whatUsersChooseIsSaid(_ case_: (condition: String, start: String)) throws {
    let found = try messages(case_.condition)
    #expect(found.count == 1 && found[0].hasPrefix(case_.start), "\(found)")
  }

  /// Who is an administrator by an address that nobody has verified can be anybody at the next request.
  @Test(arguments: [
    ("request.auth.token.email == resource.data.owner", "undecided"),
    ("request.auth.token.name in resource.data.names", "undecided"),
    (
      "request.auth.token.email_verified == true && request.auth.token.email == resource.data.owner",
      "proved"
    ),
    (
      "request.auth.token.firebase.sign_in_provider == 'google.com' "
        + "&& request.auth.token.email == resource.data.owner", "proved"
    ),
    ("request.auth.token.org == resource.data.org", "proved"),
  ]) func whatUsersChooseIsAnotherAtEachRequest(_ case_: (condition: String, word: String)) throws {
    let asked = try Asked(
      "match /x/{id} { allow get: if \(case_.condition); }",
      #"{"path": "/x/{id}", "methods": "get", "through": "any", "onlyIf": ""# + case_.condition
        + #""}"#)
    #expect(asked.verdicts.map { $0.word } == [case_.word])
  }
}
