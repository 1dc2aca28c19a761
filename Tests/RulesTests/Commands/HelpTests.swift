import Foundation
import Testing

@testable import RulesHost
@testable import RulesTesting
@testable import rules_check

/// The help of commands: what it shows works.
@Suite struct HelpTests {
  private static let commands = Tool.rulesCheck.commands
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow get, write: if request.auth.uid == uid;
        }
        match /posts/{id} {
          allow get: if request.auth != null;
          allow list: if resource.data.author == request.auth.uid;
        }
      }
    }

    """
  private static let suite = """
    { "rules": "firestore.rules",
      "users": { "alice": "alice", "mallory": "mallory" },
      "claims": [
        { "name": "only the owner writes", "path": "/users/{uid}", "methods": ["write"],
          "onlyIf": "request.auth.uid == uid" } ],
      "tests": [
        { "name": "alice may get her document", "as": "alice", "get": "/users/alice",
          "expect": "allow" },
        { "name": "mallory may not", "as": "mallory", "get": "/users/alice", "expect": "deny" },
        { "name": "someone signed out may not", "as": null, "get": "/users/alice",
          "expect": "deny" },
        { "as": "alice", "get": "/posts/p", "documents": { "/posts/p": { "author": "bob" } },
          "expect": "allow" },
        { "as": null, "get": "/posts/p", "documents": { "/posts/p": { "author": "bob" } },
          "expect": "deny" },
        { "as": "alice", "list": "/posts", "query": { "where": [["author", "==", "alice"]] },
          "expect": "allow" },
        { "as": "mallory", "list": "/posts", "query": { "where": [["author", "==", "alice"]] },
          "expect": "deny" } ] }

    """
  private static let files = [
    "firebase.json": #"{ "firestore": { "rules": "firestore.rules" } }"#,
    "firestore.rules": rules, "app.suite.json": suite,
    "old.rules": rules.replacing("allow get: if request.auth != null", with: "allow get"),
    "log.jsonl": #"{"as": null, "method": "get", "path": "/posts/p", "before": {}}"#,
    "bin/npm": "#!/bin/sh\nexit 0\n",
  ]

  @Test func everyCommandHasExamplesOfItself() {
    for command in Self.commands {
      let examples = Tool.rulesCheck.examples(command.name)
      #expect((1...4).contains(examples.count), "\(command.name)")
      #expect(examples.contains { $0.line.hasPrefix("rules-check \(command.name)") })
      let page = Help(Tool.rulesCheck).page(of: command)
      for example in examples { #expect(page.contains("\n  \(example.line)\n")) }
    }
    #expect(Set(Examples.table.keys) == Set(Self.commands.map(\.name)))
  }

  @Test(arguments: commands.map(\.name))
  func examplesExitAsTheySay(_ name: String) throws {
    let folder = try Self.project()
    defer { try? FileManager.default.removeItem(at: folder) }
    for example in Tool.rulesCheck.examples(name) {
      guard let status = example.status else {
        // A command that stays: its command line is read.
        let words = example.line.split(separator: " ").map { String($0) }
        let command = try #require(Self.commands.first { $0.name == words[1] })
        _ = try Invocation(command, arguments: Array(words.dropFirst(2)), of: "rules-check")
        continue
      }
      let (exit, output) = try Self.run(example.line, in: folder)
      #expect(exit == status, "\(example.line)\n\(output)")
    }
  }

  @Test func helpOffersNoOptionWithoutEffect() {
    func offered(_ name: String) -> [String] {
      Self.commands.first { $0.name == name }?.listedOptions.map(\.name) ?? []
    }
    #expect(offered("lsp") == ["--stdio", "--help"])
    #expect(offered("completions") == ["--output", "--help"])
    #expect(offered("schema") == ["--output", "--help"])
    #expect(!offered("serve").contains("--output"))
    for command in Self.commands {
      let hasFormats = command.formats.count > 1
      #expect(command.options.contains { $0.name == "--format" } == hasFormats, "\(command.name)")
      let names = command.options.map(\.name)
      #expect(names.count == Set(names).count, "\(command.name)")
    }
  }

  @Test func limitsHaveAHeadingOfTheirOwn() throws {
    for command in Self.commands {
      let parts = Help(Tool.rulesCheck).page(of: command).components(separatedBy: "\nlimits:\n")
      #expect(!parts[0].contains("\n  --steps ") && !parts[0].contains("\n  --timeout "))
      guard command.options.contains(where: { $0.name == "--steps" }) else {
        #expect(parts.count == 1, "\(command.name)")
        continue
      }
      #expect(parts.count == 2 && parts[1].contains("  --steps "), "\(command.name)")
    }
  }

  @Test func severalFlagsCanStandBehindOneDash() throws {
    let check = try #require(Self.commands.first { $0.name == "check" })
    let invocation = try Invocation(check, arguments: ["-qh"], of: "rules-check")
    #expect(invocation.has(CommonOptions.quiet) && invocation.has(CommonOptions.help))
    #expect(throws: UsageProblem.self) {
      try Invocation(check, arguments: ["-qx"], of: "rules-check")
    }
  }

  // MARK: The project

  private static func project() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    for (name, text) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let npm = folder.appendingPathComponent("bin/npm").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: npm)
    let program = CommandLineCase.program.deletingLastPathComponent().path
    let author = "-c user.name=a -c user.email=a@example.org"
    let (exit, output) = try run(
      "ln -s \(program)/rules-check bin/rules-check && git init -q -b main . && git add . "
        + "&& git \(author) commit -q -m rules", in: folder)
    try #require(exit == 0, "\(output)")
    return folder
  }

  private static func run(
    _ line: String, in folder: URL
  ) throws -> (exit: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": "\(folder.path)/bin:/usr/bin:/bin", "HOME": folder.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: printed, as: UTF8.self))
  }
}
