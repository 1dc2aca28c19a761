package import RulesEval
package import RulesLang
package import RulesSolver

/// A reason why a claim is undecided.
package struct OpenReason: Sendable, Hashable {
  /// The reason, as a user reads it.
  package var reason: String
  /// The construct of the rules that the prover does not interpret, if one is the reason.
  package var range: SourceRange?
  /// The disagreement between search and evaluator, if that is the reason.
  package var replay: FailedReplay?
  /// True if the search proved that there is no counterexample and an attack found one.
  package private(set) var isMissed = false

  /// Creates a reason.
  package init(_ reason: String, at range: SourceRange? = nil) {
    self.reason = reason
    self.range = range
  }

  /// True if two reasons read the same to a user, whatever their other properties.
  package static func == (one: OpenReason, other: OpenReason) -> Bool {
    one.reason == other.reason && one.range == other.range
  }

  /// Hashes the properties that `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(range)
  }
}

extension OpenReason {
  /// The reason if nothing else is known: without it, no reasons would count as a proof.
  package static let noEnd = OpenReason("the search budget is exhausted")

  /// Creates the reason that the search finds only requests that cannot exist.
  package init(impossible reason: Impossibility) {
    self.init("the search only finds impossible requests: \(reason.sentence)")
  }

  /// Creates the reason that a request refutes a claim although the search found no counterexample.
  package init(missed: FailedReplay) {
    self.init(
      "the search missed a request that the rules allow; this is a defect of rules-check: please "
        + "report it, with what `--defects DIR` writes")
    replay = missed
    isMissed = true
  }
}

extension Budget {
  /// The reason why a query stays open whose budget is spent; nil if it is not spent.
  package var openReason: OpenReason? { exhaustion.map { OpenReason($0.reason) } }
}
