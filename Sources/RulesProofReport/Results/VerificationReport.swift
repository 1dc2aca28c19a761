package import RulesReport
package import RulesVerify

/// The results of `verify-proof`: the claims of each certificate, and whether it proves them.
package struct VerificationReport: Sendable {
  /// The result of one claim of a certificate, or of a whole certificate that cannot be read.
  package struct Finding: Sendable {
    /// The certificate.
    package var file: String
    /// The claim and its rules; nil if the certificate cannot be read.
    package var entry: Certificate.Entry?
    /// The rules file that was checked.
    package var rules: String?
    /// The number of steps that were checked.
    package var steps = 0
    /// The reason why it is refused.
    package var problem: CertificateProblem?

    /// Creates the finding of a claim that is not checked yet.
    package init(file: String, entry: Certificate.Entry, rules: String) {
      self.file = file
      self.entry = entry
      self.rules = rules
    }

    /// Creates the finding of a certificate that cannot be read.
    package init(file: String, problem: CertificateProblem) {
      self.file = file
      self.problem = problem
    }
  }

  /// The result of each claim.
  package var findings: [Finding]
  /// Errors of files that could not be used, in order.
  package var refusals: [Annotation] = []

  /// Creates the report of some claims.
  package init(findings: [Finding]) { self.findings = findings }

  /// The number of refused claims.
  package var refused: Int { findings.filter { $0.problem != nil }.count }
}
