package import RulesEval
package import RulesLang
package import RulesSolver
package import RulesVerify

extension Certificate {
  /// The result of adding a claim.
  package enum Addition: Sendable {
    /// The claim is in the certificate.
    case added
    /// The claim has no certificate, for this reason.
    case refused(String)
  }

  /// Adds a proved claim. Refused if the checker's own query, which has fewer axioms than the
  /// prover's, cannot be refuted, or the checker rejects the steps.
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
