import RulesEval
package import RulesLang
package import RulesProof
package import RulesProofReport
import RulesReport
package import RulesSolver
package import RulesStyle

/// The proving part of `check`: finds conditions that clients can make true themselves, proves which parts
/// decide nothing, and removes these on request.
package struct DeepCheck {
  /// The result for one file.
  package struct Result {
    /// The rules, without the parts that were removed.
    package var rules: Checked
    /// All diagnostics.
    package var diagnostics: [Diagnostic]
    /// Findings that a comment or a level silences, sorted by place.
    package var silenced: [Diagnostic]
    /// Counts of the questions that were asked.
    package var counts: CheckReport.DeepCounts
    /// The parts that were removed.
    package var removed: [CheckReport.Removed]
    /// The number of parts that the prover called redundant and a request refuted.
    package var missed = 0
  }

  private let linter: Linter
  private let profile: Profile
  private let steps: Int

  /// Creates a check; `steps` is the maximum effort of one question.
  package init(_ linter: Linter, profile: Profile, steps: Int = Budget.questionSteps) {
    self.linter = linter
    self.profile = profile
    self.steps = steps
  }

  /// Maximum rounds of removals: each can make further parts redundant.
  private static let greatestRounds = 8

  /// Checks one file, within one budget for all of its questions.
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

  /// Maximum findings for which single removals are offered: each takes a comparison of its own.
  private static let mostRemovals = 20

  /// Returns the removals of one finding each; none if there are more than 20 findings.
  ///
  /// - Parameter report: The findings, if they are known.
  package func edits(
    takingOutOneOf found: [Diagnostic], from rules: Checked,
    knowing report: RedundancyReport? = nil,
    within budget: Budget
  ) -> [DeepFindings.Removal] {
    let proved = Set(Lints.all.filter { $0.isProved }.map { $0.code.name })
    let loud = found.filter { proved.contains($0.code.name) && $0.severity >= .warning }
    if loud.isEmpty || loud.count > Self.mostRemovals { return [] }
    let look = report.map { Look(report: $0, told: found, of: rules) } ?? look(at: rules, budget)
    return removals(of: look, from: rules, within: budget).map { removal in
      DeepFindings.Removal(
        said: removal.said,
        edits: TextDifference.edits(from: rules.ruleset.source, to: removal.rules))
    }
  }

  /// Returns, for each finding that is a warning or an error, the text without the redundant part, which is
  /// proved to decide every request alike.
  private func removals(
    of found: Look, from rules: Checked, within budget: Budget
  ) -> [Removal] {
    found.report.findings.filter { isWanted($0, found) }.compactMap { finding in
      var repair = RedundancyRepair(Engine(rules, profile: profile), within: budget)
      guard !repair.remove([finding]).isEmpty else { return nil }
      return Removal(
        said: found.said(of: finding), rules: repair.rules.ruleset.source)
    }
  }

  /// A part that can be removed.
  private struct Removal {
    /// The diagnostic.
    var said: Diagnostic
    /// The text without the part.
    var rules: SourceText
  }

  /// The analysis of one version of the rules in a round.
  private struct Look {
    var report: RedundancyReport
    var result: Result

    init(report: RedundancyReport, result: Result) {
      (self.report, self.result) = (report, result)
    }

    /// Takes what was found before.
    init(report: RedundancyReport, told: [Diagnostic], of rules: Checked) {
      self.report = report
      result = Result(
        rules: rules, diagnostics: told, silenced: [],
        counts: CheckReport.DeepCounts(questions: report.questions, open: report.openCount),
        removed: [])
    }

    func said(of finding: RedundancyFinding) -> Diagnostic {
      report.diagnostic(of: finding, in: result.rules)
    }
  }

  private func look(at rules: Checked, _ budget: Budget) -> Look {
    // Holes are searched for first: the budget may not suffice for everything.
    var found = EscalationSearch(rules, profile: profile, notes: false) {
      budget.question(steps: steps)
    }.all()
    var search = RedundancySearch(
      Engine(rules, profile: profile), within: budget, steps: steps)
    let report = search.run()
    found.removeDead(after: report, in: rules)
    let proved = Self.diagnostics(of: report, found, in: rules)
    // The findings report the other statements.
    let unknown = found.filter { !$0.openReasons.isEmpty }.count
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

  private static func diagnostics(
    of report: RedundancyReport, _ escalations: [Escalation], in rules: Checked
  ) -> [Diagnostic] {
    report.diagnostics(in: rules) + escalations.diagnostics(in: rules)
      + escalations.openQuestions(in: rules)
  }

  /// Returns the diagnostics of what is known so far.
  ///
  /// - Parameter isComplete: False if more findings follow.
  func diagnostics(
    of report: RedundancyReport, _ escalations: [Escalation], knowing facts: LintFacts,
    in rules: Checked, isComplete: Bool
  ) -> [Diagnostic] {
    var escalations = escalations
    escalations.removeDead(after: report, in: rules)
    let proved = Self.diagnostics(of: report, escalations, in: rules)
    return linter.review(rules, proved: proved, knowing: facts, isComplete: isComplete).told
  }

  /// True if a finding is reported as a warning or an error.
  private func isWanted(_ finding: RedundancyFinding, _ look: Look) -> Bool {
    let said = look.said(of: finding)
    return look.result.diagnostics.contains {
      $0.code == said.code && $0.severity >= .warning
        && ($0.range == said.range
          || $0.related.contains { !$0.isPictured && $0.range == said.range })
    }
  }
}

extension [Escalation] {
  /// Removes the undecided ones of statements that never grant anything.
  fileprivate mutating func removeDead(after report: RedundancyReport, in rules: Checked) {
    let dead = report.findings.compactMap { finding -> AllowID? in
      guard case .neverGrants(let allow, let methods) = finding.kind,
        methods == rules.methods[allow.index]
      else { return nil }
      return allow
    }
    removeAll { !$0.openReasons.isEmpty && dead.contains($0.allow) }
  }
}
