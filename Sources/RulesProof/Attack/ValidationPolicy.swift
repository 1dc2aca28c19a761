import RulesSolver

/// The validation policy: how thoroughly an UNSAT answer is tested by concrete requests.
package struct ValidationPolicy: Sendable {
  /// True if conclusions are tested by generated requests (`Attack`).
  package var attacks: Bool
  /// Minimum requests for one conclusion, over all kinds of requests.
  package var requests: Int
  /// True if models are searched for. False makes every query look unsatisfiable, simulating any
  /// defect of compiler or search, to test that the attack finds it.
  package var searches: Bool
  /// True if evaluation limits are compared, too.
  var weighs = true

  /// Creates a policy.
  package init(attacks: Bool = true, searches: Bool = true, requests: Int = Strategy.requests) {
    self.attacks = attacks
    self.searches = searches
    self.requests = requests
  }
}

extension ValidationPolicy {
  /// The policy for answers that an editor shows while somebody writes: an eighth of the requests. `audit`
  /// and `check` test with all of them.
  package static var ofEditors: ValidationPolicy {
    ValidationPolicy(requests: Strategy.requests / Strategy.samples)
  }

  /// True if all checks are enabled, so that answers are reliable.
  var concludes: Bool { attacks && searches && weighs }

  /// Returns the number of test requests of a kind for a conclusion about `kinds` kinds.
  func requests(kinds: Int) -> Int {
    max((requests + kinds - 1) / max(kinds, 1), Strategy.samples)
  }

  /// Returns the steps for generating and deciding requests, each of which takes `steps` to
  /// decide.
  static func cost(requests: Int, steps: Int) -> Int {
    requests * (SearchStrategy.stepsOfRequest + steps)
  }
}
