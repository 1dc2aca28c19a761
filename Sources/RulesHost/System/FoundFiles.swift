import RulesLang

/// What a search for files came to.
package struct FoundFiles {
  /// The files, in order.
  package var files: [String] = []
  /// What may be wanted and cannot be had: passing over it in silence, a suite would fail unseen.
  package var problems: [FileProblem] = []
  /// What was passed over and may have led to more.
  package var remarks: [FileProblem] = []
  /// Folders that were named and have none of the files.
  package var empty: [String] = []

  /// Nothing yet, unless it is given.
  package init(
    files: [String] = [], problems: [FileProblem] = [], remarks: [FileProblem] = []
  ) {
    self.files = files
    self.problems = problems
    self.remarks = remarks
  }

  /// Adds what another search came to.
  package static func += (found: inout FoundFiles, more: FoundFiles) {
    found.files += more.files
    found.problems += more.problems
    found.remarks += more.remarks
    found.empty += more.empty
  }

  /// The files for a command that does not go on without all of them.
  package func complete() throws(UsageProblem) -> [String] {
    if let problem = problems.first { throw UsageProblem(problem) }
    return files
  }
}
