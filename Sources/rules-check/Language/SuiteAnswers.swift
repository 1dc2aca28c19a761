import RulesEval
import RulesHost
import RulesLang
import RulesProofReport
import RulesReport
import RulesService

/// Answers requests about one open suite.
struct SuiteAnswers {
  /// The text.
  let document: TextDocument
  /// The analysis of the text.
  let analysis: SuiteAnalysis
  /// The abilities of the editor.
  let client: ClientAbilities

  private var coder: LanguageCoder { LanguageCoder(document: document) }

  /// Answers with the documentation of a key or value.
  func hover(_ parameters: JSON) throws(CallError) -> JSONText {
    coder.hover(analysis.hover(at: try coder.offset(parameters)))
  }

  /// Answers with the completions at a position.
  func completion(_ parameters: JSON) throws(CallError) -> JSONText {
    let items = analysis.completions(at: try coder.offset(parameters))
    return CompletionCoder(document: document, client: client).json(items)
  }

  /// Answers with the outline: groups, tests and claims.
  func symbols() -> JSONText {
    OutlineCoder(document: document, isNested: client.hasNestedSymbols).json(analysis.outline)
  }

  /// Answers with the folding ranges.
  func folds() -> JSONText { FoldCoder.json(analysis.foldingRanges(in: document)) }

  /// Answers with the code lenses above tests and claims.
  func lenses() -> JSONText { LensCoder(document: document).json(analysis.lenses) }

  /// The diagnostics of the suite, and those of its last run.
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
    for claim in run.claims where !claim.isPassed {
      let reasons = claim.reasons.isEmpty ? "" : ": " + claim.reasons.joined(separator: "; ")
      found.append(
        Diagnostic(
          .suite, severity: claim.conclusion == .undecided ? .warning : .error,
          message: "\(claim.claim.name) is \(claim.word)\(reasons)",
          at: place(claim.claim.range)))
    }
    return found + run.refusals
  }
}
