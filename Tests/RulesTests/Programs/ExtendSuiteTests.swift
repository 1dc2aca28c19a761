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
      if suite.contains("keep me") {
        #expect(text.hasPrefix(Self.beginning + ", // keep me\n    // "))
        #expect(text.hasSuffix(" },\n  ],\n}\n"))
      } else if suite.hasPrefix(Self.beginning) {
        #expect(text.hasPrefix(Self.beginning + ",\n    // "))
        #expect(text.hasSuffix(" }\n  ]\n}\n"))
      }
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
      #expect(try script.read("app.suite.json").hasPrefix(Self.beginning + ", // keep me\n"))
      #expect(try script.run("\"$PROGRAM\" test app.suite.json").exit == 0)
      let run = try script.run("\"$PROGRAM\" mutate --break 100 app.suite.json")
      #expect(run.exit == 0, "\(run.output)")
    }
  }

  @Test func theScoreIsToldThatComesOfIt() throws {
    try extended(by: "mutate --write app.suite.json 2> told", Self.suites[0]) { script in
      let told = try script.read("told")
      #expect(told.hasSuffix(" to app.suite.json\nmutation score with them 100.0 %\n"), "\(told)")
      let run = try script.run("\"$PROGRAM\" mutate --write app.suite.json")
      #expect(run.complaints == "nothing to add\n")
    }
  }

  /// A test comes to the suite with most tests about its collection, else to the one that `init` writes.
  @Test func testsComeToTheSuiteThatIsNearest() throws {
    let script = try Script()
    defer { script.remove() }
    let rules = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /rooms/{room} { allow get: if request.auth != null; }
          match /rooms/{room}/messages/{message} { allow get: if request.auth.uid == 'bob'; }
        }
      }

      """
    func suite(_ tests: String) -> String {
      "{ \"rules\": \"app.rules\",\n  \"tests\": [\n\(tests)\n  ] }\n"
    }
    let room = "    { \"as\": null, \"get\": \"/rooms/r1\", \"expect\": \"deny\" }"
    let other = "    { \"as\": null, \"get\": \"/others/o1\", \"expect\": \"deny\" }"
    try script.write(rules, to: "app.rules")
    try script.write(suite(other), to: "a.suite.json")
    try script.write(suite(other), to: "app.suite.json")
    try script.write(suite(room), to: "rooms.suite.json")
    let run = try script.run("\"$PROGRAM\" mutate --write app.rules")
    #expect(run.exit == 0)
    #expect(try script.read("a.suite.json") == suite(other))
    let lines = run.complaints.components(separatedBy: "\n")
    let none = "no suite has tests about /rooms/{}/messages, and it is named like the rules"
    #expect(lines.count == 4, "\(run.complaints)")
    #expect(lines[0].hasSuffix(" to app.suite.json: " + none), "\(lines[0])")
    #expect(lines[1].hasSuffix(" to rooms.suite.json: most tests about /rooms are there"))
    #expect(lines[2] == "mutation score with them 100.0 %")
    #expect(try !script.read("rooms.suite.json").contains("messages"))
    #expect(try script.run("\"$PROGRAM\" mutate --break 100 app.rules").exit == 0)
  }

  /// Alice is banned, so somebody else is allowed; who is only ever denied is not.
  @Test(arguments: [
    "init --full app.rules", "mutate --write app.suite.json", "mutate app.suite.json",
  ])
  func malloryIsOnlyEverDenied(_ command: String) throws {
    let script = try Script()
    defer { script.remove() }
    let rules = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /notes/{note} {
            allow get: if request.auth.uid == resource.data.owner && request.auth.uid != 'alice';
          }
        }
      }

      """
    let suite = """
      { "rules": "app.rules", "users": { "bob": "bob", "eve": { "uid": "mallory" } },
        "tests": [] }

      """
    try script.write(rules, to: "app.rules")
    try script.write(suite, to: "app.suite.json")
    let run = try script.run("\"$PROGRAM\" \(command)")
    let written = try script.read("app.suite.json")
    let text = command.hasPrefix("mutate a") ? run.output : written
    let isWritten = written != suite
    #expect(isWritten == !command.hasPrefix("mutate a"))
    let tests = text.components(separatedBy: isWritten ? "\n    { " : "\n")
    let bobs = tests.filter {
      $0.contains("\"expect\": \"allow\"") || $0.contains("\"expect\":\"allow\"")
    }
    #expect(!bobs.isEmpty, "\(text)")
    for test in bobs {
      #expect(test.contains(isWritten ? "\"as\": \"bob\"" : "\"as\":{\"uid\":\"bob\"}"), "\(test)")
    }
    if isWritten { #expect(text.contains("\"as\": \"eve\"")) }
    #expect(try script.run("\"$PROGRAM\" test --allow-empty app.suite.json").exit == 0)
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
