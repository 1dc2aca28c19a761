import RulesHost
import RulesLang
import RulesReport

extension Annotation {
  /// Why a command could not do its work, for the reports that programs read.
  init(_ problem: UsageProblem) {
    self.init(about: problem.file ?? "", message: problem.message)
    if let help = problem.help { remarks.append("help: " + help) }
  }

  /// Why a file could not be used.
  init(_ problem: FileProblem) { self.init(about: problem.path, message: problem.message) }
}

extension [Annotation] {
  /// The errors among what is said of a text that cannot be used.
  init(_ diagnostics: [Diagnostic], in source: SourceText) {
    self = diagnostics.filter { $0.severity == .error }.map { Annotation($0, in: source) }
  }
}
