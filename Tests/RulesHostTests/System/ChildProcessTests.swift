import Foundation
import Testing

@testable import RulesHost

/// Programs that are started.
@Suite struct ChildProcessTests {
  @Test func whatAProgramPrintsIsReadToItsEnd() {
    let text = "a'b \"c\" $HOME\n"
    #expect(ChildProcess.output(of: ["printf", "%s", text]) == Array(text.utf8))
    // What is no UTF-8 stays as it is.
    #expect(ChildProcess.output(of: ["printf", "\\377"]) == [0xFF])
    // More than a pipe holds.
    let long = ChildProcess.output(of: ["seq", "1", "100000"])
    #expect(long?.count == 588_895 && long?.suffix(8) == Array("\n100000\n".utf8)[...])
  }

  @Test func aProgramThatFailsOrIsNotThereHasNoOutput() {
    #expect(ChildProcess.output(of: ["sh", "-c", "echo printed; exit 3"]) == nil)
    #expect(ChildProcess.output(of: ["no-such-program-anywhere"]) == nil)
    #expect(throws: FileProblem.self) { try ChildProcess(["no-such-program-anywhere"]) }
  }

  @Test func onlyVariablesThatItNeedsArePassedOn() throws {
    setenv("RULES_CHECK_SECRET_OF_A_TEST", "x", 1)
    let bytes = try #require(ChildProcess.output(of: ["env"]))
    let output = String(decoding: bytes, as: UTF8.self)
    #expect(output.contains("PATH=") && !output.contains("RULES_CHECK_SECRET_OF_A_TEST"))
  }

  @Test func aProgramEndsWithItsObject() throws {
    var child: ChildProcess? = try ChildProcess(["sleep", "1000"])
    #expect(child?.isRunning == true)
    child?.stop()
    #expect(child?.isRunning == false)
    child = nil
    let short = try ChildProcess(["true"])
    let deadline = Date(timeIntervalSinceNow: 60)
    while short.isRunning, Date() < deadline { usleep(1000) }
    #expect(!short.isRunning)
    short.stop()
  }
}
