public import RulesEval
import RulesLang

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Replays the requests of a suite on a running official emulator: the proof, for one's own rules,
/// that both decide alike.
public struct EmulatorReplay {
  /// A request that the two decide differently.
  public struct Disagreement: Sendable {
    /// The test.
    public var name: String
    /// What we say, with the reason.
    public var ours: String
    /// What the emulator says, with its message.
    public var emulator: String
  }

  /// What came of a suite.
  public struct Result: Sendable {
    /// The number of requests that both decided.
    public var compared = 0
    /// Those that they decided differently.
    public var disagreements: [Disagreement] = []
    /// Those that one of them could not decide, with the reason.
    public var skipped: [String] = []
  }

  private let host: String
  private let port: UInt16

  /// Takes `HOST:PORT`, and makes sure that an emulator answers there.
  public init(_ address: String) throws(UsageProblem) {
    let parts = address.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0 else {
      throw UsageProblem("`--emulator \(address)` is not HOST:PORT", help: "as in 127.0.0.1:8080")
    }
    host = String(parts[0])
    self.port = port
    do throws(EmulatorClient.Problem) {
      try EmulatorClient(host: host, port: port, project: "rules-check").checkIsEmulator()
    } catch {
      throw UsageProblem(
        error.message, help: "start one with: firebase emulators:start --only firestore")
    }
  }

  /// A client of the emulator for a project of its own.
  public func client(_ project: String) -> EmulatorClient {
    EmulatorClient(host: host, port: port, project: project)
  }

  /// Replays tests. The project is the process's own, so that replays do not disturb each other.
  ///
  /// The emulator takes its time from the wall clock; so do we here, whatever the suite says.
  public func run(
    _ tests: [Test], with engine: Engine, on documents: Documents, number: Int
  ) throws(EmulatorClient.Problem) -> Result {
    let project = "rules-check-\(getpid())-\(number)"
    let client = EmulatorClient(host: host, port: port, project: project)
    var result = Result()
    let source = engine.rules.ruleset.source
    let text = String(decoding: source.bytes, as: UTF8.self)
    let compiled = try client.setRules(text)
    guard compiled.isAccepted else {
      result.compared = tests.count
      result.disagreements = [
        Disagreement(name: source.name, ours: "the rules compile", emulator: compiled.message)
      ]
      return result
    }
    for test in tests {
      try replay(test, with: engine, on: documents, through: client, into: &result)
    }
    try client.clear()
    return result
  }

  private func replay(
    _ test: Test, with engine: Engine, on documents: Documents, through client: EmulatorClient,
    into result: inout Result
  ) throws(EmulatorClient.Problem) {
    guard case .operation(let operation) = test.subject, test.unsupported == nil else {
      result.skipped.append("\(test.displayName): \(test.unsupported ?? "needs mocks")")
      return
    }
    var stored = documents
    for (path, data) in test.documents { stored[path] = data }
    try client.clear()
    try client.store(stored.all.map { ($0.path, $0.data) })
    let verdict = try client.ask(operation, as: test.principal)
    let request = Request(principal: test.principal, time: Clock.now, operation: operation)
    guard let decision = try? engine.decide(request, on: stored) else {
      result.skipped.append("\(test.displayName): UNSUPPORTED")
      return
    }
    compare(decision, with: verdict, for: test, by: engine, into: &result)
  }

  private func compare(
    _ decision: Decision, with verdict: EmulatorClient.Verdict, for test: Test, by engine: Engine,
    into result: inout Result
  ) {
    let denial = decision.denial(in: engine.rules.ruleset)
    let ours = denial.map { "DENY, \($0)" } ?? "ALLOW"
    let theirs: String
    switch verdict {
    case .refused(let why):
      result.skipped.append("\(test.displayName): the emulator refuses the request: \(why)")
      return
    case .allow: theirs = "ALLOW"
    case .deny(let why): theirs = "DENY, \(why)"
    }
    result.compared += 1
    if decision.isAllowed == (verdict == .allow) { return }
    let name = "\(test.displayName) as \(test.principalName ?? "nobody")"
    result.disagreements.append(Disagreement(name: name, ours: ours, emulator: theirs))
  }
}
