import RulesEval
package import RulesLang
import RulesProof
package import RulesProofReport
import RulesReport
package import RulesSolver
package import RulesStyle

/// The part of `check` that finds what clients can make true, proves what decides nothing, and takes that
/// out if it is wanted.
package struct DeepCheck {
  /// What came of one file.
  package struct Result {
    /// The rules, without what was taken out.
    package var rules: Checked
    /// Everything there is to say about them.
    package var diagnostics: [Diagnostic]
    /// Findings that a comment or a level silences, sorted by place.
    package var silenced: [Diagnostic]
    /// How much was asked.
    package var counts: CheckReport.DeepCounts
    /// What was taken out.
    package var removed: [CheckReport.Removed]
    /// How much was taken for redundant until a request showed otherwise.
    package var missed = 0
  }

  private let linter: Linter
  private let profile: Profile
  private let steps: Int

  /// Takes the settings; one question may take so many steps.
  package init(_ linter: Linter, profile: Profile, steps: Int = Budget.questionSteps) {
    self.linter = linter
    self.profile = profile
    self.steps = steps
  }

  /// So many times what is left is looked at again: what was taken out can leave more redundant.
  private static let greatestRounds = 8

  /// Looks at one file; the budget is for all of it.
  package func run(_ rules: Checked, isFixing: Bool, within budget: Budget) -> Result {
    var result = look(at: rules, budget)
    guard isFixing else { return result.result }
    var removed: [CheckReport.Removed] = []
    var missed = 0
    var repair = RedundancyRepair(Engine(rules, profile: profile), within: budget)
    for _ in 0..<Self.greatestRounds {
      let wanted = result.report.findings.filter { isWanted($0, result) }
      let taken = repair.remove(wanted)
      if taken.isEmpty { break }
      for part in taken {
        removed.append(
          CheckReport.Removed(
            part, in: rules.ruleset.source, saying: result.said(of: part.finding)))
      }
      missed += result.result.missed
      result = look(at: repair.rules, budget)
    }
    result.result.removed = removed.sorted { $0.offset < $1.offset }
    result.result.missed += missed
    return result.result
  }

  /// Most findings that are taken out one at a time: each takes a comparison of its own.
  private static let mostRemovals = 20

  /// Returns the edits that take out one finding each, for the findings of a look at the rules; none if they
  /// are more than 20.
  package func edits(
    takingOutOneOf found: [Diagnostic], from rules: Checked, within budget: Budget
  ) -> [DeepFindings.Removal] {
    let proved = Set(Lints.all.filter { $0.isProved }.map { $0.code.name })
    let loud = found.filter { proved.contains($0.code.name) && $0.severity >= .warning }
    if loud.isEmpty || loud.count > Self.mostRemovals { return [] }
    return removals(from: rules, within: budget).map { removal in
      DeepFindings.Removal(
        said: removal.said,
        edits: TextDifference.edits(from: rules.ruleset.source, to: removal.rules))
    }
  }

  /// What each finding of rules that is loud enough can be taken out by, one at a time: the text without it,
  /// which is proved to decide every request alike.
  private func removals(from rules: Checked, within budget: Budget) -> [Removal] {
    let found = look(at: rules, budget)
    return found.report.findings.filter { isWanted($0, found) }.compactMap { finding in
      var repair = RedundancyRepair(Engine(rules, profile: profile), within: budget)
      guard !repair.remove([finding]).isEmpty else { return nil }
      return Removal(
        said: found.said(of: finding), rules: repair.rules.ruleset.source)
    }
  }

  /// Something that can be taken out.
  private struct Removal {
    /// What is said of it.
    var said: Diagnostic
    /// The text without it.
    var rules: SourceText
  }

  /// One look at a version of the rules.
  private struct Look {
    var report: RedundancyReport
    var result: Result

    func said(of finding: RedundancyFinding) -> Diagnostic {
      report.diagnostic(of: finding, in: result.rules)
    }
  }

  private func look(at rules: Checked, _ budget: Budget) -> Look {
    // Holes are looked for first: the budget may not be enough for all.
    var found = EscalationSearch(rules, profile: profile, notes: false) {
      budget.question(steps: steps)
    }.all()
    var search = RedundancySearch(
      Engine(rules, profile: profile), within: budget, steps: steps)
    let report = search.run()
    let dead = report.findings.compactMap { finding -> AllowID? in
      guard case .neverGrants(let allow, let methods) = finding.kind,
        methods == rules.methods[allow.index]
      else { return nil }
      return allow
    }
    found.removeAll { !$0.doubts.isEmpty && dead.contains($0.allow) }
    let proved =
      report.diagnostics(in: rules) + found.diagnostics(in: rules) + found.openQuestions(in: rules)
    // The findings tell of the other statements.
    let unknown = found.filter { !$0.doubts.isEmpty }.count
    let counts = CheckReport.DeepCounts(
      questions: report.questions + unknown, open: report.openCount + unknown)
    let facts = LintTrial(rules, profile: profile, within: budget, steps: steps)
      .facts(after: report.findings)
    let review = linter.review(rules, proved: proved, knowing: facts)
    return Look(
      report: report,
      result: Result(
        rules: rules, diagnostics: review.told, silenced: review.silenced,
        counts: counts, removed: [], missed: report.missed.count))
  }

  /// Whether a finding is told, and loud enough to be acted on.
  private func isWanted(_ finding: RedundancyFinding, _ look: Look) -> Bool {
    let said = look.said(of: finding)
    return look.result.diagnostics.contains {
      $0.code == said.code && $0.severity >= .warning
        && ($0.range == said.range
          || $0.related.contains { !$0.isPictured && $0.range == said.range })
    }
  }
}
