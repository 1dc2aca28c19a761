/// How much is asked before the absence of models counts as a proof.
package struct Scrutiny: Sendable {
  /// Whether requests are made that nearly meet the condition, and decided (`Attack`).
  package var attacks: Bool
  /// How many requests a conclusion is tried on at least, over all kinds of requests.
  package var requests: Int
  /// Whether models are searched for. Without it every question looks as if it had none: a stand-in
  /// for any mistake of the compiler and the search, to test that the attack finds it.
  package var searches: Bool
  /// Whether it is asked if a limit stops one version of two that are alike without limits.
  var weighs = true

  /// Asks for a search, an attack, or both.
  package init(attacks: Bool = true, searches: Bool = true, requests: Int = questionRequests) {
    self.attacks = attacks
    self.searches = searches
    self.requests = requests
  }

  /// So many requests a conclusion is tried on, however quickly it was come to.
  package static let questionRequests = 200
  /// So many are made of a kind at least, of however many kinds a question is, unless these come to more
  /// than `requestsOfKinds` then.
  static let leastRequests = 24
  /// So many are made over all kinds where they are many.
  static let requestsOfKinds = 2000
  /// Of more kinds not all are tried.
  static let greatestKinds = 64
  /// So many are made of a kind in any case.
  static let fewestRequests = 8
  /// A change concerns about so many kinds.
  static let usualKinds = 5
  /// So many are made of a kind where a single question takes long.
  static let greatestRequests = 400
}

extension Scrutiny {
  /// Whether an answer is one to rest on.
  var concludes: Bool { attacks && searches && weighs }

  /// The machine decides so many requests in the time in which an evaluator decides one.
  private static let speed = 4

  /// The steps that it takes to make and decide requests, each of which takes an evaluator so many.
  static func cost(requests: Int, steps: Int) -> Int { requests * (100 + steps) / speed }
}
