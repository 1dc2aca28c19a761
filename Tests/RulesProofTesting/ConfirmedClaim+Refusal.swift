import RulesLang
import RulesVerify

extension ConfirmedClaim {
  /// Returns the reason why `verify-proof` refuses the certificate of the claim; nil if it confirms it.
  func refusal(about rules: Checked) -> String? {
    var certificate = Certificate()
    certificate.add(self, rulesPath: "test.rules")
    do throws(CertificateProblem) {
      for entry in try Certificate.read(certificate.bytes) {
        _ = try ProofChecker.check(entry, about: rules)
      }
      return nil
    } catch {
      return error.message
    }
  }
}
