package import RulesEval
package import RulesLang
package import RulesSolver

/// Why a claim could not be decided.
package struct Doubt: Sendable, Hashable {
  /// The reason.
  package var reason: String
  /// The construct of the rules that stopped the prover, if one did.
  package var range: SourceRange?
  /// What was not confirmed, if no construct is to blame.
  package var replay: FailedReplay?
  /// Whether the search had said that there is nothing to doubt, and only an attack showed it.
  package private(set) var isMissed = false

  /// Makes a reason.
  package init(_ reason: String, at range: SourceRange? = nil) {
    self.reason = reason
    self.range = range
  }

  /// Whether two reasons are the same to a reader; what was not confirmed may differ.
  package static func == (one: Doubt, other: Doubt) -> Bool {
    one.reason == other.reason && one.range == other.range
  }

  /// Hashes what readers see.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(range)
  }
}

extension Doubt {
  /// Nothing else is known: whoever collects doubts takes none for a proof.
  package static let noEnd = Doubt("the search came to no end")

  /// The search found a request that nobody can make.
  package init(impossible reason: Impossibility) {
    self.init("the search finds only what cannot be: \(reason.sentence)")
  }

  /// The search had found that no request refutes something, and one does.
  package init(missed: FailedReplay) {
    self.init(
      "the search missed a request that the rules allow; this is a defect of rules-check: please "
        + "report it, with what `--defects DIR` writes")
    replay = missed
    isMissed = true
  }
}

extension Budget {
  /// Why a question stays open whose budget is spent; `nil` if it is not.
  package var doubt: Doubt? { exhaustion.map { Doubt($0.reason) } }
}
