import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

// The proof checker is asked before the search, with a small part of the claim's steps: what it confirms
// needs no search. If that part was spent, it is asked again about a claim that the search has proved.

/// The answers of the proof checker about one claim. No question is asked twice unless its steps were spent.
final class ClaimCheck {
  private let prover: Prover
  private let claim: Claim
  private var own: Attempt?
  private var never: Attempt?

  /// One answer of the checker.
  private struct Attempt {
    var result: Result<ConfirmedClaim, Unconfirmed>
    /// The reason why the claim is not checked; nil if it is.
    var reason: ProofCheck.Reason?

    var confirmed: ConfirmedClaim? { try? result.get() }

    /// True if more steps may lead to another answer.
    var isSpent: Bool {
      if case .spent? = reason { return true }
      return false
    }
  }

  /// Prepares to ask about a claim of the prover's set.
  init(_ claim: Claim, by prover: Prover) {
    (self.claim, self.prover) = (claim, prover)
  }

  /// Returns the number of kinds of requests, from the first one on, that the checker confirms.
  func confirmedKinds(among scenarios: [Scenario]) -> Int {
    let attempt = ask(claim, share: Strategy.checkShare * Strategy.share)
    own = attempt
    switch attempt.result {
    case .success: return scenarios.count
    case .failure(.unproved(let kind)):
      return scenarios.firstIndex { $0.line == kind.line } ?? 0
    case .failure: return 0
    }
  }

  /// True if the checker confirms the claim, and that nothing in its scope is granted.
  var confirmsNothingGranted: Bool {
    guard own?.confirmed != nil else { return false }
    let attempt = ask(claim.asNever, share: Strategy.checkShare * Strategy.share)
    never = attempt
    return attempt.confirmed != nil
  }

  /// Returns the answer to the proved claim.
  ///
  /// - Parameter grantsNothing: True if the verdict also says that nothing in scope is ever granted.
  func answer(grantsNothing: Bool) -> ProofCheck {
    let own = answer(own, about: claim)
    guard let confirmed = own.confirmed else { return .unchecked(own.reason ?? .notAsked) }
    if !grantsNothing { return .checked(confirmed, grantsNothing: nil) }
    let never = answer(never, about: claim.asNever)
    guard let nothing = never.confirmed else { return .unchecked(never.reason ?? .notAsked) }
    return .checked(confirmed, grantsNothing: nothing)
  }

  private func answer(_ known: Attempt?, about claim: Claim) -> Attempt {
    if let known, !known.isSpent { return known }
    return ask(claim, share: Strategy.checkShare)
  }

  private func ask(_ claim: Claim, share: Int) -> Attempt {
    let part = prover.budget.question(steps: prover.budget.steps / share)
    defer { part.settle() }
    do throws(Unconfirmed) {
      let confirmed = try ProofChecker.confirm(
        claim, about: prover.set.givenRules, profile: prover.set.engine.profile,
        sharing: prover.encodings.checked, within: part)
      return Attempt(result: .success(confirmed))
    } catch {
      return Attempt(result: .failure(error), reason: error.reason(within: part))
    }
  }
}
