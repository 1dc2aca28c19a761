package import RulesEncoding
package import RulesEval
package import RulesLang

/// What the prover says to a claim.
package enum Verdict: Sendable {
  /// The claim holds for all requests.
  case proved(Proof)
  /// A request shows that it does not hold; the evaluator has decided that request.
  case violated(Counterexample)
  /// Neither is known, and why.
  case undecided([Doubt])
  /// No request is in the claim's scope, so it says nothing.
  case vacuous(Vacuity)

  /// The word of reports.
  package var word: String {
    switch self {
    case .proved: "proved"
    case .violated: "violated"
    case .undecided: "undecided"
    case .vacuous: "vacuous"
    }
  }

  /// Whether this is what a claim expects.
  package func isExpected(_ expectation: Claim.Expectation) -> Bool {
    switch (self, expectation) {
    case (.proved, .proved), (.violated, .violated), (.vacuous, .vacuous): true
    case (.proved, _), (.violated, _), (.vacuous, _), (.undecided, _): false
    }
  }
}

/// Why a claim holds.
package struct Proof: Sendable {
  /// The statements that could apply, each with what makes it safe.
  package var statements: [Safety]
  /// Whether nothing in the claim's scope is ever granted, so that it holds for nothing.
  package var grantsNothing = false
  /// Remarks: for example that nothing in the claim's scope is ever granted.
  package var notes: [String] = []
  /// Of a claim over several requests: why one is enough.
  package var induction: String?

  /// What is said of a claim that holds for nothing.
  package static let nothingGranted = "nothing in this scope is ever granted"

  /// What makes one statement safe for a claim.
  package struct Safety: Sendable {
    /// The statement.
    package var allow: AllowID
    /// The methods for which it could apply.
    package var methods: MethodSet
    /// The conjuncts of its condition without which the claim would not hold; together they are
    /// enough. Empty if the claim holds whatever the condition says.
    package var core: [ExprID]
  }
}
