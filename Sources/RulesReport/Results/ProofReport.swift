public import RulesLang

/// Everything that a report of claims can say.
public struct ProofReport: Sendable {
  /// The claims of one suite, or the one of the command line.
  public struct File: Sendable {
    /// What the claims were read from.
    public var source: SourceText
    /// The rules file, as it was opened.
    public var rulesPath: String
    /// The rules file, as it was read.
    public var rules: SourceText
    /// What came of them, in order.
    public var results: [ClaimResult]

    /// What came of claims about rules.
    public init(
      source: SourceText, rulesPath: String, rules: SourceText, results: [ClaimResult]
    ) {
      self.source = source
      self.rulesPath = rulesPath
      self.rules = rules
      self.results = results
    }
  }

  /// The files with claims, in order.
  public var files: [File]
  /// Why something could not be looked at, in order.
  public var refusals: [Annotation]

  /// A report on the claims of some files, and on what could not be looked at.
  public init(files: [File], refusals: [Annotation] = []) {
    self.files = files
    self.refusals = refusals
  }

  /// What came of all claims.
  public var results: [ClaimResult] { files.flatMap { $0.results } }
}
