import RulesEncoding
import RulesLang

// A file with one change says what the file says but for the change: that is compiled once for each kind of
// request, and what tells the two apart is asked of the search that all such questions have in common.

extension RulesComparison {
  /// The changes of one version against its file.
  struct KnownChanges {
    /// The statements whose program may change, in order.
    let statements: [AllowID]
    /// The shared results about the file, which has the same paths as the version.
    let file: SharedComparison
    /// The changed expressions; nil if a statement is for other requests, or if there are new names.
    let parts: ChangedParts?

    /// True if the program of one of the statements may have changed.
    func concerns(_ statements: [Compiler.Statement]) -> Bool {
      statements.contains { self.statements.contains($0.allow) }
    }
  }
}
