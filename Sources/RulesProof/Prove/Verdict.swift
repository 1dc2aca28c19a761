package import RulesEncoding
package import RulesEval
package import RulesLang

/// The verdict on a claim.
package enum Verdict: Sendable {
  /// The claim holds for all requests.
  case proved(Proof)
  /// The claim is violated by a request that the evaluator has decided.
  case violated(Counterexample)
  /// The claim is undecided, for these reasons.
  case undecided([OpenReason])
  /// The claim is vacuous: no request is in its scope.
  case vacuous(Vacuity)

  /// The word in reports.
  package var word: String {
    switch self {
    case .proved: "proved"
    case .violated: "violated"
    case .undecided: "undecided"
    case .vacuous: "vacuous"
    }
  }

  /// True if a claim expects this verdict.
  package func isExpected(_ expectation: Claim.Expectation) -> Bool {
    switch (self, expectation) {
    case (.proved, .proved), (.violated, .violated), (.vacuous, .vacuous): true
    case (.proved, _), (.violated, _), (.vacuous, _), (.undecided, _): false
    }
  }
}

/// The explanation of a proved claim.
package struct Proof: Sendable {
  /// The statements that could apply, each with what makes it safe.
  package var statements: [Safety]
  /// True if nothing in the claim's scope is ever granted.
  package var grantsNothing = false
  /// Notes, such as "nothing in this scope is ever granted".
  package var notes: [String] = []
  /// For a claim over several requests, the induction that reduces it to one.
  package var induction: String?
  /// The answer of the proof checker.
  package internal(set) var check = ProofCheck.unchecked(.notAsked)

  /// The note on a claim in whose scope nothing is granted.
  package static let nothingGranted = "nothing in this scope is ever granted"

  /// The explanation of one statement.
  package struct Safety: Sendable {
    /// The statement.
    package var allow: AllowID
    /// The methods for which it could apply.
    package var methods: MethodSet
    /// A minimal set of conjuncts of its condition that suffices. Empty if the condition does not
    /// matter.
    package var core: [ExprID]
  }
}
