import RulesLang

/// The result of `fmt` for each file.
package struct FormatReport: Sendable {
  /// One file.
  package struct File: Sendable {
    /// The path, as the user typed it.
    package var path: String
    /// The text before formatting.
    package var before: [UInt8]
    /// The text after formatting.
    package var after: [UInt8]

    /// Creates the result of a file.
    package init(path: String, before: [UInt8], after: [UInt8]) {
      self.path = path
      self.before = before
      self.after = after
    }

    /// True if formatting changes the file.
    package var isChanged: Bool { before != after }
  }

  /// The files that could be read and formatted, in the order in which they were named.
  package var files: [File] = []
  /// Errors of files that could not be formatted, in order.
  package var refusals: [Annotation] = []
  /// Notices about skipped files.
  package var notices: [ProjectNotice] = []
  /// True if files are only checked, not written.
  package var isCheck: Bool

  /// Creates an empty report.
  package init(isCheck: Bool) { self.isCheck = isCheck }

  /// The number of files that formatting changes.
  package var changed: Int { files.count { $0.isChanged } }

  /// The number of changed files, or of those that would change, in one line.
  var summary: String {
    let word = isCheck ? "would change" : "changed"
    let rest = files.count - changed
    return "\(count(changed)) \(word), \(count(rest)) in the style already"
  }

  private func count(_ number: Int) -> String { number.of("file") }
}
