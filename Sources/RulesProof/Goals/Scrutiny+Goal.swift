import RulesEncoding
import RulesSolver

extension Scrutiny {
  /// So many propositions of a question, and so many steps of its search, are worth one request.
  private static let propositions = 64
  private static let steps = 2000

  /// How many requests of a kind a conclusion is tried on that is about so many kinds: the longer it
  /// takes to come to it, the more.
  func requests(for goal: Goal, _ steps: Int, kinds: Int) -> Int {
    self.requests(worth: Self.worth(of: goal) + steps / Self.steps, kinds: kinds)
  }

  /// How many requests a question is worth by its size.
  static func worth(of goal: Goal) -> Int { goal.compiler.problem.graph.count / propositions }

  /// How many requests of a kind a conclusion is tried on that is about so many kinds and is worth so many.
  func requests(worth: Int, kinds: Int) -> Int {
    let share = (requests + kinds - 1) / max(kinds, 1)
    let least = max(
      Self.fewestRequests, min(Self.leastRequests, Self.requestsOfKinds / max(kinds, 1)))
    return max(share, least, min(worth, Self.greatestRequests))
  }
}
