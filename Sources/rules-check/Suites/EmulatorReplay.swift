import RulesEval
import RulesHost
import RulesLang
import RulesReport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Replays the requests of a suite on a running official emulator, to show for a user's own rules that both
/// decide alike.
struct EmulatorReplay {
  private let address: EmulatorAddress

  /// Creates a replay on the emulator at an address.
  init(_ address: EmulatorAddress) { self.address = address }

  /// Replays tests, in a project of this process, so that replays do not disturb each other.
  ///
  /// The emulator uses the wall clock, so requests are decided here at the current time, too, even if the
  /// suite sets another time.
  func run(
    _ tests: [Test], with engine: Engine, on documents: Documents, number: Int
  ) throws(EmulatorClient.Problem) -> EmulatorComparison {
    let project = "rules-check-\(getpid())-\(number)"
    let client = address.client(project, database: engine.rules.database)
    var result = EmulatorComparison()
    let source = engine.rules.ruleset.source
    let text = String(decoding: source.bytes, as: UTF8.self)
    let compiled = try client.setRules(text)
    guard compiled.isAccepted else {
      result.compared = tests.count
      result.disagreements = [
        EmulatorComparison.Disagreement(
          name: source.name, ours: "the rules compile", emulator: compiled.message)
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
    into result: inout EmulatorComparison
  ) throws(EmulatorClient.Problem) {
    var stored = documents
    for (path, data) in test.documents { stored[path] = data }
    try client.clear()
    try client.store(stored.all.map { ($0.path, $0.data) })
    guard case .steps(let steps) = test.subject else {
      _ = try replayRequest(of: test, with: engine, on: &stored, through: client, into: &result)
      return
    }
    // The emulator keeps what a step has written, as we do, for as long as both decide alike.
    for (place, step) in steps.enumerated() {
      let isAlike = try replayRequest(
        of: step, with: engine, on: &stored, through: client, into: &result)
      guard isAlike else {
        let left = steps.count - place - 1
        if left > 0 {
          let what = left == 1 ? "the last step" : "the last \(left) steps"
          result.skipped.append("\(test.displayName): \(what)")
        }
        return
      }
    }
  }

  /// Replays one request, and applies its writes to `stored`. True if both decide alike.
  private func replayRequest(
    of test: Test, with engine: Engine, on stored: inout Documents,
    through client: EmulatorClient, into result: inout EmulatorComparison
  ) throws(EmulatorClient.Problem) -> Bool {
    guard case .operation(let operation) = test.subject, test.unsupported == nil else {
      result.skipped.append("\(test.displayName): \(test.unsupported ?? "needs mocks")")
      return false
    }
    let verdict = try client.ask(operation, as: test.principal)
    let request = Request(principal: test.principal, time: Clock.now, operation: operation)
    guard let decision = try? engine.decide(request, on: stored) else {
      result.skipped.append("\(test.displayName): UNSUPPORTED")
      return false
    }
    if decision.isAllowed, case .commit(let writes) = operation {
      stored.commit(writes, at: request.time)
    }
    return compare(decision, with: verdict, for: test, by: engine, into: &result)
  }

  private func compare(
    _ decision: Decision, with verdict: EmulatorClient.Verdict, for test: Test, by engine: Engine,
    into result: inout EmulatorComparison
  ) -> Bool {
    let denial = decision.denial(in: engine.rules.ruleset)
    let ours = denial.map { "DENY, \($0)" } ?? "ALLOW"
    let theirs: String
    switch verdict {
    case .refused(let why):
      result.skipped.append("\(test.displayName): the emulator refuses the request: \(why)")
      return false
    case .allow: theirs = "ALLOW"
    case .deny(let why): theirs = "DENY, \(why)"
    }
    result.compared += 1
    if decision.isAllowed == (verdict == .allow) { return true }
    let name = "\(test.displayName) as \(test.principalName ?? "nobody")"
    result.disagreements.append(
      EmulatorComparison.Disagreement(name: name, ours: ours, emulator: theirs))
    return false
  }
}
