import RulesEval
import RulesHost
import RulesLang
import RulesService

/// Answers to questions about one open suite.
struct SuiteAnswers {
  /// The text.
  let document: TextDocument
  /// What is known about it.
  let analysis: SuiteAnalysis
  /// What the editor can do.
  let client: ClientAbilities

  private var coder: LanguageCoder { LanguageCoder(document: document) }

  /// What a key or value means.
  func hover(_ parameters: JSON) throws(CallError) -> JSONText {
    coder.hover(analysis.hover(at: try coder.offset(parameters)))
  }

  /// What can be written at a place.
  func completion(_ parameters: JSON) throws(CallError) -> JSONText {
    let items = analysis.completions(at: try coder.offset(parameters))
    return CompletionCoder(document: document, client: client).json(items)
  }

  /// The groups, tests and claims.
  func symbols() -> JSONText {
    OutlineCoder(document: document, isNested: client.hasNestedSymbols).json(analysis.outline)
  }

  /// What can be folded.
  func folds() -> JSONText { FoldCoder.json(analysis.foldingRanges(in: document)) }

  /// What stands above tests and claims.
  func lenses() -> JSONText { LensCoder(document: document).json(analysis.lenses) }

  /// What is wrong with the suite, and with what its last run has shown.
  var diagnostics: [Diagnostic] {
    var found = analysis.diagnostics
    guard let run = analysis.run else { return found }
    func place(_ range: SourceRange) -> SourceRange { analysis.namePlace(in: range) }
    for test in run.tests where !test.failures.isEmpty {
      found.append(
        Diagnostic(
          .suite, severity: .error,
          message: "\(test.name): " + test.failures.joined(separator: "; "),
          at: place(test.range)))
    }
    for claim in run.claims where !claim.isExpected {
      let reasons = claim.reasons.isEmpty ? "" : ": " + claim.reasons.joined(separator: "; ")
      found.append(
        Diagnostic(
          .suite, severity: claim.isUndecided ? .warning : .error,
          message: "\(claim.name) is \(claim.word)\(reasons)", at: place(claim.range)))
    }
    return found + run.refusals
  }
}
