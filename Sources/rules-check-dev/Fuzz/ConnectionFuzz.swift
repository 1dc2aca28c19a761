import FirestoreTransport

/// Conversations that are valid, mutated or no conversations at all, played to a connection.
enum ConnectionFuzz {
  /// The fault that the conversation of a seed shows; nil if it shows none.
  static func problem(seed: UInt64) -> String? {
    var random = TrialRandom(seed: seed)
    let input: [UInt8]
    switch random.below(8) {
    case 0: input = random.bytes(random.below(2000))
    case 1: input = TrialConversation.valid(&random)
    default:
      let valid = TrialConversation.valid(&random)
      input = TrialConversation.mutated(valid, &random)
    }
    if let problem = TransportTrial.play(input, cutBy: random.next()).problem { return problem }
    let whole = TransportTrial.play(input, pace: .atEnd)
    let cut = TransportTrial.play(input, cutBy: random.next(), pace: .atEnd)
    if whole.events != cut.events { return "events depend on how the input is cut" }
    return whole.problem
  }
}
