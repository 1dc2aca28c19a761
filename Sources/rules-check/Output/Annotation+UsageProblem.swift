import RulesHost
import RulesLang
import RulesReport

extension Annotation {
  /// Creates the annotation of a file that could not be used.
  init(_ problem: FileProblem) {
    self.init(about: problem.path, message: problem.message, code: .unreadable)
  }
}

extension [Annotation] {
  /// Creates the annotations of a command that could not run: the errors in a file's text, each at its place,
  /// or else the problem itself.
  init(_ problem: UsageProblem) {
    if let source = problem.source {
      self.init(problem.diagnostics, in: source)
    } else {
      var whole = Annotation(
        about: problem.file ?? "", message: problem.message, code: problem.code)
      whole.help = problem.help
      if let help = problem.help { whole.remarks.append("help: " + help) }
      self = [whole]
    }
  }

  /// Creates the annotations of a file that could not be used.
  init(_ problem: FileProblem) { self = [Annotation(problem)] }

  /// Creates the annotations of the errors among the diagnostics of a text that cannot be used.
  init(_ diagnostics: [Diagnostic], in source: SourceText) {
    self = diagnostics.filter { $0.severity == .error }.map { Annotation($0, in: source) }
  }
}
