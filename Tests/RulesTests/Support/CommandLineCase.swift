import Foundation

/// One run of the command line: a folder with `args` (one a line), the input files, and the expected
/// `stdout`, `stderr` and `exit`. `stdin`, `env` (NAME=VALUE lines) and `cwd` are optional.
struct CommandLineCase {
  /// The folder of the case.
  let folder: URL

  /// What a run printed and how it ended.
  struct Result {
    var output: String
    var complaints: String
    var exit: Int32
  }

  /// The program that the package has built beside the tests.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("rules-check")

  /// The folder of the package.
  static let package = ConformanceData.tests.deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Files of a case that are no inputs.
  static let reserved: Set<String> = ["args", "stdin", "env", "cwd", "stdout", "stderr", "exit"]

  private func lines(_ file: String) -> [String] {
    guard
      let text = try? String(
        contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    else { return [] }
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Runs the command, in the folder of the case unless `cwd` says `package`.
  func run() throws -> Result {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = lines("args")
    process.currentDirectoryURL = lines("cwd").first == "package" ? Self.package : folder
    var environment = ["PATH": "/usr/bin:/bin"]
    for line in lines("env") {
      let parts = line.split(separator: "=", maxSplits: 1)
      environment[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    process.environment = environment
    let output = Pipe()
    let complaints = Pipe()
    process.standardOutput = output
    process.standardError = complaints
    let input = folder.appendingPathComponent("stdin")
    process.standardInput =
      FileManager.default.fileExists(atPath: input.path)
      ? try FileHandle(forReadingFrom: input) : FileHandle.nullDevice
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      output: Self.normalized(printed), complaints: Self.normalized(complained),
      exit: process.terminationStatus)
  }

  /// The text with times replaced, which differ from run to run.
  private static func normalized(_ data: Data) -> String {
    String(decoding: data, as: UTF8.self)
      .replacingOccurrences(
        of: #" time="\d+\.\d\d\d""#, with: " time=\"0.000\"", options: .regularExpression
      )
      .replacingOccurrences(of: #"\d+\.\d ms"#, with: "N ms", options: .regularExpression)
      .replacingOccurrences(
        of: #""milliseconds": [0-9.e-]+"#, with: "\"milliseconds\": N", options: .regularExpression)
  }
}
