import Foundation
import Testing

@testable import RulesTesting

/// `diff --base`: the older version comes from git.
@Suite struct DiffBaseTests {
  /// A repository with two versions of one rules file, the second not committed.
  private struct Repository {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("rules-check-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try write("false", to: "app.rules")
      _ = try run(["/usr/bin/env", "git", "init", "-q", "."])
      _ = try run(["/usr/bin/env", "git", "add", "."])
      let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
      _ = try run(["/usr/bin/env", "git"] + author + ["commit", "-q", "-m", "first"])
    }

    func write(_ condition: String, to name: String) throws {
      let text = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /notes/{note} { allow get: if \(condition); }
          }
        }

        """
      try text.write(
        to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    func put(_ text: String, in name: String) throws {
      try text.write(
        to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    func run(_ words: [String]) throws -> (output: String, complaints: String, exit: Int32) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: words[0])
      process.arguments = Array(words.dropFirst())
      process.currentDirectoryURL = folder
      process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path]
      let (output, complaints) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = complaints
      try process.run()
      let printed = output.fileHandleForReading.readDataToEndOfFile()
      let complained = complaints.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (
        String(decoding: printed, as: UTF8.self), String(decoding: complained, as: UTF8.self),
        process.terminationStatus
      )
    }

    func diff(_ arguments: String...) throws -> (output: String, complaints: String, exit: Int32) {
      try run([CommandLineCase.program.path, "diff"] + arguments)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  @Test func theVersionOfARevisionIsComparedWithTheFile() throws {
    let repository = try Repository()
    defer { repository.remove() }
    let same = try repository.diff("--base", "HEAD", "app.rules")
    #expect(same.exit == 0)
    #expect(same.output.contains("HEAD:app.rules -> app.rules"))
    #expect(same.output.contains("EQUIVALENT  get"))
    try repository.write("request.auth != null", to: "app.rules")
    let changed = try repository.diff("--base", "HEAD", "app.rules")
    #expect(changed.exit == 1)
    let sentence = "- any signed-in user may now get /notes/{note} (before: nobody)"
    #expect(changed.output.contains(sentence))
  }

  @Test func withoutAFileAllThatGitKnowsAreCompared() throws {
    let repository = try Repository()
    defer { repository.remove() }
    let all = try repository.diff("--base", "HEAD")
    #expect(all.exit == 0)
    #expect(all.output.contains("app.rules -> app.rules"))
  }

  @Test func firstRulesLoosenNothing() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try repository.write("true", to: "new.rules")
    let new = try repository.diff("--base", "HEAD", "new.rules")
    #expect(new.exit == 0)
    #expect(new.output.contains("nothing -> new.rules (no rules before)"))
    #expect(new.output.contains("- anyone may now get /notes/{note}\n"))
    #expect(new.output.contains("0 loosened") && new.output.contains("1 with no rules before"))
    #expect(try repository.diff("--base", "HEAD", "new.rules", "--fail-on", "any").exit == 1)
    let json = try repository.diff("--base", "HEAD", "new.rules", "--format", "json").output
    #expect(json.contains(#""first": true"#) && json.contains(#""loosened": 0"#))
  }

  @Test func aFileThatWasRenamedIsComparedWithWhatItWas() throws {
    let repository = try Repository()
    defer { repository.remove() }
    let (old, new) = ("app.rules", "rules/firestore.rules")
    let files = FileManager.default
    try files.createDirectory(
      at: repository.folder.appendingPathComponent("rules"), withIntermediateDirectories: true)
    try files.moveItem(
      at: repository.folder.appendingPathComponent(old),
      to: repository.folder.appendingPathComponent(new))
    for arguments in [["--base", "HEAD", new], ["--base", "HEAD"]] {
      if arguments.count == 2 {
        try #"{"firestore": {"rules": "\#(new)"}}"#.write(
          to: repository.folder.appendingPathComponent("firebase.json"), atomically: true,
          encoding: .utf8)
      }
      let same = try repository.run([CommandLineCase.program.path, "diff"] + arguments)
      #expect(same.exit == 0)
      #expect(same.output.contains("HEAD:app.rules -> rules/firestore.rules"))
      #expect(same.output.contains("EQUIVALENT  get"))
    }
    // Somebody else's lines are no earlier version.
    try repository.write("true", to: new)
    let text = try String(
      contentsOf: repository.folder.appendingPathComponent(new), encoding: .utf8)
    let other = text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    try other.write(
      to: repository.folder.appendingPathComponent(new), atomically: true, encoding: .utf8)
    let changed = try repository.diff("--base", "HEAD", new)
    #expect(changed.output.contains("nothing -> rules/firestore.rules"))
  }

  /// A repository in which `app.rules` is deployed, which denies all, and `dev.rules` is not, which denies
  /// nothing.
  private static func deploying() throws -> Repository {
    let repository = try Repository()
    try repository.write("true", to: "dev.rules")
    try repository.put(#"{"firestore": {"rules": "app.rules"}}"#, in: "firebase.json")
    _ = try repository.run(["/usr/bin/env", "git", "add", "."])
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    _ = try repository.run(["/usr/bin/env", "git"] + author + ["commit", "-q", "-m", "b"])
    return repository
  }

  @Test func whatIsDeployedInsteadIsComparedWithWhatWasDeployed() throws {
    let repository = try Self.deploying()
    defer { repository.remove() }
    try repository.put(#"{"firestore": {"rules": "./app.rules"}}"#, in: "firebase.json")
    #expect(try repository.diff("--base", "HEAD").exit == 0)
    try repository.put(#"{"firestore": {"rules": "dev.rules"}}"#, in: "firebase.json")
    let other = try repository.diff("--base", "HEAD")
    #expect(other.exit == 1)
    #expect(other.output.contains("HEAD:app.rules -> dev.rules"))
    _ = try repository.run(["/usr/bin/env", "git", "mv", "dev.rules", "prod.rules"])
    try repository.put(#"{"firestore": {"rules": "prod.rules"}}"#, in: "firebase.json")
    #expect(try repository.diff("--base", "HEAD").exit == 1)
    // What was deployed is not in git: nothing is known of it, and then nothing was granted.
    try repository.put(#"{"firestore": {"rules": "gone.rules"}}"#, in: "firebase.json")
    _ = try repository.run(["/usr/bin/env", "git", "add", "firebase.json"])
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    _ = try repository.run(["/usr/bin/env", "git"] + author + ["commit", "-q", "-m", "c"])
    try repository.put(#"{"firestore": {"rules": "prod.rules"}}"#, in: "firebase.json")
    let unknown = try repository.diff("--base", "HEAD")
    #expect(unknown.exit == 1 && unknown.output.contains("nothing -> prod.rules"))
    _ = try repository.run(["/usr/bin/env", "git", "reset", "-q", "--soft", "HEAD~1"])
    let databases = #"[{"database": "(default)", "rules": "app.rules"}]"#
    try repository.put(#"{"firestore": \#(databases)}"#, in: "firebase.json")
    #expect(try repository.diff("--base", "HEAD").exit == 0)
    try repository.put(
      #"{"firestore": [{"database": "b", "rules": "app.rules"}]}"#, in: "firebase.json")
    let moved = try repository.diff("--base", "HEAD")
    #expect(moved.output.contains("nothing -> app.rules"))
    #expect(moved.exit == 1)
    #expect(moved.output.contains("HEAD:app.rules -> app.rules (no longer deployed)"))
  }

  @Test func theDatabaseOfTheProjectIsTheOneThatIsCompared() throws {
    let repository = try Repository()
    defer { repository.remove() }
    func put(_ statement: String) throws {
      try repository.put(
        """
        rules_version = '2';
        service cloud.firestore {
          match /databases/prod/documents { match /events/{id} { \(statement) } }
        }

        """, in: "app.rules")
    }
    try put("allow read: if request.auth.token.admin == true;")
    try repository.put(
      #"{"firestore": {"database": "prod", "rules": "app.rules"}}"#, in: "firebase.json")
    _ = try repository.run(["/usr/bin/env", "git", "add", "."])
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    _ = try repository.run(["/usr/bin/env", "git"] + author + ["commit", "-q", "-m", "prod"])
    try put("allow read, write: if request.auth != null;")
    let loosened = try repository.diff("--base", "HEAD")
    #expect(loosened.exit == 1)
    #expect(loosened.output.contains("LOOSENED"), "\(loosened.output)")
    let nothing = try repository.diff("--base", "HEAD", "--database", "(default)")
    #expect(nothing.exit == 2)
  }

  @Test func ofSeveralDatabasesEachIsNamed() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try repository.write("true", to: "shared.rules")
    let databases = """
      [{"rules": "app.rules"}, {"database": "b", "rules": "shared.rules"},
       {"database": "c", "rules": "shared.rules"}]
      """
    try repository.put(#"{"firestore": \#(databases)}"#, in: "firebase.json")
    _ = try repository.run(["/usr/bin/env", "git", "add", "."])
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    _ = try repository.run(["/usr/bin/env", "git"] + author + ["commit", "-q", "-m", "second"])
    func expectNamed(_ arguments: String...) throws {
      let text = try repository.run(
        [CommandLineCase.program.path, "diff", "--base", "HEAD"] + arguments
      ).output
      #expect(text.contains("HEAD:app.rules -> app.rules, database (default)\n"), "\(text)")
      #expect(text.contains("HEAD:shared.rules -> shared.rules, databases b, c\n"), "\(text)")
    }
    try expectNamed()
    try expectNamed("firebase.json")
    let json = try repository.diff("--base", "HEAD", "--format", "json").output
    #expect(json.contains("\"new\": \"app.rules\",\n      \"databases\": [\n        \"(default)\""))
    // Who names the files knows.
    #expect(try !repository.diff("--base", "HEAD", "app.rules").output.contains("database"))
    try repository.put(
      #"{"firestore": [{"database": "b", "rules": "shared.rules"}]}"#, in: "firebase.json")
    let fewer = try repository.diff("--base", "HEAD").output
    #expect(fewer.contains("app.rules (no longer deployed), database (default)\n"), "\(fewer)")
    #expect(fewer.contains("HEAD:shared.rules -> shared.rules, database b\n"), "\(fewer)")
  }

  @Test func whoNamesOtherFilesThanBeforeHidesNone() throws {
    let repository = try Self.deploying()
    defer { repository.remove() }
    try repository.write("false", to: "harmless.rules")
    try repository.put(#"{"rules": ["harmless.rules"]}"#, in: ".rulescheck.json")
    try repository.write("true", to: "app.rules")
    let found = try repository.diff("--base", "HEAD")
    #expect(found.exit == 1)
    #expect(found.output.contains("HEAD:app.rules -> app.rules"))
  }

  @Test func aFileThatWasDeletedStaysInForce() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try repository.write("true", to: "app.rules")
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    _ = try repository.run(["/usr/bin/env", "git"] + author + ["commit", "-q", "-a", "-m", "b"])
    try FileManager.default.removeItem(at: repository.folder.appendingPathComponent("app.rules"))
    for arguments in [["--base", "HEAD"], ["--base", "HEAD", "app.rules"]] {
      let deleted = try repository.run([CommandLineCase.program.path, "diff"] + arguments)
      #expect(deleted.exit == 1)
      #expect(deleted.output.contains("HEAD:app.rules -> app.rules (deleted)"))
      let sentence = "UNMANAGED   no longer managed here; what is deployed stays in force"
      #expect(deleted.output.contains(sentence))
      #expect(
        deleted.output.contains("0 tightened") && deleted.output.contains("1 no longer managed"))
    }
    for format in ["json", "markdown", "github", "sarif"] {
      let said = try repository.diff("--base", "HEAD", "--format", format)
      #expect(said.exit == 1)
      #expect(said.output.contains("no longer managed here"), "\(said.output)")
      #expect(!said.output.contains("nobody may"))
    }
    #expect(try repository.diff("--base", "HEAD", "--fail-on", "none").exit == 0)
    let never = try repository.diff("--base", "HEAD", "never.rules")
    #expect(never.exit == 2)
  }

  @Test func aRevisionThatGitDoesNotKnowIsNoReasonToSayThatAllIsWell() throws {
    let repository = try Repository()
    defer { repository.remove() }
    let unknown = try repository.diff("--base", "nowhere", "app.rules")
    #expect(unknown.exit == 2)
    #expect(unknown.complaints.contains("git knows no revision `nowhere` here"))
  }

  /// A clone may lack the text of a file, and an object may be damaged. That is no new file.
  @Test func aTextThatGitCannotGiveIsNotTakenForNone() throws {
    let repository = try Repository()
    defer { repository.remove() }
    let asked = try repository.run(["/usr/bin/env", "git", "rev-parse", "HEAD:app.rules"])
    let name = asked.output.trimmingCharacters(in: .newlines)
    let object = repository.folder.appendingPathComponent(".git/objects")
      .appendingPathComponent(String(name.prefix(2)))
      .appendingPathComponent(String(name.dropFirst(2)))
    try FileManager.default.removeItem(at: object)
    let found = try repository.diff("--base", "HEAD", "app.rules")
    #expect(found.exit == 2 && found.output.isEmpty)
    #expect(found.complaints.contains("app.rules: git cannot say what this was in `HEAD`"))
  }

  @Test func aReportThatIsAskedForIsWrittenIfThereAreNoRules() throws {
    let repository = try Repository()
    defer { repository.remove() }
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    _ = try repository.run(["/usr/bin/env", "git", "rm", "-q", "--cached", "app.rules"])
    _ = try repository.run(["/usr/bin/env", "git"] + author + ["commit", "-q", "-m", "none"])
    try FileManager.default.removeItem(at: repository.folder.appendingPathComponent("app.rules"))
    let empty = try repository.diff("--base", "HEAD", "--format", "json", "--allow-empty")
    #expect(empty.exit == 0 && empty.output.contains(#""files": []"#))
    #expect(!empty.output.contains(#""errors""#))
    let refused = try repository.diff("--base", "HEAD", "--format", "json")
    #expect(refused.exit == 2 && refused.output.contains(#""errors": ["#))
    #expect(refused.complaints.contains("help: add --allow-empty if that is intended"))
  }

  @Test func severalFilesAndFoldersAreComparedEach() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try FileManager.default.createDirectory(
      at: repository.folder.appendingPathComponent("more"), withIntermediateDirectories: true)
    try repository.write("false", to: "more/one.rules")
    try repository.write("request.auth != null", to: "more/two.rules")
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    _ = try repository.run(["/usr/bin/env", "git", "add", "."])
    _ = try repository.run(["/usr/bin/env", "git"] + author + ["commit", "-q", "-m", "more"])
    try repository.write("true", to: "more/one.rules")
    try FileManager.default.removeItem(
      at: repository.folder.appendingPathComponent("more/two.rules"))
    let two = try repository.diff("--base", "HEAD", "app.rules", "more/one.rules")
    #expect(two.exit == 1)
    #expect(two.output.contains("HEAD:app.rules -> app.rules"))
    #expect(two.output.contains("HEAD:more/one.rules -> more/one.rules"))
    for folder in ["more", "./more", repository.folder.appendingPathComponent("more").path] {
      let all = try repository.diff("--base", "HEAD", folder)
      #expect(all.exit == 1, "\(all)")
      #expect(all.output.contains("one.rules\n") && all.output.contains("two.rules (deleted)"))
    }
    let alone = try repository.diff("--base", "HEAD", "app.rules", "no-such.rules")
    #expect(alone.exit == 2 && alone.complaints.contains("no-such.rules"))
    #expect(try repository.diff("a.rules", "b.rules", "c.rules").exit == 2)
  }
}
