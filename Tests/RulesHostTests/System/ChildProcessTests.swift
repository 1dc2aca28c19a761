import Foundation
import Testing

@testable import RulesHost

/// Programs that are started.
@Suite struct ChildProcessTests {
  @Test func whatAProgramPrintsIsReadToItsEnd() {
    #expect(ChildProcess.output(of: ["printf", "%s", "a'b \"c\" $HOME\n"]) == "a'b \"c\" $HOME\n")
    // More than a pipe holds.
    let long = ChildProcess.output(of: ["seq", "1", "100000"])
    #expect(long?.utf8.count == 588_895 && long?.hasSuffix("\n100000\n") == true)
  }

  @Test func aProgramThatFailsOrIsNotThereHasNoOutput() {
    #expect(ChildProcess.output(of: ["sh", "-c", "echo printed; exit 3"]) == nil)
    #expect(ChildProcess.output(of: ["no-such-program-anywhere"]) == nil)
    #expect(throws: FileProblem.self) { try ChildProcess(["no-such-program-anywhere"]) }
  }

  @Test func onlyVariablesThatItNeedsArePassedOn() throws {
    setenv("RULES_CHECK_SECRET_OF_A_TEST", "x", 1)
    let output = try #require(ChildProcess.output(of: ["env"]))
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
