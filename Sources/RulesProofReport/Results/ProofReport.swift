package import RulesLang
package import RulesReport

/// All data of a report of claims.
package struct ProofReport: Sendable {
  /// The claims of one suite, or of the command line.
  package struct File: Sendable {
    /// The text of the suite or command line.
    package var source: SourceText
    /// The path with which the rules file was opened.
    package var rulesPath: String
    /// The text of the rules file.
    package var rules: SourceText
    /// The database that the rules are deployed to.
    package var database: DatabaseName
    /// The results of the claims, in order.
    package var results: [ClaimResult]

    /// Creates the results of claims about rules.
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
  /// Errors of files that could not be used, in order.
  package var refusals: [Annotation]

  /// Creates the report of some files, with the errors of others.
  package init(files: [File], refusals: [Annotation] = []) {
    self.files = files
    self.refusals = refusals
  }

  /// The results of all claims.
  package var results: [ClaimResult] { files.flatMap { $0.results } }
}
