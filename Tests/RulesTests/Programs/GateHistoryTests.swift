import Foundation
import Testing

/// A gate that compares with a revision: what left the repository's sight since is said.
@Suite(.enabled(if: Script.has("git")))
struct GateHistoryTests {
  private static let tight = "request.auth != null && request.auth.uid == uid"

  private static func rules(_ condition: String, at path: String = "/users/{uid}") -> String {
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match \(path) {
          allow read, write: if \(condition);
        }
      }
    }

    """
  }

  private static let suite = """
    { "rules": "firestore.rules", "tests": [
      { "as": {"uid": "alice"}, "get": "/users/alice", "expect": "allow" } ] }

    """

  private static let project = #"{"firestore": {"rules": "firestore.rules"}}"#

  /// A repository with some files in its first commit, on the branch `base`.
  private static func repository(_ files: [String: String]) throws -> Script {
    let script = try Script()
    for (name, text) in files { try script.write(text, to: name) }
    let made = try script.run(
      """
      export HOME=$PWD && git init -q -b base . && git config user.name a && git config user.email a@example.com \
        && git add . && git commit -q -m base && git checkout -q -b change
      """)
    try #require(made.exit == 0, "\(made)")
    return script
  }

  private static func check(
    _ script: Script, _ words: String, in folder: String = "."
  ) throws -> Script.Outcome {
    try script.run("export HOME=$PWD; cd \(folder) && \"$PROGRAM\" \(words)")
  }

  @Test func aFolderThatWasRenamedTakesItsRulesAlong() throws {
    let script = try Self.repository([
      "app/firebase.json": Self.project, "app/firestore.rules": Self.rules(Self.tight),
    ])
    defer { script.remove() }
    _ = try script.run("mv app web")
    try script.write(Self.rules("true"), to: "web/firestore.rules")
    for folder in [".", "web"] {
      let words = folder == "." ? "diff --base base web/firestore.rules" : "diff --base base"
      let outcome = try Self.check(script, words, in: folder)
      #expect(outcome.exit == 1, "\(outcome)")
      #expect(outcome.output.contains("LOOSENED"), "\(outcome)")
    }
  }

  @Test func aProjectThatNothingReplacesIsUnmanaged() throws {
    let script = try Self.repository([
      "app/firebase.json": Self.project, "app/firestore.rules": Self.rules(Self.tight),
      "other/firebase.json": Self.project, "other/firestore.rules": Self.rules("false"),
    ])
    defer { script.remove() }
    _ = try script.run("rm -r app")
    let outcome = try Self.check(script, "diff --base base", in: "other")
    #expect(outcome.exit == 1)
    #expect(outcome.output.contains("app/firestore.rules (deleted)"), "\(outcome)")
    #expect(outcome.output.contains("UNMANAGED"))
    // A new project for the same database elsewhere is looked at by a run about it.
    try script.write(Self.project, to: "web/firebase.json")
    try script.write(Self.rules("true"), to: "web/firestore.rules")
    #expect(try Self.check(script, "diff --base base", in: "other").exit == 0)
    let new = try Self.check(script, "diff --base base", in: "web")
    #expect(new.exit == 1 && new.output.contains("LOOSENED"), "\(new)")
  }

  @Test func withoutAProjectWhatItDeployedIsUnmanaged() throws {
    let script = try Self.repository([
      "firebase.json": #"{"firestore": {"rules": "prod.rules"}}"#,
      "prod.rules": Self.rules(Self.tight), "firestore.rules": Self.rules(Self.tight),
    ])
    defer { script.remove() }
    _ = try script.run("rm firebase.json")
    let outcome = try Self.check(script, "diff --base base")
    #expect(outcome.exit == 1)
    #expect(outcome.output.contains("prod.rules (no longer deployed)"), "\(outcome)")
  }

  @Test func whatAnUnreadableProjectDeployedIsNotKnown() throws {
    let script = try Self.repository(["firebase.json": "{", "app.rules": Self.rules(Self.tight)])
    defer { script.remove() }
    try script.write(#"{"firestore": {"rules": "n.rules"}}"#, to: "firebase.json")
    try script.write(Self.rules("true"), to: "n.rules")
    for words in ["diff --base base", "diff --base base n.rules"] {
      let outcome = try Self.check(script, words)
      #expect(outcome.exit == 2, "\(outcome)")
      let complaint = "it is unknown what was deployed: base:firebase.json:1:2"
      #expect(outcome.complaints.contains(complaint))
    }
    #expect(try Self.check(script, "diff --base base app.rules").exit == 0)
  }

  @Test func settingsThatAreGoneAreSaid() throws {
    let script = try Self.repository([
      "firestore.rules": Self.rules(Self.tight),
      ".rulescheck.json":
        #"{"failOn": "warning", "minCoverage": 90, "levels": {"open-read": "error"}}"#,
    ])
    defer { script.remove() }
    _ = try script.run("rm .rulescheck.json")
    for command in ["check", "diff"] {
      for format in ["pretty", "json", "github", "sarif"] {
        let said = try Self.check(script, "\(command) --base base --format \(format)")
        #expect(said.exit == 0, "\(said)")
        for words in ["the settings are gone", "`failOn` is error", "`minCoverage` is gone"] {
          #expect(said.output.contains(words), "\(said)")
        }
      }
    }
    #expect(try Self.check(script, "check --base base --fail-on warning").exit == 1)
    #expect(
      try Self.check(script, "check -q --base base").output.contains("`open-read` is info"))
  }

  @Test func aCommentThatMovesIsNew() throws {
    func text(_ first: String, _ second: String, isMoved: Bool) -> String {
      let comment = "        // rules-check: ignore open-write public\n"
      let open = comment + "        allow read, write: if true;\n"
      let closed = "        allow read: if request.auth.uid == 'a';\n"
      return "rules_version = '2';\nservice cloud.firestore {\n"
        + "  match /databases/{database}/documents {\n"
        + "      match \(first) {\n" + (isMoved ? closed : open) + "      }\n"
        + "      match \(second) {\n" + (isMoved ? open : closed) + "      }\n  }\n}\n"
    }
    let script = try Self.repository([
      "firestore.rules": text("/log/{id}", "/users/{id}", isMoved: false)
    ])
    defer { script.remove() }
    // Another name of a wildcard is no other place.
    try script.write(
      text("/log/{entry}", "/users/{id}", isMoved: false), to: "firestore.rules")
    let same = try Self.check(script, "check --base base --fail-on none")
    #expect(!same.output.contains("new-ignore"), "\(same)")
    for moved in [
      text("/log/{id}", "/users/{id}", isMoved: true),
      text("/users/{id}", "/log/{id}", isMoved: false),
    ] {
      try script.write(moved, to: "firestore.rules")
      let outcome = try Self.check(script, "check --base base --fail-on none")
      #expect(outcome.output.contains("warning[new-ignore]"), "\(outcome)")
    }
  }

  @Test func aSuiteThatIsNotFoundAnyMoreIsSaid() throws {
    let script = try Self.repository([
      "firebase.json": Self.project, "firestore.rules": Self.rules(Self.tight),
      "a.suite.json": Self.suite, "b.suite.json": Self.suite + "// more\n",
    ])
    defer { script.remove() }
    _ = try script.run("mv b.suite.json c.suite.json")
    #expect(try Self.check(script, "check --base base").output.contains("removed-suite") == false)
    _ = try script.run("mv c.suite.json b.json")
    for command in ["check", "diff"] {
      for format in ["pretty", "json", "github", "sarif"] {
        let said = try Self.check(script, "\(command) --base base --format \(format)")
        #expect(said.exit == 0)
        #expect(said.output.contains("b.suite.json is no longer run"), "\(said)")
      }
    }
  }

  @Test func aPlainProjectIsNotBothered() throws {
    let script = try Self.repository([
      "firestore.rules": Self.rules(Self.tight), "firestore.suite.json": Self.suite,
    ])
    defer { script.remove() }
    for words in ["check -q --base base", "test -q", "diff -q --base base", "audit -q"] {
      let outcome = try Self.check(script, words)
      #expect(
        outcome.exit == 0 && outcome.output.isEmpty && outcome.complaints.isEmpty, "\(outcome)")
    }
  }

  @Test func anotherVersionThanTheFilesIsRefused() throws {
    let script = try Self.repository(["firestore.rules": Self.rules(Self.tight)])
    defer { script.remove() }
    _ = try script.run("export HOME=$PWD; git commit -q --allow-empty -m change")
    let outcome = try Self.check(script, "check --base change...base")
    #expect(outcome.exit == 2, "\(outcome)")
    #expect(outcome.complaints.contains("looks at the files as they are"))
  }

  @Test func aPipeIsRefused() throws {
    let script = try Self.repository(["firebase.json": Self.project])
    defer { script.remove() }
    _ = try script.run("mkfifo firestore.rules")
    for words in ["check", "audit", "test", "diff --base base", "check firestore.rules"] {
      let outcome = try Self.check(script, words)
      #expect(outcome.exit == 2, "\(words): \(outcome)")
    }
    // A pipe of the shell's own is a text like others.
    try script.write(Self.rules(Self.tight), to: "app.rules")
    #expect(try Self.check(script, "check <(cat app.rules)").exit == 0)
  }
}
