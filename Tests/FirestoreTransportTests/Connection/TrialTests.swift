import Testing

@testable import FirestoreTransport

/// Conversations drawn at random: cut anywhere, or changed.
@Suite struct TrialTests {
  @Test func aConversationCutAnywhereHasTheSameEventsAndOutput() {
    var random = TrialRandom(seed: 11)
    var events = 0
    for _ in 0..<150 {
      let conversation = TrialConversation.valid(&random)
      let whole = TransportTrial.play(conversation, pace: .atEnd)
      #expect(whole.problem == nil)
      let cut = TransportTrial.play(conversation, cutBy: random.next(), pace: .atEnd)
      #expect(cut == whole)
      events += whole.events.count
    }
    #expect(events > 1500)
  }

  @Test func aValidConversationIsAnsweredWithoutAnErrorOfTheConnection() {
    var random = TrialRandom(seed: 12)
    var events = 0
    for _ in 0..<150 {
      let conversation = TrialConversation.valid(&random)
      let outcome = TransportTrial.play(conversation, cutBy: random.next())
      #expect(outcome.problem == nil)
      #expect(!Self.hasGoAway(outcome.output))
      events += outcome.events.count
    }
    #expect(events > 1500)
  }

  @Test func changedConversationsNeverTrapAndAreCutAlike() {
    var random = TrialRandom(seed: 13)
    var failed = 0
    for _ in 0..<350 {
      let valid = TrialConversation.valid(&random)
      let conversation = TrialConversation.mutated(valid, &random)
      let atOnce = TransportTrial.play(conversation, cutBy: random.next())
      #expect(atOnce.problem == nil)
      let whole = TransportTrial.play(conversation, pace: .atEnd)
      #expect(whole == TransportTrial.play(conversation, cutBy: random.next(), pace: .atEnd))
      if Self.hasGoAway(whole.output) { failed += 1 }
    }
    #expect(failed > 50)
  }

  @Test func headerBlocksComeBackAndDamagedOnesAreDecodedInOneWay() {
    var refused = 0
    for seed in UInt64(0)..<400 {
      let outcome = HPACKTrial.play(seed: seed)
      if case .failed(let problem) = outcome { Issue.record("seed \(seed): \(problem)") }
      if outcome == .refused { refused += 1 }
    }
    #expect((40..<300).contains(refused))
  }

  @Test func randomBytesNeverTrap() {
    var random = TrialRandom(seed: 14)
    let starts = [[], HTTP2Connection.preface, HTTP2Connection.preface + TestClient.settings([])]
    for round in 0..<2000 {
      let input = starts[round % 3] + random.bytes(random.below(200))
      let outcome = TransportTrial.play(input, cutBy: random.next())
      #expect(outcome.problem == nil)
    }
  }

  /// True if a frame of the output is GOAWAY; never of HTTP/1.
  private static func hasGoAway(_ output: [UInt8]) -> Bool {
    guard output.first == 0 else { return false }
    var queue = ByteQueue()
    queue.append(output)
    while let frame = try? Frame.next(from: &queue) {
      if frame.type == FrameType.goAway.rawValue { return true }
    }
    return false
  }
}
