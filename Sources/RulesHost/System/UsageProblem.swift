/// Why a command line cannot be run.
package struct UsageProblem: Error {
  /// What is wrong, in one line.
  package var message: String
  /// How to mend it.
  package var help: String?
  /// The file that it is about, if it is about one.
  package var file: String?

  /// Makes a problem.
  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  /// A file that cannot be read or written.
  package init(_ problem: FileProblem) {
    message = problem.message
    file = problem.path
  }
}
