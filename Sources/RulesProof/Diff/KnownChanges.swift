import RulesEncoding
import RulesLang

// A version with one known change equals its file everywhere else. The file is compiled once for each
// request class, and queries about the version use the search that all such versions share
// (`KindSearch`).

extension RulesComparison {
  /// The changes of one version against its file.
  struct KnownChanges {
    /// The statements whose program may change, in order.
    let statements: [AllowID]
    /// The shared results about the file, which has the same paths as the version.
    let file: SharedComparison
    /// The changed expressions and functions; nil if the shared compilation does not fit, because
    /// methods change, a new string may be a field name, or the version was parsed again.
    let parts: ChangedParts?

    /// True if the program of one of the statements may have changed.
    func concerns(_ statements: [Compiler.Statement]) -> Bool {
      statements.contains { self.statements.contains($0.allow) }
    }
  }
}
