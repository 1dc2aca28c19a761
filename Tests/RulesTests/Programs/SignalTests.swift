import Foundation
import Testing

@testable import RulesTesting

/// What happens to programs that were started when the one that started them is told to end.
@Suite struct SignalTests {
  /// `git` in the case is a program that does not end by itself.
  @Test(arguments: [SIGTERM, SIGINT])
  func aProgramThatWasStartedEndsWithThisOne(_ signal: Int32) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let git = folder.appendingPathComponent("git")
    try "#!/bin/sh\necho $$ > pid.new; mv pid.new pid; exec sleep 600\n".write(
      to: git, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: git.path)
    let process = Process()
    process.executableURL = CommandLineCase.program
    process.arguments = ["diff", "--base", "HEAD"]
    process.currentDirectoryURL = folder
    process.environment = ["PATH": folder.path + ":/usr/bin:/bin"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let file = folder.appendingPathComponent("pid")
    try Self.wait { FileManager.default.fileExists(atPath: file.path) }
    let text = try String(contentsOf: file, encoding: .utf8)
    let child = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(child, 0) == 0)
    defer { kill(child, SIGKILL) }
    kill(process.processIdentifier, signal)
    defer { kill(process.processIdentifier, SIGKILL) }
    try Self.wait { !process.isRunning }
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    try Self.wait { Self.hasEnded(child) }
  }

  /// Whether a process has ended; one that nobody has asked about yet counts as ended.
  private static func hasEnded(_ process: Int32) -> Bool {
    if kill(process, 0) != 0 { return true }
    let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return state?.contains(") Z ") ?? false
  }

  /// Waits until something holds, half a minute at most.
  private static func wait(_ holds: () -> Bool) throws {
    for _ in 0..<300 {
      if holds() { return }
      usleep(100_000)
    }
    Issue.record("nothing happened for half a minute")
  }
}
