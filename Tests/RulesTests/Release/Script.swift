import Foundation

@testable import RulesTesting

/// Runs scripts of the package, as the action and the release workflow do.
struct Script {
  /// What a run printed and how it ended.
  struct Outcome {
    var output: String
    var complaints: String
    var exit: Int32
  }

  /// A folder of its own, with what was put there.
  let folder: URL

  /// Makes the folder.
  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rules-check-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Removes the folder.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Whether a program is on the path.
  static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// Runs a shell command in the folder, with `PACKAGE` and `PROGRAM` set.
  func run(_ command: String, _ variables: [String: String] = [:]) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    for name in environment.keys where name.hasPrefix("GITHUB_") { environment[name] = nil }
    environment["PACKAGE"] = CommandLineCase.package.path
    environment["PROGRAM"] = CommandLineCase.program.path
    environment.merge(variables) { _, new in new }
    process.environment = environment
    let complaints = folder.appendingPathComponent("complaints-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: complaints.path, contents: nil)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: complaints)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      output: String(decoding: printed, as: UTF8.self),
      complaints: try String(contentsOf: complaints, encoding: .utf8),
      exit: process.terminationStatus)
  }

  /// Writes a file of the folder.
  func write(_ text: String, to name: String) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  /// Reads a file of the folder.
  func read(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }
}
