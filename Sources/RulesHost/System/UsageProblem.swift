package import RulesLang

/// Why a command line cannot be run.
package struct UsageProblem: Error {
  /// What is wrong, in one line.
  package var message: String
  /// How to mend it.
  package var help: String?
  /// The file that it is about, if it is about one.
  package var file: String?
  /// What kind of problem it is, for programs.
  package var code: Code

  /// The text of that file, if it is what is wrong.
  package private(set) var source: SourceText?
  /// What is wrong in the text; empty without one.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Makes a problem.
  package init(_ message: String, help: String? = nil, code: Code = .usage) {
    self.message = message
    self.help = help
    self.code = code
  }

  /// A file whose text is wrong, in a sentence and at the places; there is at least one.
  package init(_ message: String, _ diagnostics: [Diagnostic], in source: SourceText) {
    self.message = message
    self.diagnostics = diagnostics
    self.source = source
    file = source.name
    code = diagnostics.first?.code ?? .usage
  }

  /// A file that cannot be read or written.
  package init(_ problem: FileProblem, code: Code = .unreadable) {
    self.code = code
    message = problem.message
    file = problem.path
  }
}
