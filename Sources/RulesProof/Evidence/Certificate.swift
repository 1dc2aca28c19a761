package import RulesEval
package import RulesLang
package import RulesSolver
package import RulesVerify

extension Certificate {
  /// What came of adding a claim.
  package enum Addition: Sendable {
    /// It is in the certificate.
    case added
    /// There is no certificate of it, for a reason.
    case refused(String)
  }

  /// Adds a claim that was proved. There is no certificate if the checker's own question, which knows
  /// less than the prover's, is not refuted; nothing is written that the checker would refuse.
  package mutating func add(
    _ claim: Claim, about rules: Checked, rulesPath: String, profile: Profile,
    within budget: Budget = Budget()
  ) -> Addition {
    var steps: [String] = []
    do throws(StatementProblem) {
      let stated = try StatedClaim(claim, about: rules, profile: profile)
      for kind in stated.kinds {
        let question = try stated.question(for: kind)
        guard let lines = Refutation(of: question, kind: kind, within: budget)?.lines else {
          return .refused(
            "the checker of certificates knows too little for `\(kind.method.word)`")
        }
        steps += lines
      }
    } catch {
      return .refused(error.message)
    }
    var alone = Certificate()
    alone.add(claim, about: rules, rulesPath: rulesPath, profile: profile, steps: steps)
    do throws(CertificateProblem) {
      for entry in try Certificate.read(alone.bytes) {
        _ = try ProofChecker.check(entry, about: rules)
      }
    } catch {
      return .refused("the checker of certificates refuses the steps: \(error.message)")
    }
    add(claim, about: rules, rulesPath: rulesPath, profile: profile, steps: steps)
    return .added
  }
}
