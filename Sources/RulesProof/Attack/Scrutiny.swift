/// How much is asked before the absence of models counts as a proof.
public struct Scrutiny: Sendable {
  /// Whether requests are made that nearly meet the condition, and decided (`Attack`).
  public var attacks: Bool
  /// How many requests of a kind are made at least.
  public var requests: Int
  /// Whether models are searched for. Without it every question looks as if it had none: a stand-in
  /// for any mistake of the compiler and the search, to test that the attack finds it.
  public var searches: Bool

  /// Asks for a search, an attack, or both.
  public init(attacks: Bool = true, searches: Bool = true, requests: Int = leastRequests) {
    self.attacks = attacks
    self.searches = searches
    self.requests = requests
  }

  /// Fewer requests are no attack.
  public static let leastRequests = 12
  /// So many are made of a kind where a report takes a moment anyway.
  public static let reportRequests = 48
  /// So many are made of a kind where single questions take long, or nobody waits for each.
  public static let greatestRequests = 128
}

extension Scrutiny {
  /// So many propositions of a question, and so many steps of its search, are worth one request.
  private static let propositions = 32
  private static let steps = 4000

  /// How many requests a conclusion is tried on: the longer it takes to come to it, the more.
  func requests(for goal: Goal, _ steps: Int) -> Int {
    let worth = goal.compiler.problem.graph.count / Self.propositions + steps / Self.steps
    return max(requests, min(worth, Self.greatestRequests))
  }
}
