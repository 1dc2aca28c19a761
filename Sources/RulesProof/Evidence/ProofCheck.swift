import RulesEval
package import RulesLang
package import RulesSolver
package import RulesVerify

// The check of a verdict. Before a claim is reported as PROVED, the proof checker makes its own queries of
// the rules and the claim, and must confirm their refutation.
//
// Sound: `checked` holds what only `ProofChecker` makes (`ConfirmedClaim`), and of this very claim. A proof
// without a check stays a proof: the prover's search, tested by an attack.

/// The answer of the proof checker to a proved claim.
package enum ProofCheck: Sendable {
  /// The checker has confirmed the claim. If nothing in its scope is ever granted, the second one says so.
  case checked(ConfirmedClaim, grantsNothing: ConfirmedClaim?)
  /// The checker has not confirmed the claim.
  case unchecked(Reason)

  /// The reason why a proof is not checked.
  package enum Reason: Sendable, Hashable {
    /// The proof is an intermediate result.
    case notAsked
    /// The claim is over several requests.
    case severalRequests
    /// The checker cannot state the claim, for this reason.
    case unstated(String)
    /// The checker's query was not refuted for requests of a method.
    case unproved(Method)
    /// The limit of the claim's work was reached.
    case spent(Budget.Exhaustion)
    /// The checker refuses a step of the proof.
    case refused(String)

    /// The reason in words.
    package var sentence: String {
      switch self {
      case .notAsked: "the proof checker was not asked"
      case .severalRequests: "a proof over several requests has no steps for the proof checker"
      case .unstated(let reason): reason
      case .unproved(let method):
        "the proof checker knows too little for `\(method.word)`"
      case .spent(let limit): limit.reason
      case .refused(let reason):
        "the proof checker refuses a step (\(reason)), which is a defect of rules-check: please "
          + "report it"
      }
    }

    /// True if prover and checker contradict each other.
    package var isDefect: Bool {
      if case .refused = self { return true }
      return false
    }
  }

  /// The reason why the proof is not checked, as a sentence; empty if it is.
  package var objections: [String] {
    if case .unchecked(let reason) = self { return ["not checked: " + reason.sentence] }
    return []
  }

  /// True if the checker has confirmed the claim.
  package var isChecked: Bool {
    if case .checked = self { return true }
    return false
  }
}

extension ProofChecker {
  /// Confirms a claim by a search for the proof of each query, within a budget.
  ///
  /// - Parameter encodings: What the claims about these rules share.
  static func confirm(
    _ claim: Claim, about rules: Checked, profile: Profile,
    sharing encodings: CheckedEncodings = CheckedEncodings(), within budget: Budget
  ) throws(Unconfirmed) -> ConfirmedClaim {
    let confirmed = try confirm(
      claim, about: rules, profile: profile, sharing: encodings.statements
    ) { question, kind in
      budget.charge(question.extent)
      if budget.isSpent { return nil }
      let translation = encodings.translation(of: question)
      return Refutation(of: question, translated: translation, kind: kind, within: budget)?
        .lines(within: budget)
    }
    budget.charge(confirmed.effort)
    return confirmed
  }
}

extension Unconfirmed {
  /// Returns the reason of a check within a budget.
  func reason(within budget: Budget) -> ProofCheck.Reason {
    switch self {
    case .unstated(let message): .unstated(message)
    case .unproved(let kind):
      budget.exhaustion.map { .spent($0) } ?? .unproved(kind.method)
    case .refused(let kind, let problem): .refused("\(kind.line): \(problem.message)")
    }
  }

  /// The reason in words.
  var reason: String { reason(within: Budget()).sentence }
}
