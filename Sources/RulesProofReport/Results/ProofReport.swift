package import RulesLang
package import RulesReport

/// Everything that a report of claims can say.
package struct ProofReport: Sendable {
  /// The claims of one suite, or the one of the command line.
  package struct File: Sendable {
    /// What the claims were read from.
    package var source: SourceText
    /// The rules file, as it was opened.
    package var rulesPath: String
    /// The rules file, as it was read.
    package var rules: SourceText
    /// The database that they are deployed to.
    package var database: DatabaseName
    /// What came of them, in order.
    package var results: [ClaimResult]

    /// What came of claims about rules.
    package init(
      source: SourceText, rulesPath: String, rules: SourceText,
      database: DatabaseName = .standard, results: [ClaimResult]
    ) {
      self.source = source
      self.rulesPath = rulesPath
      self.rules = rules
      self.database = database
      self.results = results
    }
  }

  /// The files with claims, in order.
  package var files: [File]
  /// Why something could not be looked at, in order.
  package var refusals: [Annotation]

  /// A report on the claims of some files, and on what could not be looked at.
  package init(files: [File], refusals: [Annotation] = []) {
    self.files = files
    self.refusals = refusals
  }

  /// What came of all claims.
  package var results: [ClaimResult] { files.flatMap { $0.results } }
}
