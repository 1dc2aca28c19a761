package import RulesLang

/// A problem with a command line, or with a file that it names.
package struct UsageProblem: Error {
  /// The problem in one line.
  package var message: String
  /// A way to solve it.
  package var help: String?
  /// The file that the problem is about, if any.
  package var file: String?
  /// The kind of problem, for programs.
  package var code: Code

  /// The text of that file, if the problem is in it.
  package private(set) var source: SourceText?
  /// The diagnostics of the text; empty without one.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Creates a problem.
  package init(_ message: String, help: String? = nil, code: Code = .usage) {
    self.message = message
    self.help = help
    self.code = code
  }

  /// Creates the problem of a file with errors in its text.
  ///
  /// - Requires: `diagnostics` is not empty.
  package init(_ message: String, _ diagnostics: [Diagnostic], in source: SourceText) {
    self.message = message
    self.diagnostics = diagnostics
    self.source = source
    file = source.name
    code = diagnostics.first?.code ?? .usage
  }

  /// Creates the problem of a file that cannot be read or written.
  package init(_ problem: FileProblem, code: Code = .unreadable) {
    self.code = code
    message = problem.message
    file = problem.path
  }
}
