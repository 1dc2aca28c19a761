package import RulesLang
package import RulesStyle

/// What findings depend on beside the text.
package struct AnalysisSettings: Sendable {
  /// Whose limits and behaviour hold.
  package var profile: Profile
  /// How loud each code is; others keep their own level.
  package var levels: [Code: LintLevel]
  /// True if `ignore` comments silence what they name.
  package var heedsComments = true
  /// The databases that a rules file is deployed to, by its name; none where nobody says.
  package var databases: @Sendable (String) -> [DatabaseName] = { _ in [] }

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
  /// The databases that the rules are deployed to; the first is that of `checked`.
  package let databases: [DatabaseName]
  /// The rules as they are deployed to the other databases, if they tell them apart.
  package let others: [Checked]
  /// What the settings were.
  package let settings: AnalysisSettings
  /// Everything there is to say without proofs, sorted by place.
  package let diagnostics: [Diagnostic]
  /// Findings that a comment or a level silences, sorted by place.
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
        // The refusal stands; Firestore's part is looked at all the same.
        (outcome.diagnostics.filter { $0.code == .foreignService }
          + told.filter { !outcome.ruleset.isForeign($0) }).sortedByPlace()
      } else {
        outcome.diagnostics
      }
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

extension [Diagnostic] {
  /// Codes of findings that hold for a file only if they hold in each of its databases.
  private static let codesOfUseless: Set<String> = [
    "foreign-database", "default-database", "dead-allow", "covered-allow",
    "redundant-condition", "redundant-guard", "redundant-parameter",
    "redundant-allow", "absorbed-error", "unused-ignore",
  ]

  /// Returns the findings about rules that are deployed to several databases: those of any database, but that
  /// a part has no effect only if it has none in each.
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
