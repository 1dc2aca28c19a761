import RulesEncoding
import RulesSolver

extension Scrutiny {
  /// Propositions of a query, and steps of its search, for one test request each.
  private static let propositions = 64
  private static let steps = 2000

  /// Returns the number of test requests of a kind for a conclusion about `kinds` kinds. Longer
  /// searches are tested more.
  func requests(for goal: Goal, _ steps: Int, kinds: Int) -> Int {
    self.requests(worth: Self.worth(of: goal) + steps / Self.steps, kinds: kinds)
  }

  /// Returns the number of test requests that the size of a query suggests.
  static func worth(of goal: Goal) -> Int { goal.compiler.problem.graph.count / propositions }

  /// Returns the number of test requests of a kind, given the number that query and search suggest.
  func requests(worth: Int, kinds: Int) -> Int {
    let share = (requests + kinds - 1) / max(kinds, 1)
    let least = max(
      Self.fewestRequests, min(Self.leastRequests, Self.requestsOfKinds / max(kinds, 1)))
    return max(share, least, min(worth, Self.greatestRequests))
  }
}
