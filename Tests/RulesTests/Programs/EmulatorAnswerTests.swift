import Foundation
import Testing

@testable import RulesHost
@testable import RulesTesting

/// What a user is told who names something else than an emulator.
@Suite struct EmulatorAnswerTests {
  @Test func whatListensButIsNoEmulatorIsNamed() throws {
    let server = try #require(
      ScriptedServer("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"))
    let result = try run(["test", "rules", "--emulator", "127.0.0.1:\(server.port)"])
    #expect(result.exit == 2)
    #expect(result.output.isEmpty)
    let expected = "the server on 127.0.0.1:\(server.port) is not a Firestore emulator"
    #expect(result.complaints.contains(expected))
  }

  @Test func whatDoesNotSpeakHTTPIsNamed() throws {
    let server = try #require(ScriptedServer("220 mail.example.com ESMTP\r\n\r\n"))
    let arguments = ["differential", "--emulator", "127.0.0.1:\(server.port)"]
    let result = try run(arguments, of: "rules-check-dev")
    #expect(result.exit == 2)
    #expect(result.output.isEmpty)
    #expect(result.complaints.contains("does not speak HTTP"))
  }

  @Test func aServerThatHangsUpIsNamed() throws {
    let server = try #require(ScriptedServer(""))
    let result = try run(["test", "rules", "--emulator", "127.0.0.1:\(server.port)"])
    #expect(result.exit == 2)
    #expect(result.complaints.contains("127.0.0.1:\(server.port)"))
  }

  /// One that says yes to everything would agree with every test that expects `allow`.
  @Test func aServerThatSaysYesToEverythingIsNoEmulator() throws {
    let server = try #require(
      ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"))
    let result = try run(["test", "rules", "--emulator", "127.0.0.1:\(server.port)"])
    #expect(result.exit == 2)
    #expect(result.complaints.contains("is not a Firestore emulator"))
  }

  @Test func aLengthThatCannotBeIsNamed() throws {
    let server = try #require(
      ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}"))
    let result = try run(["test", "rules", "--emulator", "127.0.0.1:\(server.port)"])
    #expect(result.exit == 2)
    #expect(result.complaints.contains("an invalid Content-Length"))
  }

  private func run(
    _ arguments: [String], of program: String = "rules-check"
  ) throws -> CommandLineCase.Result {
    let process = Process()
    process.executableURL = CommandLineCase.program(program)
    process.arguments = arguments
    process.currentDirectoryURL = CommandLineCase.package
    let (output, complaints) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = complaints
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return CommandLineCase.Result(
      output: String(decoding: printed, as: UTF8.self),
      complaints: String(decoding: complained, as: UTF8.self), exit: process.terminationStatus)
  }
}
