package import RulesLang

/// What findings depend on beside the text.
package struct AnalysisSettings: Sendable {
  /// Whose limits and behaviour hold.
  package var profile: Profile
  /// How loud each code is; others keep their own level.
  package var levels: [Code: LintLevel]
  /// Whether `ignore` comments silence what they name.
  package var heedsComments = true

  /// Settings; without arguments those of a project that has decided nothing.
  package init(profile: Profile = .emulator, levels: [Code: LintLevel] = [:]) {
    self.profile = profile
    self.levels = levels
  }

  /// The linter with these levels.
  package var linter: Linter { Linter(levels: levels, heedsComments: heedsComments) }
}

/// All that is known about one text of rules. What takes longer is found out when it is first asked for.
package final class RulesAnalysis {
  /// The text.
  package let source: SourceText
  /// The syntax, and the rules if they compile.
  package let outcome: Checker.Outcome
  /// What the settings were.
  package let settings: AnalysisSettings
  /// Everything there is to say without proofs, sorted by place.
  package let diagnostics: [Diagnostic]
  /// What a comment or a level silences, sorted by place.
  package let silenced: [Diagnostic]
  /// What was proved; nil until somebody has.
  package internal(set) var deep: DeepFindings?
  /// What the last run of the suites of these rules has shown; nil if there was none.
  package internal(set) var runs: RulesRuns?

  /// What `check --deep` has found out, once somebody has asked.
  private var known: DeepCheck.Result?

  /// The tokens and comments.
  private(set) lazy var tokens = TokenList(source)
  /// What names refer to.
  private(set) lazy var names = NameTable(outcome.ruleset)
  /// Where names stand.
  private(set) lazy var symbols = SymbolIndex(names)

  /// Reads and checks a text.
  init(_ source: SourceText, settings: AnalysisSettings) {
    self.source = source
    self.settings = settings
    outcome = Checker.checkFirestore(source, profile: settings.profile)
    let review = outcome.checked.map { settings.linter.review($0) }
    diagnostics = review?.told ?? outcome.diagnostics
    silenced = review?.silenced ?? []
  }

  /// The rules; nil if they do not compile.
  package var checked: Checked? { outcome.checked }

  /// The syntax, as far as it was understood.
  package var rules: Ruleset { outcome.ruleset }

  /// The diagnostics with what proofs have added to them.
  package var allDiagnostics: [Diagnostic] { deep?.diagnostics ?? diagnostics }

  /// The parts of the text.
  package var outline: [OutlineItem] { OutlineItem.all(in: rules) }

  /// What `check --deep` says of this text; it is asked once.
  package func proved(by check: () -> DeepCheck.Result) -> DeepCheck.Result {
    if let known { return known }
    let result = check()
    known = result
    return result
  }

  /// Notes what was proved of this text.
  package func note(_ findings: DeepFindings) { deep = findings }

  /// Notes what tests have shown of this text.
  package func note(_ runs: RulesRuns?) { self.runs = runs }
}
