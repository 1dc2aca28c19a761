package import RulesEval
package import RulesLang

extension ProofChecker {
  /// Confirms for each method that two versions of rules decide requests alike, by steps that `prove`
  /// finds. Every query is encoded here, and every step is checked as if it were read from a certificate;
  /// `prove` need not be trusted.
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
    var confirmed = ConfirmedEquivalence()
    for kind in stated.kinds where confirmed.reasons[kind.method] == nil {
      do throws(Unconfirmed) {
        confirmed.add(effort: try confirmAlike(stated, and: new, for: kind, by: prove))
      } catch {
        confirmed.refuse(kind.method, because: error)
      }
    }
    let missing = claim.methods.methods.filter { method in
      !stated.kinds.contains { $0.method == method }
    }
    for method in missing { confirmed.refuse(method, because: .unstated("there is no request")) }
    confirmed.end(claim.methods)
    return confirmed
  }

  private static func confirmAlike(
    _ stated: StatedClaim, and new: Checked, for kind: RequestKind,
    by prove: (VersionQuestion, RequestKind) -> [String]
  ) throws(Unconfirmed) -> Int {
    let shared: VersionQuestion
    do throws(StatementProblem) {
      shared = try VersionQuestion(stated, and: new, for: kind)
    } catch {
      throw .unstated(error.message)
    }
    return try refute(shared, for: kind, by: prove)
  }

  /// Checks that no request of a kind is decided differently, and returns the number of clause visits.
  private static func refute(
    _ shared: VersionQuestion, for kind: RequestKind,
    by prove: (VersionQuestion, RequestKind) -> [String]
  ) throws(Unconfirmed) -> Int {
    let differences = VersionQuestion.Direction.allCases.map { shared.difference($0) }
    if differences.allSatisfy({ $0.isContradictory }) { return 0 }
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

/// The methods of which the proof checker has confirmed that two versions of rules decide requests alike.
/// Only `ProofChecker` makes one.
package struct ConfirmedEquivalence: Sendable {
  /// The methods in question.
  private var methods = MethodSet([])
  /// The methods that are not confirmed, with the reason.
  package private(set) var reasons: [Method: Unconfirmed] = [:]
  /// The number of clause visits that checking the steps took.
  package private(set) var effort = 0

  fileprivate init() {}

  /// True if the checker has confirmed a method.
  package func contains(_ method: Method) -> Bool {
    methods.contains(method) && reasons[method] == nil
  }

  fileprivate mutating func refuse(_ method: Method, because reason: Unconfirmed) {
    reasons[method] = reason
  }

  fileprivate mutating func add(effort: Int) { self.effort += effort }

  fileprivate mutating func end(_ methods: MethodSet) { self.methods = methods }
}
