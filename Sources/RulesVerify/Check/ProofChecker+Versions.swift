package import RulesEval
package import RulesLang

extension ProofChecker {
  /// Confirms that two versions of rules decide requests alike, by steps that `prove` finds. Every query is
  /// encoded here, and every step is checked as if it were read from a certificate; `prove` need not be
  /// trusted.
  ///
  /// - Parameters:
  ///   - claim: The claim "never" without conditions; its path and methods are those of the requests.
  ///   - prove: Returns the lines of a proof that no request of a kind is decided differently, which unit
  ///     propagation alone does not show.
  package static func confirmAlike(
    _ claim: Claim, from old: Checked, to new: Checked, profile: Profile,
    by prove: (VersionQuestion, RequestKind) -> [String]
  ) throws(Unconfirmed) -> ConfirmedEquivalence {
    guard old.profile == profile, new.profile == profile, old.database == new.database else {
      throw .unstated("the versions are those of different profiles or databases")
    }
    guard claim.given == nil, claim.writes.isEmpty, case .never = claim.obligation else {
      throw .unstated("versions are compared for all requests of a method")
    }
    let stated: StatedClaim
    do throws(StatementProblem) {
      stated = try StatedClaim(claim, about: old, and: new)
    } catch {
      throw .unstated(error.message)
    }
    var effort = 0
    for kind in stated.kinds {
      let shared: VersionQuestion
      do throws(StatementProblem) {
        shared = try VersionQuestion(stated, and: new, for: kind)
      } catch {
        throw .unstated(error.message)
      }
      effort += try refute(shared, for: kind, by: prove)
    }
    return ConfirmedEquivalence(of: claim, effort: effort)
  }

  /// Checks that no request of a kind is decided differently, and returns the number of clause visits.
  private static func refute(
    _ shared: VersionQuestion, for kind: RequestKind,
    by prove: (VersionQuestion, RequestKind) -> [String]
  ) throws(Unconfirmed) -> Int {
    let differences = VersionQuestion.Direction.allCases.map { shared.difference($0) }
    var checker = QuestionChecker(shared.question)
    if differences.allSatisfy({ checker.refutes($0) }) { return checker.effort }
    do throws(CertificateProblem) {
      try checker.take(prove(shared, kind))
    } catch {
      throw .refused(kind, error)
    }
    guard differences.allSatisfy({ checker.refutes($0) }) else { throw .unproved(kind) }
    return checker.effort
  }
}

/// Two versions of rules that the proof checker has confirmed to decide requests alike. Only `ProofChecker`
/// makes one.
package struct ConfirmedEquivalence: Sendable {
  /// The claim whose path and methods are those of the requests.
  package let claim: Claim
  /// The number of clause visits that checking the steps took.
  package let effort: Int

  fileprivate init(of claim: Claim, effort: Int) {
    (self.claim, self.effort) = (claim, effort)
  }
}
