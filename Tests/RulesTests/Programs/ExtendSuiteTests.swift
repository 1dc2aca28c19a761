import Foundation
import Testing

@testable import RulesTesting

/// `init --full` and `mutate --write` add to a suite what it lacks, and leave the rest of its text alone.
@Suite struct ExtendSuiteTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /rooms/{room} {
          allow read: if request.auth != null && request.auth.uid in resource.data.members;
          allow update: if request.auth.uid == resource.data.owner
            && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name']);
        }
      }
    }

    """
  private static let beginning = """
    {
      // my own suite
      "rules": "app.rules",
      "documents": { "/rooms/r1": { "owner": "alice", "members": ["bob"] } },
      "tests": [
        { "as": {"uid": "bob"}, "get": "/rooms/r1", "expect": "allow" }
    """

  private func extended(
    by command: String, _ suite: String, _ body: (Script) throws -> Void
  ) throws {
    let script = try Script()
    defer { script.remove() }
    try script.write(Self.rules, to: "app.rules")
    try script.write(suite, to: "app.suite.json")
    let outcome = try script.run("\"$PROGRAM\" \(command)")
    #expect(outcome.exit == 0, "\(outcome)")
    try body(script)
  }

  private static let suites = [
    beginning + ", // keep me\n  ],\n}\n", beginning + "\n  ]\n}\n",
    "{ \"rules\": \"app.rules\", \"tests\": [] }\n", "{ \"rules\": \"app.rules\" }\n",
  ]

  @Test(arguments: suites) func initReachesAll(_ suite: String) throws {
    try extended(by: "init --full app.rules", suite) { script in
      let text = try script.read("app.suite.json")
      let kept = suite.components(separatedBy: "\n").filter {
        $0.contains("//") && !$0.contains("{")
      }
      for line in kept { #expect(text.contains(line)) }
      if suite.hasPrefix(Self.beginning) { #expect(text.hasPrefix(Self.beginning + ",\n")) }
      if suite.contains("keep me") { #expect(text.hasSuffix(" }, // keep me\n  ],\n}\n")) }
      let run = try script.run("\"$PROGRAM\" test app.suite.json --min-coverage 100")
      #expect(run.exit == 0, "\(run.output)")
      #expect(try script.run("\"$PROGRAM\" mutate app.suite.json --break 100 --quiet").exit == 0)
      // Nothing is missing any more.
      _ = try script.run("\"$PROGRAM\" init --full app.rules")
      #expect(try script.read("app.suite.json") == text)
      // Whom the suite is written against is only ever denied.
      let tests = text.components(separatedBy: "\n    { ").filter { $0.contains("\"mallory\"}") }
      for test in tests { #expect(!test.contains("\"allow\""), "\(test)") }
    }
  }

  @Test func mutateWritesWhatWouldNotice() throws {
    try extended(by: "mutate --write app.suite.json", Self.suites[0]) { script in
      #expect(try script.read("app.suite.json").hasPrefix(Self.beginning + ",\n"))
      #expect(try script.run("\"$PROGRAM\" test app.suite.json").exit == 0)
      let run = try script.run("\"$PROGRAM\" mutate --break 100 app.suite.json")
      #expect(run.exit == 0, "\(run.output)")
    }
  }

  @Test func aSuiteOfOtherRulesIsNotExtended() throws {
    let script = try Script()
    defer { script.remove() }
    let suite = "{ \"rules\": \"other.rules\", \"tests\": [] }\n"
    try script.write(Self.rules, to: "app.rules")
    try script.write(suite, to: "app.suite.json")
    let outcome = try script.run("\"$PROGRAM\" init --full app.rules")
    #expect(outcome.exit == 2)
    #expect(outcome.complaints.contains("app.suite.json is about other.rules, not about app.rules"))
    #expect(try script.read("app.suite.json") == suite)
  }
}
