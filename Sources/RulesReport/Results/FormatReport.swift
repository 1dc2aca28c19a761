import RulesLang

/// What `fmt` made of each file, or would make of it.
package struct FormatReport: Sendable {
  /// One file.
  package struct File: Sendable {
    /// The path, as the user typed it.
    package var path: String
    /// The text as it was found.
    package var before: [UInt8]
    /// The text in the style.
    package var after: [UInt8]

    /// A file before and after.
    package init(path: String, before: [UInt8], after: [UInt8]) {
      self.path = path
      self.before = before
      self.after = after
    }

    /// Whether the file is not in the style as it was found.
    package var isChanged: Bool { before != after }
  }

  /// The files that could be read and laid out, in the order in which they were named.
  package var files: [File] = []
  /// Why a file could not be laid out, in order.
  package var refusals: [Annotation] = []
  /// Notices about skipped files.
  package var notices: [ProjectNotice] = []
  /// Whether files are left as they are.
  package var isCheck: Bool

  /// No file yet.
  package init(isCheck: Bool) { self.isCheck = isCheck }

  /// How many files are not in the style as they were found.
  package var changed: Int { files.count { $0.isChanged } }

  /// How many files were changed or would be, in one line.
  var summary: String {
    let word = isCheck ? "would change" : "changed"
    let rest = files.count - changed
    return "\(count(changed)) \(word), \(count(rest)) in the style already"
  }

  private func count(_ number: Int) -> String { number.of("file") }
}
