import Foundation
import Testing

@testable import RulesTesting

/// Which versions `--base` compares, and what of the project a change takes out of a gate's sight.
@Suite struct DiffRevisionTests {
  /// A repository on the branch `main`.
  private struct Repository {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("rules-check-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try git("init", "-q", "-b", "main", ".")
    }

    func rules(_ condition: String, _ comment: String = "") -> String {
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /notes/{note} {
            // \(comment)
            allow read, write: if \(condition);
          }
        }
      }

      """
    }

    func put(_ text: String, in name: String) throws {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: false, encoding: .utf8)
    }

    func link(_ name: String, to target: String) throws {
      let path = folder.appendingPathComponent(name).path
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    func delete(_ name: String) throws {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }

    func commit() throws {
      try git("add", "-A", ".")
      try git("commit", "-q", "--allow-empty", "-m", "change")
    }

    func git(_ arguments: String...) throws {
      let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
      let ended = try run(["/usr/bin/env", "git"] + author + arguments)
      #expect(ended.exit == 0, "git \(arguments): \(ended.complaints)")
    }

    func check(_ arguments: String...) throws -> (output: String, complaints: String, exit: Int32) {
      try run([CommandLineCase.program.path] + arguments)
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

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  private static let owner = "request.auth.uid == note"
  private static let anyUser = "request.auth != null"

  /// `main` has tightened the rules since `work` left it, and `work` has changed nothing.
  private static func parted() throws -> Repository {
    let repository = try Repository()
    try repository.put(repository.rules(anyUser), in: "firestore.rules")
    try repository.commit()
    try repository.git("checkout", "-q", "-b", "work")
    try repository.put("x", in: "readme.txt")
    try repository.commit()
    try repository.git("checkout", "-q", "main")
    try repository.put(repository.rules(owner), in: "firestore.rules")
    try repository.commit()
    try repository.git("checkout", "-q", "work")
    return repository
  }

  @Test func aBranchIsComparedWithTheCommitAtWhichItLeft() throws {
    let repository = try Self.parted()
    defer { repository.remove() }
    for base in ["main", "main...", "main...HEAD", "main...work"] {
      let same = try repository.check("diff", "--base", base)
      #expect(same.exit == 0, "\(base): \(same)")
      #expect(same.output.contains("0 loosened, 0 tightened"))
    }
    for base in ["main..", "main..HEAD", "main..work"] {
      let tip = try repository.check("diff", "--base", base)
      #expect(tip.exit == 1, "\(base): \(tip)")
      #expect(tip.output.contains("main:firestore.rules -> firestore.rules"))
    }
    try repository.put(repository.rules("true"), in: "firestore.rules")
    #expect(try repository.check("diff", "--base", "main").exit == 1)
    // Neither side of this is what is checked out.
    let other = try repository.check("diff", "--base", "work...main")
    #expect(other.exit == 0, "\(other)")
    #expect(other.output.contains("main:firestore.rules") && other.output.contains("TIGHTENED"))
  }

  @Test func theHintIsAboutWhatIsWrong() throws {
    let repository = try Self.parted()
    defer { repository.remove() }
    let unknown = try repository.check("diff", "--base", "nowhere...HEAD")
    #expect(unknown.exit == 2)
    #expect(unknown.complaints.contains("git knows no revision `nowhere` here"))
    #expect(!unknown.complaints.contains("fetch-depth"))
    try repository.git(
      "clone", "-q", "--depth", "1", "--no-single-branch", "file://" + repository.folder.path,
      "shallow")
    for base in ["HEAD~1", "origin/main"] {
      let shallow = try repository.run([
        "/bin/sh", "-c", "cd shallow && \(CommandLineCase.program.path) diff --base \(base)",
      ])
      #expect(shallow.exit == 2, "\(shallow)")
      #expect(shallow.complaints.contains("fetch-depth: 0"))
    }
    try repository.git("checkout", "-q", "--orphan", "alone")
    try repository.commit()
    let alone = try repository.check("diff", "--base", "main")
    #expect(alone.exit == 2)
    #expect(alone.complaints.contains("no commit from which both `main` and `HEAD` come"))
    #expect(!alone.complaints.contains("fetch-depth"))
  }

  @Test func aLinkInTheBaseIsFollowedInsideTheRepository() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try repository.put(repository.rules(Self.owner), in: "rules/real.rules")
    try repository.link("firestore.rules", to: "way/real.rules")
    try repository.link("way", to: "./rules")
    try repository.link("rules/back.rules", to: "../firestore.rules")
    try repository.link("around.rules", to: "about.rules")
    try repository.link("about.rules", to: "around.rules")
    try repository.link("outside.rules", to: "../../etc/passwd")
    try repository.link("absolute.rules", to: "/etc/passwd")
    try repository.link("nothing.rules", to: "no-such.rules")
    try repository.commit()
    for file in ["firestore.rules", "rules/back.rules"] {
      let same = try repository.check("diff", "--base", "HEAD", file)
      #expect(same.exit == 0 && same.output.contains("EQUIVALENT"), "\(same)")
    }
    for file in ["around.rules", "outside.rules", "absolute.rules", "nothing.rules"] {
      try repository.delete(file)
      try repository.put(repository.rules(Self.owner), in: file)
      let refused = try repository.check("diff", "--base", "HEAD", file)
      #expect(refused.exit == 2, "\(file): \(refused)")
      #expect(refused.complaints.contains("link"), "\(refused)")
    }
    // A folder that is a link now was none: what lies behind it is no earlier version.
    try repository.put(repository.rules("true"), in: "open/real.rules")
    try repository.commit()
    try FileManager.default.removeItem(at: repository.folder.appendingPathComponent("rules"))
    try repository.link("rules", to: "open")
    #expect(try repository.check("diff", "--base", "HEAD", "rules/real.rules").exit == 1)
  }

  @Test func aDatabaseThatIsTakenOutStaysInForce() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try repository.put(repository.rules(Self.owner), in: "main.rules")
    try repository.put(repository.rules("true"), in: "log.rules")
    let (main, log) = (
      #"{"database": "(default)", "rules": "main.rules"}"#,
      #"{"database": "audit-log", "rules": "log.rules"}"#
    )
    try repository.put(#"{"firestore": [\#(main), \#(log)]}"#, in: "firebase.json")
    try repository.commit()
    try repository.put(#"{"firestore": [\#(main)]}"#, in: "firebase.json")
    for format in ["pretty", "json", "markdown", "github", "sarif"] {
      let out = try repository.check("diff", "--base", "HEAD", "--format", format)
      #expect(out.exit == 1, "\(out)")
      #expect(
        out.output.contains("no longer managed here; what is deployed stays"), "\(out.output)")
      #expect(!out.output.contains("TIGHTENED") && !out.output.contains("nobody may"))
    }
    let json = try repository.check("diff", "--base", "HEAD", "--format", "json").output
    #expect(json.contains(#""unmanaged": true"#) && json.contains(#""tightened": 0"#))
    // Who pins the file is told, and so is who names firebase.json.
    for operand in ["log.rules", "firebase.json"] {
      let pinned = try repository.check("diff", "--base", "HEAD", operand)
      #expect(pinned.exit == 1 && pinned.output.contains("UNMANAGED"), "\(pinned)")
    }
    // The file may be missing instead.
    try repository.put(#"{"firestore": [\#(main), \#(log)]}"#, in: "firebase.json")
    try repository.delete("log.rules")
    let missing = try repository.check("diff", "--base", "HEAD")
    #expect(missing.exit == 1 && missing.output.contains("UNMANAGED"), "\(missing)")
    // Or firebase.json itself, from wherever one looks.
    try repository.put(repository.rules("true"), in: "log.rules")
    try repository.delete("firebase.json")
    let without = try repository.check("diff", "--base", "HEAD")
    #expect(without.exit == 1 && without.output.contains("2 no longer managed"), "\(without)")
    // Who names the files elsewhere does not deploy them.
    try repository.put(#"{"rules": ["main.rules", "log.rules"]}"#, in: ".rulescheck.json")
    try repository.put(#"{"firestore": [\#(main)]}"#, in: "firebase.json")
    let named = try repository.check("diff", "--base", "HEAD")
    #expect(named.exit == 1 && named.output.contains("1 no longer managed"), "\(named)")
  }

  @Test func aPinnedFileIsComparedWithWhatWasDeployedInItsPlace() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try repository.put(repository.rules(Self.owner), in: "strict.rules")
    try repository.put(repository.rules("true"), in: "open.rules")
    try repository.put(#"{"firestore": {"rules": "strict.rules"}}"#, in: "firebase.json")
    try repository.commit()
    try repository.put(#"{"firestore": {"rules": "open.rules"}}"#, in: "firebase.json")
    #expect(try repository.check("diff", "--base", "HEAD", "open.rules").exit == 1)
    let left = try repository.check("diff", "--base", "HEAD", "strict.rules")
    #expect(left.exit == 1 && left.output.contains("firebase.json does not deploy strict.rules"))
    for format in ["json", "markdown", "github", "sarif"] {
      let said = try repository.check("diff", "--base", "HEAD", "strict.rules", "--format", format)
      #expect(said.output.contains("does not deploy strict.rules"), "\(said.output)")
    }
  }

  @Test func aFirstVersionHasNoRulesBefore() throws {
    let repository = try Repository()
    defer { repository.remove() }
    try repository.put("x", in: "readme.txt")
    try repository.commit()
    try repository.put(repository.rules(Self.owner), in: "firestore.rules")
    try repository.put(#"{"firestore": {"rules": "firestore.rules"}}"#, in: "firebase.json")
    for format in ["pretty", "markdown", "github", "sarif"] {
      let first = try repository.check("diff", "--base", "HEAD", "--format", format)
      #expect(first.exit == 0, "\(first)")
      #expect(first.output.contains("no rules before"), "\(first.output)")
      #expect(!first.output.contains("(before: nobody)"))
    }
  }

  @Test func whatSilencesMoreThanBeforeIsReported() throws {
    let repository = try Repository()
    defer { repository.remove() }
    let ignore = "rules-check: ignore open-write it is fine"
    try repository.put(repository.rules("true"), in: "firestore.rules")
    try repository.put(#"{"failOn": "warning", "minCoverage": 80}"#, in: ".rulescheck.json")
    try repository.commit()
    #expect(try !repository.check("check", "--base", "HEAD").output.contains("new-ignore"))
    try repository.put(repository.rules("true", ignore), in: "firestore.rules")
    try repository.put(
      #"{"levels": {"open-read": "off"}, "failOn": "none"}"#, in: ".rulescheck.json")
    for (command, formats) in [
      ("check", ["pretty", "json", "github", "sarif", "codequality"]),
      ("diff", ["pretty", "json", "markdown", "github", "sarif"]),
    ] {
      for format in formats {
        let text = try repository.check(command, "--base", "HEAD", "--format", format).output
        #expect(text.contains("line 6 is silenced for"), "\(text)")
        #expect(text.contains("open-read") && text.contains("is off, and was"), "\(text)")
        #expect(text.contains("is none, and was warning"), "\(text)")
        #expect(text.contains("is gone, and was 80"), "\(text)")
      }
    }
    try repository.commit()
    // What was silenced before is not told again, wherever it stands now.
    try repository.put(
      repository.rules("true", ignore).replacingOccurrences(of: "service", with: "\n\nservice"),
      in: "firestore.rules")
    #expect(try !repository.check("diff", "--base", "HEAD").output.contains("new-ignore"))
    // The comment speaks of another statement now.
    try repository.put(repository.rules("note != ''", ignore), in: "firestore.rules")
    #expect(try repository.check("diff", "--base", "HEAD").output.contains("new-ignore"))
  }
}
