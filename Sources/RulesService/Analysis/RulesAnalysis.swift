package import RulesLang
package import RulesStyle

/// The settings on which findings depend, besides the text.
package struct AnalysisSettings: Sendable {
  /// The profile.
  package var profile: Profile
  /// Levels of codes; others have their default level.
  package var levels: [Code: LintLevel]
  /// True if `ignore` comments silence what they name.
  package var heedsComments = true
  /// Returns the databases that a rules file is deployed to, by the file's name; none if unknown.
  package var databases: @Sendable (String) -> [DatabaseName] = { _ in [] }

  /// Creates settings; without arguments those of a project without configuration.
  package init(profile: Profile = .emulator, levels: [Code: LintLevel] = [:]) {
    self.profile = profile
    self.levels = levels
  }

  /// The linter with these levels.
  package var linter: Linter { Linter(levels: levels, heedsComments: heedsComments) }
}

/// The analysis of one text of rules. Expensive parts are computed on first use.
package final class RulesAnalysis {
  /// The text.
  package let source: SourceText
  /// The syntax, and the rules if they compile.
  package let outcome: Checker.Outcome
  /// The databases that the rules are deployed to; `checked` is about the first.
  package let databases: [DatabaseName]
  /// The rules as deployed to the other databases, if decisions may depend on the database.
  package let others: [Checked]
  /// The settings of the analysis.
  package let settings: AnalysisSettings
  /// All diagnostics without proofs, sorted by place.
  package let diagnostics: [Diagnostic]
  /// Findings that a comment or a level silences, sorted by place.
  package let silenced: [Diagnostic]
  /// The proved facts; nil until they are known.
  package internal(set) var deep: DeepFindings?
  /// The results of the last run of the rules' suites; nil if there was none.
  package internal(set) var runs: RulesRuns?

  /// The result of `check --deep`, once it was requested.
  private var known: DeepCheck.Result?

  /// The tokens and comments.
  private(set) lazy var tokens = TokenList(source)
  /// The meaning of names.
  private(set) lazy var names = NameTable(outcome.ruleset)
  /// The occurrences of names.
  private(set) lazy var symbols = SymbolIndex(names)

  /// Reads and checks a text.
  init(_ source: SourceText, settings: AnalysisSettings) {
    self.source = source
    self.settings = settings
    let databases = settings.databases(source.name)
    let outcome = Checker.checkFirestore(
      source, profile: settings.profile, database: databases.first ?? .standard)
    self.outcome = outcome
    self.databases = databases.isEmpty ? [.standard] : databases
    var others: [Checked] = []
    let read = outcome.checked ?? outcome.mixed
    if let read, databases.count > 1, read.dependsOnDatabase {
      others = databases.dropFirst().map { read.deployed(to: $0) }
    }
    self.others = outcome.checked == nil ? [] : others
    let reviews = read.map { ([$0] + others).map { settings.linter.review($0) } } ?? []
    let told: [Diagnostic] = .holding(of: reviews.map { $0.told })
    silenced = .holding(of: reviews.map { $0.silenced }).filter { !outcome.ruleset.isForeign($0) }
    diagnostics =
      if outcome.checked != nil {
        told
      } else if outcome.mixed != nil {
        // The refusal remains; Firestore's part is still analysed.
        (outcome.diagnostics.filter { $0.code == .foreignService }
          + told.filter { !outcome.ruleset.isForeign($0) }).sortedByPlace()
      } else {
        outcome.diagnostics
      }
  }

  /// The rules; nil if they do not compile.
  package var checked: Checked? { outcome.checked }

  /// The syntax, as far as it could be parsed.
  package var rules: Ruleset { outcome.ruleset }

  /// The diagnostics, with those of proofs once they are known.
  package var allDiagnostics: [Diagnostic] { deep?.diagnostics ?? diagnostics }

  /// The outline of the text.
  package var outline: [OutlineItem] { OutlineItem.all(in: rules) }

  /// Returns the result of `check --deep`, computing it on first use.
  package func proved(by check: () -> DeepCheck.Result) -> DeepCheck.Result {
    if let known { return known }
    let result = check()
    known = result
    return result
  }

  /// Stores the proved facts.
  package func note(_ findings: DeepFindings) { deep = findings }

  /// Stores the results of tests.
  package func note(_ runs: RulesRuns?) { self.runs = runs }
}

extension [Diagnostic] {
  /// Codes of findings that hold for a file only if they hold in each of its databases.
  private static let codesOfUseless: Set<String> = [
    "foreign-database", "default-database", "dead-allow", "covered-allow",
    "redundant-condition", "redundant-guard", "redundant-parameter",
    "redundant-allow", "absorbed-error", "unused-ignore",
  ]

  /// Returns the findings about rules that are deployed to several databases: those in any database, except
  /// that findings of useless parts must hold in each.
  package static func holding(of findings: [[Diagnostic]]) -> [Diagnostic] {
    guard findings.count > 1 else { return findings.first ?? [] }
    func isSame(_ one: Diagnostic, _ other: Diagnostic) -> Bool {
      one.code == other.code && one.range == other.range
    }
    var kept: [Diagnostic] = []
    for one in findings.joined() where !kept.contains(where: { isSame($0, one) }) {
      let count = findings.count { found in found.contains { isSame($0, one) } }
      if count == findings.count || !codesOfUseless.contains(one.code.name) { kept.append(one) }
    }
    return kept.sortedByPlace()
  }
}
