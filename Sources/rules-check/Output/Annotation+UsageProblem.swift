import RulesHost
import RulesLang
import RulesReport

extension Annotation {
  /// Why a file could not be used.
  init(_ problem: FileProblem) {
    self.init(about: problem.path, message: problem.message, code: .unreadable)
  }
}

extension [Annotation] {
  /// Why a command could not do its work, for the reports that programs read: what is wrong in the text of
  /// a file, each at its place, or else the problem itself.
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

  /// Why a file could not be used.
  init(_ problem: FileProblem) { self = [Annotation(problem)] }

  /// The errors among what is said of a text that cannot be used.
  init(_ diagnostics: [Diagnostic], in source: SourceText) {
    self = diagnostics.filter { $0.severity == .error }.map { Annotation($0, in: source) }
  }
}
