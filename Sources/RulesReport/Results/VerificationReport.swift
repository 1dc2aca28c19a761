public import RulesVerify

/// What `verify-proof` says: what each certificate claims of which rules, and whether it proves that.
public struct VerificationReport: Sendable {
  /// What came of one claim of a certificate, or of the whole if it cannot be read.
  public struct Finding: Sendable {
    /// The certificate.
    public var file: String
    /// What is claimed of which rules; nil if the certificate cannot be read.
    public var entry: Certificate.Entry?
    /// The rules that were looked at.
    public var rules: String?
    /// The number of steps that were checked.
    public var steps = 0
    /// Why it is refused.
    public var problem: CertificateProblem?

    /// A claim that is yet to be checked.
    public init(file: String, entry: Certificate.Entry, rules: String) {
      self.file = file
      self.entry = entry
      self.rules = rules
    }

    /// A certificate that cannot be read.
    public init(file: String, problem: CertificateProblem) {
      self.file = file
      self.problem = problem
    }
  }

  /// What came of each claim.
  public var findings: [Finding]

  /// A report on some claims.
  public init(findings: [Finding]) { self.findings = findings }

  /// How many claims are refused.
  public var refused: Int { findings.filter { $0.problem != nil }.count }
}
