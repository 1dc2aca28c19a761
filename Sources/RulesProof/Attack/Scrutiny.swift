/// The validation policy: how thoroughly an UNSAT answer is tested by concrete requests.
package struct Scrutiny: Sendable {
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
  package init(attacks: Bool = true, searches: Bool = true, requests: Int = questionRequests) {
    self.attacks = attacks
    self.searches = searches
    self.requests = requests
  }

  /// Minimum requests for one conclusion.
  package static let questionRequests = 200
  /// Usual minimum requests of a kind, unless all kinds together exceed `requestsOfKinds`.
  static let leastRequests = 24
  /// Maximum requests over all kinds that the minimum of each kind leads to.
  static let requestsOfKinds = 2000
  /// Maximum kinds that are tested.
  static let greatestKinds = 64
  /// Absolute minimum requests of a kind.
  static let fewestRequests = 8
  /// The usual number of kinds that a change affects.
  static let usualKinds = 5
  /// Maximum requests of a kind, for queries that take long.
  static let greatestRequests = 400
}

extension Scrutiny {
  /// True if all checks are enabled, so that answers are reliable.
  var concludes: Bool { attacks && searches && weighs }

  /// Speed of the bytecode machine relative to the evaluator.
  private static let speed = 4

  /// Returns the steps for generating and deciding requests, each of which takes the evaluator
  /// `steps`.
  static func cost(requests: Int, steps: Int) -> Int { requests * (100 + steps) / speed }
}
