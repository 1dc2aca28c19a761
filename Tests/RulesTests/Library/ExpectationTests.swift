import Foundation
import RulesCheck
import RulesCheckTesting
import Synchronization
import Testing

/// The issues that tests of apps record with Swift Testing.
@Suite struct ExpectationTests {
  static let text = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function isAdmin() {
          return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
        }
        match /users/{uid} {
          allow read, write: if request.auth.uid == uid;
        }
        match /admin/{page} {
          allow read: if isAdmin();
        }
        match /accounts/{id} {
          allow update: if request.resource.data.balance >= 0;
        }
      }
    }
    """

  private let rules: Rules

  init() throws {
    rules = try Rules(Self.text, file: "app.rules").storing(["/users/mallory": ["name": "M"]])
  }

  /// An issue, as a test asks for it: where it is, and how it begins.
  private struct Recorded: Equatable {
    var line: Int
    var start: String
  }

  /// Returns the issues that a test would have, in order, with their first lines.
  private func recorded(_ body: () -> Void) -> [Recorded] {
    let issues = Mutex<[Recorded]>([])
    withKnownIssue {
      body()
    } matching: { issue in
      let text = issue.comments.map { $0.rawValue }.joined()
      let start = String(text.prefix { $0 != "\n" })
      guard let place = issue.sourceLocation, place.fileID == #fileID else { return false }
      issues.withLock { $0.append(Recorded(line: place.line, start: start)) }
      return true
    }
    return issues.withLock { $0 }
  }

  @Test func theIssueIsAtTheLineOfTheCallAndTheTestGoesOn() {
    let line = #line
    let issues = recorded {
      rules.expect(.allow, .update("/users/alice", data: ["a": 1], as: "mallory"))
      rules.expect(.deny, .get("/users/mallory", as: "mallory"))
      rules.expect(.allow, .get("/users/mallory", as: "mallory"))
      rules.expect(.deny, .get("users", as: "mallory"))
      rules.expect(.proved, .never(on: "/users/{uid}"))
    }
    #expect(
      issues.map { $0.line } == [line + 2, line + 3, line + 5, line + 6])
    #expect(issues[0].start == "expected allow, the rules deny it")
    #expect(issues[1].start == "expected deny, the rules allow it")
    #expect(issues[3].start == "expected proved, the claim is violated")
  }

  @Test func aStepFindsWhatTheStepsBeforeItLeft() throws {
    let line = #line
    let issues = recorded {
      rules.expect(steps: [
        .deny(.get("/admin/page", as: "mallory")),
        .allow(.update("/users/mallory", data: ["role": "admin"], as: "mallory")),
        .deny(.get("/admin/page", as: "mallory")),
        .deny(.update("/users/alice", data: ["role": "admin"], as: "mallory")),
        .deny(.get("/users/mallory", as: "mallory")),
      ])
      rules.expect(steps: [])
    }
    #expect(issues.map { $0.line } == [line + 5, line + 7, line + 9])
    #expect(issues[0].start == "step 3 of 5: expected deny, the rules allow it")
    let steps: [Rules.Request] = [
      .update("/users/mallory", data: ["role": "admin"], as: "mallory"),
      .get("/admin/page", as: "mallory"),
    ]
    #expect(try rules.decide(steps: steps).map { $0.isAllowed } == [true, true])
    #expect(try rules.decide(steps[1]).isAllowed == false)
    // The macros of tests would count the lines anew.
    var failure = ""
    let here = #line
    do {
      try rules.require(steps: [.allow(steps[0]), .deny(steps[1])])
    } catch {
      failure = "\(error)"
    }
    #expect(failure.hasPrefix("\(#fileID):\(here + 2): step 2 of 2: expected deny"))
  }

  @Test func claimsGoThroughRequestsAndDocumentsKeepConditions() throws {
    let admin = Rules.Claim.only(
      if: "isAdmin()", on: "/admin/{page}", methods: [.read], through: .any)
    let kept = Rules.Claim.keeps("resource.data.balance >= 0", on: "/accounts/{id}")
    let line = #line
    let issues = recorded {
      rules.expect(.proved, admin)
      rules.expect(.violated, admin)
      rules.expect(.violated, .never(on: "/admin/{page}", through: .requests(2)))
      rules.expect(.proved, kept)
      rules.expect(.proved, .keeps("resource.data.balance >= 1", on: "/accounts/{id}"))
      rules.expect(
        .proved, .always(if: "request.auth.uid == uid", on: "/users/{uid}", methods: [.get]))
      rules.expect(.violated, .noErrors(on: "/users/{uid}", given: "request.auth == null"))
    }
    #expect(issues.map { $0.line } == [line + 2, line + 6])
  }

  @Test func suitesAreExpectedToPass() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let rulesFile = folder.appendingPathComponent("app.rules")
    try Self.text.write(to: rulesFile, atomically: true, encoding: .utf8)
    let rules = try Rules(contentsOf: rulesFile)
    let suite = folder.appendingPathComponent("app.suite.json")
    let passing = #"{"tests": [{"as": null, "get": "/users/a", "expect": "deny"}]}"#
    try passing.write(to: suite, atomically: true, encoding: .utf8)
    rules.expectPassed(suite: passing)
    rules.expectPassed(suiteAt: suite)
    try rules.requirePassed(suiteAt: suite)
    let failing = passing.replacingOccurrences(of: "deny", with: "allow")
    try failing.write(to: suite, atomically: true, encoding: .utf8)
    let line = #line
    let issues = recorded {
      rules.expectPassed(suite: failing)
      rules.expectPassed(suiteAt: suite)
      rules.expectPassed(suiteAt: folder.appendingPathComponent("none"))
    }
    #expect(issues.map { $0.line } == [line + 2, line + 3, line + 4])
    #expect(issues[1].start == "FAIL  app.suite.json  1 of 1 tests failed")
    let claim = #expect(throws: Rules.Failure.self) { try rules.requirePassed(suiteAt: suite) }
    #expect(claim?.description.hasPrefix("\(#fileID):\(#line - 1): FAIL  app.suite.json") == true)
  }
}
