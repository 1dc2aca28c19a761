import RulesEval
package import RulesLang
import RulesProof
import RulesReport
package import RulesSolver
import RulesStyle

/// Proved facts about one text of rules: parts that decide nothing, and the access that statements give.
package struct DeepFindings: Sendable {
  /// A change of the text that is proved to change no decision.
  package struct Removal: Sendable {
    /// The diagnostic.
    package var said: Diagnostic
    /// The change.
    package var edits: [TextEdit]
  }

  /// All diagnostics, with and without proofs, sorted by place.
  package var diagnostics: [Diagnostic]
  /// Removals of redundant parts, one at a time.
  package var removals: [Removal] = []
  /// The edits that remove all redundant parts at once, as `check --fix` does; empty if there are none.
  package var fixAll: [TextEdit] = []
  /// The access that each statement gives, in the order of the text.
  package var access: [AllowAccess] = []
  /// The number of parts that the prover called redundant and a request refuted: defects of the prover.
  package var missed = 0
  /// True while more facts are being proved.
  package var isPartial = false
}

/// Proves facts about a text for editors: in the background, and cancellable.
package struct DeepAnalysis: Sendable {
  private let rules: Checked
  private let settings: AnalysisSettings

  /// Prepares the analysis of rules.
  package init(_ rules: Checked, settings: AnalysisSettings) {
    self.rules = rules
    self.settings = settings
  }

  /// Runs the analysis; `budget` makes a budget for each part. Nil if it was cancelled, because a partial
  /// result is none.
  package func run(within budget: @escaping () -> Budget, isCancelled: () -> Bool) -> DeepFindings?
  {
    let check = DeepCheck(settings.linter, profile: settings.profile)
    let found = check.run(rules, isFixing: false, within: budget())
    if isCancelled() { return nil }
    var findings = DeepFindings(diagnostics: found.diagnostics, missed: found.missed)
    let auditor = Auditor(
      rules, profile: settings.profile, examples: .ofFindings, checks: false, asking: budget)
    findings.access = AllowAccess.all(in: rules, of: auditor.matrix().paths)
    if isCancelled() { return nil }
    findings.removals = check.edits(
      takingOutOneOf: found.diagnostics, from: rules, within: budget())
    if isCancelled() { return nil }
    // If none can be removed alone, all of them together cannot be removed either.
    if findings.removals.isEmpty { return findings }
    let source = rules.ruleset.source
    let fixed = check.run(rules, isFixing: true, within: budget())
    if isCancelled() { return nil }
    findings.fixAll = TextDifference.edits(from: source, to: fixed.rules.ruleset.source)
    return findings
  }
}

/// The difference of two texts.
enum TextDifference {
  /// Returns one edit that replaces everything between the common beginning and the common end; none if the
  /// texts are equal.
  static func edits(from old: SourceText, to new: SourceText) -> [TextEdit] {
    let (before, after) = (old.bytes, new.bytes)
    let shorter = min(before.count, after.count)
    var start = 0
    while start < shorter, before[start] == after[start] { start += 1 }
    if start == before.count, start == after.count { return [] }
    // Code points are replaced as a whole.
    while start > 0, start < before.count, before[start] & 0xC0 == 0x80 { start -= 1 }
    while start > 0, start < after.count, after[start] & 0xC0 == 0x80 { start -= 1 }
    var end = 0
    while end < shorter - start, before[before.count - 1 - end] == after[after.count - 1 - end] {
      end += 1
    }
    while end > 0, before[before.count - end] & 0xC0 == 0x80 { end -= 1 }
    let text = String(decoding: after[start..<(after.count - end)], as: UTF8.self)
    return [TextEdit(SourceRange(start: start, end: before.count - end), text: text)]
  }
}
