import RulesLang

/// The result of a file search.
package struct FoundFiles {
  /// The files, in order.
  package var files: [String] = []
  /// Possible matches that cannot be read. They are reported, because a suite that is skipped silently would
  /// fail unnoticed.
  package var problems: [FileProblem] = []
  /// Skipped paths that may lead to matches.
  package var remarks: [FileProblem] = []
  /// The searched folders without a match.
  package var empty: [String] = []

  /// Creates a result.
  package init(
    files: [String] = [], problems: [FileProblem] = [], remarks: [FileProblem] = []
  ) {
    self.files = files
    self.problems = problems
    self.remarks = remarks
  }

  /// Adds the result of another search.
  package static func += (found: inout FoundFiles, more: FoundFiles) {
    found.files += more.files
    found.problems += more.problems
    found.remarks += more.remarks
    found.empty += more.empty
  }

  /// Returns the files for a command that needs all of them; throws the first problem.
  package func complete() throws(UsageProblem) -> [String] {
    if let problem = problems.first { throw UsageProblem(problem) }
    return files
  }
}
