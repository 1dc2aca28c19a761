import Foundation
import Testing

@testable import RulesTesting

/// What stands in files after a run, which cases do not show.
@Suite struct RefusedFileTests {
  /// Runs the program in a new folder, and returns that and the exit code.
  private func run(
    _ arguments: [String], input: FileHandle = .nullDevice, environment: [String: String] = [:],
    files: [String: String] = [:]
  ) throws -> (folder: URL, exit: Int32) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    let process = Process()
    process.executableURL = CommandLineCase.program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (folder, process.terminationStatus)
  }

  @Test(arguments: ["projects-test", "pretty"])
  func aFormatWithoutWordsForWhatCouldNotRunLeavesNoFile(_ format: String) throws {
    let (folder, exit) = try run(["test", "nope", "--format", format, "-o", "out"])
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(exit == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(arguments: [("auto", false), ("always", true)])
  func aFileIsColouredOnlyIfThatIsAskedFor(_ color: String, _ isColored: Bool) throws {
    let rules =
      "service cloud.firestore { match /databases/{d}/documents { match /a/{b} { allow read; } } }"
    let (folder, _) = try run(
      ["check", "app.rules", "--color", color, "-o", "out"], environment: ["FORCE_COLOR": "1"],
      files: ["app.rules": rules])
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = try String(contentsOf: folder.appendingPathComponent("out"), encoding: .utf8)
    #expect(!text.isEmpty)
    #expect(text.contains("\u{1B}") == isColored)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/zero")))
  func expressionsWithoutEndAreAnError() throws {
    let zeros: FileHandle = try #require(FileHandle(forReadingAtPath: "/dev/zero"))
    let (folder, exit) = try run(["eval", "--lines"], input: zeros)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(exit == 2)
  }
}
