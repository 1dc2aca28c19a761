import Foundation
import Testing

@testable import RulesTesting

/// `--watch`: runs again when a file changes, and survives rules that do not compile.
@Suite struct WatchTests {
  /// A watching process in a folder of its own, with what it has printed so far.
  final class Session {
    let folder: URL
    private let process = Process()
    private let output: URL

    init(_ arguments: [String], files: [String: String]) throws {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("rules-check-watch-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      output = folder.appendingPathComponent("printed")
      for (name, text) in files { try write(text, to: name) }
      try Data().write(to: output)
      process.executableURL = CommandLineCase.program
      process.arguments = arguments
      process.currentDirectoryURL = folder
      let handle = try FileHandle(forWritingTo: output)
      process.standardOutput = handle
      process.standardError = handle
      try process.run()
    }

    deinit {
      // The threads of the test runner block the gentler signals, and the process inherits that.
      kill(process.processIdentifier, SIGKILL)
      try? FileManager.default.removeItem(at: folder)
    }

    /// Replaces a file as editors do: a new one takes its name.
    func write(_ text: String, to name: String) throws {
      try text.write(
        to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    /// Waits until a text was printed so many times; false after 30 seconds.
    func waits(for text: String, times: Int = 1) -> Bool {
      for _ in 0..<600 {
        let printed = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        if printed.components(separatedBy: text).count > times { return true }
        usleep(50_000)
      }
      return false
    }
  }

  private static func rules(_ condition: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /a/{id} { allow get: if \(condition); }
      }
    }
    """
  }

  private static let suite = """
    { "rules": "a.rules", "tests": [
      { "as": "alice", "get": "/a/b", "expect": "allow" } ], "users": { "alice": "alice" } }
    """

  @Test func testsRunAgainAndTheLastGoodRulesStandInForBrokenOnes() throws {
    let session = try Session(
      ["test", "--watch", "."],
      files: ["a.rules": Self.rules("request.auth != null"), "a.suite.json": Self.suite])
    try #require(session.waits(for: "1 passed"))
    try #require(session.waits(for: "Ctrl-C"))
    try session.write(Self.rules("request.auth != "), to: "a.rules")
    try #require(session.waits(for: "does not compile; this is what its last good version does"))
    try #require(session.waits(for: "1 passed", times: 2))
    try #require(session.waits(for: "Ctrl-C", times: 2))
    try session.write(Self.rules("request.auth == null"), to: "a.rules")
    try #require(session.waits(for: "1 failed"))
  }

  @Test func filesAreCheckedAgain() throws {
    let session = try Session(
      ["check", "--watch", "a.rules"], files: ["a.rules": Self.rules("request.auth != null")])
    try #require(session.waits(for: "1 file, 0 errors, 0 warnings"))
    try #require(session.waits(for: "Ctrl-C"))
    try session.write(Self.rules("request.auth != "), to: "a.rules")
    try #require(
      session.waits(for: "does not compile; the last version that did had: 1 file, 0 errors"))
    try #require(session.waits(for: "Ctrl-C", times: 2))
    try session.write(Self.rules("!request.auth == null"), to: "a.rules")
    try #require(session.waits(for: "misread-negation"))
  }
}
