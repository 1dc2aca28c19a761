import FirestoreTransport

/// Conversations for a connection: valid, mutated, or no conversations at all.
enum ConnectionFuzz {
  /// Plays the conversation of a seed three times: split at random, whole, and split in another way.
  static func play(seed: UInt64) -> TrialOutcome {
    var random = TrialRandom(seed: seed)
    let input: [UInt8]
    switch random.below(8) {
    case 0: input = random.bytes(random.below(2000))
    case 1: input = TrialConversation.valid(&random)
    default:
      let valid = TrialConversation.valid(&random)
      input = TrialConversation.mutated(valid, &random)
    }
    if let problem = TransportTrial.play(input, cutBy: random.next()).problem {
      return .failed(problem)
    }
    let whole = TransportTrial.play(input, pace: .atEnd)
    let cut = TransportTrial.play(input, cutBy: random.next(), pace: .atEnd)
    if whole.events != cut.events { return .failed("events depend on how the input is cut") }
    if let problem = whole.problem { return .failed(problem) }
    return whole.events.isEmpty ? .refused : .taken
  }

  /// Plays a short conversation of HTTP/2 once, mutated in five of six cases.
  static func playFrames(seed: UInt64) -> TrialOutcome {
    var random = TrialRandom(seed: seed)
    let valid = TrialConversation.frames(4, &random)
    let input = random.onceIn(6) ? valid : TrialConversation.mutated(valid, &random)
    let outcome = TransportTrial.play(input, cutBy: random.onceIn(2) ? random.next() : nil)
    if let problem = outcome.problem { return .failed(problem) }
    return outcome.events.isEmpty ? .refused : .taken
  }
}
