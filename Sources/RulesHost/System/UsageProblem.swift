public import RulesLang

/// Why a command line cannot be run.
public struct UsageProblem: Error {
  /// What is wrong, in one line.
  public var message: String
  /// How to mend it.
  public var help: String?
  /// The file that it is about, if it is about one.
  public var file: String?

  /// The text of that file, if it is what is wrong.
  public private(set) var source: SourceText?
  /// What is wrong in the text; empty without one.
  public private(set) var diagnostics: [Diagnostic] = []

  /// Makes a problem.
  public init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  /// A file whose text is wrong, in a sentence and at the places; there is at least one.
  public init(_ message: String, _ diagnostics: [Diagnostic], in source: SourceText) {
    self.message = message
    self.diagnostics = diagnostics
    self.source = source
    file = source.name
  }

  /// A file that cannot be read or written.
  public init(_ problem: FileProblem) {
    message = problem.message
    file = problem.path
  }
}
