import Foundation
import RulesCheck
import Testing

/// The library as other packages see it, without `@testable`. `Examples/AppTests` has more of it.
@Suite struct LibraryTests {
  private static let text = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow read: if request.time < timestamp.date(2030, 1, 1);
          allow write: if request.auth != null && request.auth.uid == uid;
        }
        match /values/{id} {
          allow create: if request.resource.data.keys().hasOnly([
            'n', 'i', 'f', 'w', 's', 'b', 'l', 'm', 't', 'o', 'g', 'r', 'd'])
            && request.resource.data.n == null && request.resource.data.i is int
            && request.resource.data.f is float && request.resource.data.w is float
            && request.resource.data.s == 'two words' && request.resource.data.b
            && request.resource.data.l == [1, 'a'] && request.resource.data.m.$x == 1
            && request.resource.data.t.year() == 2025 && request.resource.data.o is bytes
            && request.resource.data.g.latitude() == 1.5
            && request.resource.data.r == /databases/$(database)/documents/users/alice
            && request.resource.data.d == request.time;
        }
      }
    }
    """

  private let rules: Rules

  init() throws {
    rules = try Rules(Self.text, file: "app.rules").storing(["/users/alice": ["n": 1]])
  }

  @Test func everyKindOfValueArrivesAsWhatItIs() throws {
    let word = "words"
    try rules.require(
      .allow,
      .create(
        "/values/v",
        data: [
          "n": nil, "i": 7, "f": 1.5, "w": 2.0, "s": "two \(word)", "b": true, "l": [1, "a"],
          "m": ["$x": 1], "t": .timestamp("2025-10-21T09:00:00Z"), "o": .bytes(base64: "AAE="),
          "g": .geoPoint(latitude: 1.5, longitude: 0), "r": .reference("/users/alice"),
          "d": .serverTimestamp,
        ], as: "alice"))
  }

  @Test func aDecisionSaysWhichLineDecidedAndWhy() throws {
    let allowed = try rules.decide(.update("/users/alice", data: ["n": 2], as: "alice"))
    #expect(allowed.isAllowed && allowed.line == 6 && !allowed.hasErrors)
    let denied = try rules.decide(.update("/users/alice", data: ["n": 2], as: "mallory"))
    #expect(!denied.isAllowed && denied.line == nil)
    #expect(denied.description.hasPrefix("DENY\nupdate /users/alice as mallory\n"))
    #expect(denied.description.contains("--> app.rules:6:7 is false"))
  }

  @Test func aFailureNamesThePlaceOfTheCall() {
    // The macros of tests would count the lines anew.
    func story(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return ""
    }
    let line = #line
    let denied = story { try rules.require(.allow, .delete("/users/alice", as: "mallory")) }
    let odd = story { try rules.require(.allow, .get("users", as: "alice")) }
    let claim = story { try rules.require(.proved, .never(on: "/users/{uid}")) }
    let file = "RulesTests/LibraryTests.swift"
    #expect(denied.hasPrefix("\(file):\(line + 1): expected allow, the rules deny it\n"))
    #expect(odd.hasPrefix("\(file):\(line + 2): "))
    #expect(claim.hasPrefix("\(file):\(line + 3): "))
  }

  @Test func aRequestCanBeAskedAtAnotherTime() throws {
    let request = Rules.Request.get("/users/alice", as: "bob")
    try rules.require(.allow, request.at("2029-01-01T00:00:00Z"))
    try rules.require(.deny, request.at("2031-01-01T00:00:00Z"))
    try rules.require(.allow, request.at(Date(timeIntervalSince1970: 1_800_000_000)))
    try rules.require(.deny, request.at(Date(timeIntervalSince1970: 1_900_000_000)))
  }

  @Test func whatIsNotAsExpectedIsAFailureWithItsReason() {
    func failure(_ body: () throws -> Void) -> Rules.Failure? {
      #expect(throws: Rules.Failure.self, performing: body)
    }
    let denied = failure { try rules.require(.allow, .delete("/users/alice", as: .signedOut)) }
    #expect(denied?.reason == .unexpected)
    #expect(denied?.description.contains("expected allow, the rules deny it\nDENY\n") == true)
    let odd = failure { try rules.require(.deny, .get("/users", as: "alice")) }
    #expect(odd?.reason == .unusable)
    let wrong = failure { _ = try Rules("service cloud.firestore {", file: "x.rules") }
    #expect(wrong?.reason == .unusable)
    #expect(wrong?.description.contains("x.rules:1:") == true)
    let claim = failure { try rules.require(.proved, .never(on: "/users/{uid}")) }
    #expect(claim?.reason == .unexpected)
    #expect(claim?.description.contains("VIOLATED") == true)
    let vacuous = failure { try rules.require(.proved, .never(on: "/nowhere/{id}")) }
    #expect(vacuous?.description.contains("VACUOUS") == true)
    let unclear = failure { _ = try rules.prove(.only(if: "nope(", on: "/users/{uid}")) }
    #expect(unclear?.reason == .unusable)
    let empty = failure { try rules.requirePassed(suite: "{\"tests\": []}") }
    #expect(empty?.reason == .unusable)
    #expect(empty?.description.hasPrefix("\(#fileID):\(#line - 2): the suite: no test") == true)
    let failed = failure {
      try rules.requirePassed(
        suite: "{\"tests\": [{\"as\": null, \"delete\": \"/users/a\", \"expect\": \"allow\"}]}",
        file: "a.suite.json")
    }
    #expect(failed?.reason == .unexpected)
    #expect(failed?.description.contains("FAIL  a.suite.json  1 of 1 tests failed") == true)
    #expect(failed?.description.hasPrefix("\(#fileID):\(#line - 6): FAIL") == true)
  }

  @Test func aWarningSaysWhereItIs() throws {
    let text = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          function unused() { return true; }
          match /users/{uid} { allow read: if request.auth.uid == uid; }
        }
      }
      """
    let warning = try #require(try Rules(text, file: "app.rules").warnings.first)
    #expect(warning.code == "unused-function" && warning.line == 4 && warning.column == 14)
    #expect(warning.message == "Unused function: unused.")
    #expect(warning.description.contains("app.rules:4:14"))
  }

  @Test func claimsHoldForAllRequests() throws {
    let owner = "request.auth != null && request.auth.uid == uid"
    let claim = Rules.Claim.only(if: owner, on: "/users/{uid}", methods: [.write])
    let verdict = try rules.prove(claim)
    #expect(verdict.outcome == .proved)
    #expect(verdict.description.contains("app.rules:6:7"))
    try rules.require(.proved, .always(if: owner, on: "/users/{uid}", methods: [.update]))
    try rules.require(.violated, .never(on: "/users/{uid}", methods: [.update]))
    try rules.require(.vacuous, .never(on: "/nowhere/{id}"))
  }

  /// No client can store the door as the first request needs it; that it is stored, the suite may say.
  @Test func sequencesBeginWithTheDocumentsOfTheSuite() throws {
    let text = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /rooms/{room} {
            allow get: if request.auth.uid
              in get(/databases/$(database)/documents/doors/$(room)).data.guests;
          }
          match /doors/{room} {
            allow update: if resource.data.open == true;
          }
        }
      }
      """
    let rules = try Rules(text, file: "rooms.rules")
    func outcome(storing documents: String) throws -> Rules.SuiteResult {
      try rules.run(
        suite: """
          { "documents": {\(documents)}, "claims": [{
            "path": "/rooms/{room}", "methods": ["get"], "through": "any", "onlyIf":
              "request.auth.uid in get(/databases/(default)/documents/doors/$(room)).data.guests"
          }] }
          """)
    }
    let open = try outcome(storing: "")
    #expect(open.isUndecided && open.description.contains("no known request stores"))
    let refuted = try outcome(storing: #""/doors/alice": {"open": true}"#)
    #expect(!refuted.isUndecided && !refuted.isPassed)
    #expect(refuted.description.contains("VIOLATED"))
  }
}
