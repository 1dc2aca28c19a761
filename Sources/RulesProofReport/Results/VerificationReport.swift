package import RulesReport
package import RulesVerify

/// What `verify-proof` says: what each certificate claims of which rules, and whether it proves that.
package struct VerificationReport: Sendable {
  /// What came of one claim of a certificate, or of the whole if it cannot be read.
  package struct Finding: Sendable {
    /// The certificate.
    package var file: String
    /// What is claimed of which rules; nil if the certificate cannot be read.
    package var entry: Certificate.Entry?
    /// The rules that were looked at.
    package var rules: String?
    /// The number of steps that were checked.
    package var steps = 0
    /// Why it is refused.
    package var problem: CertificateProblem?

    /// A claim that is yet to be checked.
    package init(file: String, entry: Certificate.Entry, rules: String) {
      self.file = file
      self.entry = entry
      self.rules = rules
    }

    /// A certificate that cannot be read.
    package init(file: String, problem: CertificateProblem) {
      self.file = file
      self.problem = problem
    }
  }

  /// What came of each claim.
  package var findings: [Finding]
  /// Why something could not be looked at, in order.
  package var refusals: [Annotation] = []

  /// A report on some claims.
  package init(findings: [Finding]) { self.findings = findings }

  /// How many claims are refused.
  package var refused: Int { findings.filter { $0.problem != nil }.count }
}
