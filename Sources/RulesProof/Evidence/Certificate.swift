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

  /// Adds a proved claim. Refused if the proof checker does not confirm it.
  package mutating func add(
    _ claim: Claim, about rules: Checked, rulesPath: String, profile: Profile,
    within budget: Budget = Budget()
  ) -> Addition {
    do throws(Unconfirmed) {
      let confirmed = try ProofChecker.confirm(
        claim, about: rules, profile: profile, within: budget)
      add(confirmed, rulesPath: rulesPath)
      return .added
    } catch {
      return .refused(error.reason)
    }
  }
}
