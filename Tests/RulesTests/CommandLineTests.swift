import Foundation
import Testing

@testable import RulesTesting

/// The program from outside: what it prints and the code it ends with.
///
/// A program in debug runs every eighth case; `.ci/run` has the optimised one run all of them by naming its
/// folder (`RULES_CHECK_PROGRAMS`).
@Suite struct CommandLineTests {
  private static let cases: [String] = {
    let all = Golden.cases("cli")
    let runsAll = Wanted.isWhole || Golden.isRecording || CommandLineCase.programs != nil
    return runsAll ? all : Wanted.sample(of: all)
  }()

  @Test(arguments: cases)
  func theProgramPrintsAndExitsAsRecorded(_ name: String) throws {
    let file = Golden.folder("cli").appendingPathComponent(name)
    let recorded = CommandLineCase(try String(contentsOf: file, encoding: .utf8))
    Golden.expect(recorded.text(with: try recorded.run()), in: file)
  }

  @Test func everyExitCodeThatCommandsGiveIsShownByACase() throws {
    let codes = try Set(
      Golden.cases("cli").map { name in
        let file = Golden.folder("cli").appendingPathComponent(name)
        return CommandLineCase(try String(contentsOf: file, encoding: .utf8)).exit
      })
    #expect(codes.isSuperset(of: [0, 1, 2, 4]))
  }

  @Test(arguments: [
    ["--help"], ["test", "rules"], ["check", "rules"], ["eval", "'a'"], ["help", "syntax"],
  ])
  func aBrokenPipeIsNoError(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = CommandLineCase.program
    process.arguments = arguments
    process.currentDirectoryURL = CommandLineCase.package
    let output = Pipe()
    let complaints = Pipe()
    process.standardOutput = output
    process.standardError = complaints
    // Nobody will ever read.
    try output.fileHandleForReading.close()
    try process.run()
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(complained.isEmpty)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [["test", "rules/psst-prd.suite.json"], ["check", "rules"]])
  func aReportThatCannotBeWrittenIsNoSuccess(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = CommandLineCase.program
    process.arguments = arguments
    process.currentDirectoryURL = CommandLineCase.package
    let complaints = Pipe()
    let full: FileHandle = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    process.standardOutput = full
    process.standardError = complaints
    try process.run()
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(String(decoding: complained, as: UTF8.self).contains("standard output: "))
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/zero")),
    arguments: [["check", "/dev/zero"], ["test", "/dev/zero"], ["verify-proof", "/dev/zero"]])
  func whatHasNoEndIsNotRead(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = CommandLineCase.program
    process.arguments = arguments
    let complaints = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = complaints
    try process.run()
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(
      String(decoding: complained, as: UTF8.self).contains("is endless, or longer than 256 MiB"))
  }

  @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP])
  func aDefectOfTheProgramEndsIn70(_ signal: Int32) throws {
    let process = Process()
    process.executableURL = CommandLineCase.program
    process.arguments = ["eval", "--lines"]
    let (input, output, complaints) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = complaints
    try process.run()
    // The answer shows that the program has begun.
    input.fileHandleForWriting.write(Data("1 + 1\n".utf8))
    let answer = output.fileHandleForReading.availableData
    #expect(String(decoding: answer, as: UTF8.self) == "{\"type\":\"int\",\"value\":\"2\"}\n")
    #expect(kill(process.processIdentifier, signal) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 70)
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    #expect(String(decoding: complained, as: UTF8.self).contains("a defect of rules-check"))
  }
}
