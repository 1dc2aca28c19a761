import RulesEncoding
import RulesLang

// A file with one change says what the file says but for the change: that is compiled once for each kind of
// request, and what tells the two apart is asked of the search that all such questions have in common.

extension RulesComparison {
  /// What a version of a file changes of it.
  struct KnownChanges {
    /// The statements that can become another program, in order.
    let statements: [AllowID]
    /// Knows the paths of the file, which are those of the version, too.
    let file: SharedComparison
    /// What is not the same; nil if a statement is for other requests, or if there are new names.
    let parts: ChangedParts?

    /// Whether one of some statements can have become another program.
    func concerns(_ statements: [Compiler.Statement]) -> Bool {
      statements.contains { self.statements.contains($0.allow) }
    }
  }
}
