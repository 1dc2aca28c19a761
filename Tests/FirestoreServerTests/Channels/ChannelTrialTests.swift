import FirestoreTransport
import Testing

@testable import FirestoreServer

/// Random sessions beside a plain model of both directions.
@Suite struct ChannelTrialTests {
  @Test func sessionsLoseAndRepeatNothing() {
    var taken = 0
    for seed in UInt64(0)..<400 {
      let outcome = ChannelTrial.play(seed: seed)
      if case .failed(let problem) = outcome { Issue.record("seed \(seed): \(problem)") }
      if outcome == .taken { taken += 1 }
    }
    #expect(taken > 100)
  }
}
