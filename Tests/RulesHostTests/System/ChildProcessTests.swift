import Dispatch
import Foundation
import Synchronization
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

  @Test func aProgramHasNoInput() {
    // That of this process is a protocol in `lsp`; a program that read it would take a message away.
    #expect(ChildProcess.output(of: ["sh", "-c", "wc -c | tr -d ' \\n'"]) == Array("0".utf8))
    #expect(
      ChildProcess.output(of: ["sh", "-c", "readlink /proc/self/fd/0 || echo /dev/null"])
        == Array("/dev/null\n".utf8))
  }

  #if os(Linux)
    @Test func aProgramInheritsNoPipeOfAnotherOne() {
      // Each program lists its descriptors: the pipe at 1 is its own.
      let lists = Mutex<[[(descriptor: Substring, pipe: Substring)]]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 0..<50 {
          let listed = ChildProcess.output(of: ["sh", "-c", "ls -l /proc/$$/fd"])
          let lines = String(decoding: listed ?? [], as: UTF8.self).split(separator: "\n")
          let pipes = lines.map { $0.split(separator: " ").suffix(3) }.compactMap { words in
            words.last.flatMap { $0.hasPrefix("pipe:") ? (words.first ?? "", $0) : nil }
          }
          lists.withLock { $0.append(pipes) }
        }
      }
      let all = lists.withLock { $0 }
      let outputs = Set(all.joined().filter { $0.descriptor == "1" }.map { $0.pipe })
      #expect(all.count == 200 && !outputs.isEmpty)
      let inherited = all.joined().filter { $0.descriptor != "1" && outputs.contains($0.pipe) }
      #expect(inherited.map { $0.pipe } == [])
    }

    @Test func aStartThatFailsLeaksNothing() throws {
      for _ in 0..<300 { #expect(ChildProcess.output(of: ["no-such-program-anywhere"]) == nil) }
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      // Other tests have some open; each start leaked two.
      #expect(open.count < 500)
    }
  #endif

  @Test func signalsLoseNoOutput() throws {
    var action = sigaction()
    // Without SA_RESTART calls that wait end in EINTR.
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in }
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = { _ in }
    #else
      action.__sigaction_handler.sa_handler = { _ in }
    #endif
    var before = sigaction()
    sigaction(SIGUSR2, &action, &before)
    defer { sigaction(SIGUSR2, &before, nil) }
    let reader = pthread_self()
    let isOver = Mutex(false)
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      while !isOver.withLock({ $0 }) {
        pthread_kill(reader, SIGUSR2)
        usleep(50)
      }
    }
    for _ in 0..<5 {
      let slow = ChildProcess.output(of: [
        "sh", "-c", "for i in 1 2 3 4 5; do sleep 0.01; echo $i; done",
      ])
      #expect(slow == Array("1\n2\n3\n4\n5\n".utf8))
      #expect(ChildProcess.output(of: ["seq", "1", "20000"])?.count == 108_894)
      let child = try ChildProcess(["sleep", "1000"])
      child.stop()
      #expect(!child.isRunning)
    }
    isOver.withLock { $0 = true }
    group.wait()
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
