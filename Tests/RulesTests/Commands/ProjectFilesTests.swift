import Foundation
import Testing

@testable import RulesHost
@testable import RulesTesting

/// Commands without operands find the project's files, and reports name them by paths that others know.
@Suite struct ProjectFilesTests {
  /// A folder that is removed in the end.
  private final class Project {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func run(_ arguments: String...) throws -> (exit: Int32, output: String) {
      let process = Process()
      process.executableURL = CommandLineCase.program
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.environment = ["PATH": "/usr/bin:/bin"]
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let printed = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: printed, as: UTF8.self))
    }
  }

  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} { allow read, write: if request.auth != null && request.auth.uid == uid; }
      }
    }
    """

  @Test(arguments: ["firestore.rules", "security/app.rules"])
  func afterInitThereAreTestsToRun(_ name: String) throws {
    let project = try Project()
    let file = project.folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Self.rules.write(to: file, atomically: true, encoding: .utf8)
    if name != "firestore.rules" {
      try #"{"firestore": {"rules": "\#(name)"}}"#.write(
        to: project.folder.appendingPathComponent("firebase.json"), atomically: true,
        encoding: .utf8)
    }
    let before = try project.run("test")
    #expect(before.exit == 2)
    #expect(before.output.contains("rules-check init \(name) writes a first suite"))
    #expect(try project.run("init").exit == 0)
    let after = try project.run("test")
    #expect(after.exit == 0, "\(after.output)")
    #expect(after.output.contains("passed"))
    #expect(try project.run("check").exit == 0)
  }

  @Test func aLinkOnTheWayIsNotLeftByGoingUp() throws {
    let project = try Project()
    let (files, outer) = (FileManager.default, project.folder)
    for name in ["a/b", "c"] {
      try files.createDirectory(
        at: outer.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    try files.createSymbolicLink(
      atPath: outer.appendingPathComponent("c/link").path, withDestinationPath: "../a/b")
    try "x".write(to: outer.appendingPathComponent("a/f"), atomically: true, encoding: .utf8)
    // `c/link/..` is `a`, not `c`.
    let path = outer.path + "/c/link/../f"
    #expect(FileSystem.plain(path) == path)
    #expect(FileSystem.plain(outer.path + "/a/b/../f") == outer.path + "/a/f")
  }

  @Test(arguments: [
    ("a/../b", "b"), ("./a/./b", "a/b"), ("../../a/..", "../.."), ("a/..", "."), ("/../a", "/a"),
    ("a//b/", "a/b"), ("..", ".."), ("/", "/"), ("a/b/../../../c", "../c"),
  ])
  func pathsLoseTheirDetours(_ path: String, _ plain: String) {
    #expect(FilePath.normalized(path) == plain)
  }
}
