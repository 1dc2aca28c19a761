import RulesEval
package import RulesLang
import RulesProof
import RulesReport
package import RulesSolver
import RulesStyle

/// Proves facts about the match blocks of a text, each by itself.
package struct BlockProver: Sendable {
  /// The rules.
  let rules: Checked
  /// The settings.
  let settings: AnalysisSettings
  /// The blocks.
  let plan: BlockPlan
  private let tokens: [SourceRange]
  private let shelf: ProofShelf

  /// The facts about the blocks of one unit.
  package struct Answers: Sendable {
    /// The blocks with those on which their decisions depend.
    let excerpt: RulesExcerpt
    /// The access that the unit's statements give, in the original.
    var access: [AllowAccess]
    /// The parts that decide nothing, in the excerpt.
    var report: RedundancyReport
    /// The conditions that clients can make true, in the original.
    var escalations: [Escalation]
  }

  /// The result for one unit.
  package enum Outcome: Sendable {
    case proved(Answers)
    /// The time was over, or the work was cancelled.
    case stopped
    /// The blocks cannot be proved by themselves.
    case inseparable
  }

  /// Prepares for rules; nil if their blocks can only be proved together.
  package init?(_ rules: Checked, settings: AnalysisSettings, shelf: ProofShelf = .none) {
    guard rules.ruleset.source.bytes.count <= Limits.documentedSourceBytes,
      let plan = BlockPlan(rules)
    else { return nil }
    (self.rules, self.settings, self.plan, self.shelf) = (rules, settings, plan, shelf)
    tokens = rules.ruleset.source.tokenRanges
  }

  /// The number of units.
  package var count: Int { plan.units.count }

  /// Returns the units by their distance from an offset.
  package func order(around offset: UInt32) -> [Int] {
    func distance(_ unit: Int) -> (gap: Int, size: Int, place: Int) {
      let ranges = plan.units[unit].blocks.map { rules.ruleset[$0].range }
      let gap = ranges.map { range in
        Int(max(range.start, offset) - offset) + Int(max(range.end, offset) - range.end)
      }.min()
      return (gap ?? 0, ranges[0].count, unit)
    }
    return plan.units.indices.map { distance($0) }.sorted { $0 < $1 }.map { $0.place }
  }

  private func key(
    _ kind: ProofMemory.Key.Kind, _ content: [UInt8], allows: Set<AllowID> = [],
    functions: Set<FunctionID> = []
  ) -> ProofMemory.Key {
    ProofMemory.Key(
      kind: kind, setting: settings.profile.rawValue + " " + String(rules.database.text),
      content: content, allows: allows.map { $0.index }.sorted(),
      functions: functions.map { $0.index }.sorted())
  }

  private func excerpt(
    _ blocks: Set<MatchID>, _ layout: RulesExcerpt.Layout
  ) -> RulesExcerpt? {
    RulesExcerpt(of: rules, keeping: blocks, tokens: tokens, layout: layout)
  }

  // MARK: Blocks

  /// Proves the facts about one unit.
  ///
  /// - Parameter budget: Creates a budget for each part.
  package func prove(_ unit: Int, within budget: () -> Budget) -> Outcome {
    let unit = plan.units[unit]
    guard let near = excerpt(unit.near, .compact), let far = excerpt(unit.far, .inPlace) else {
      return .inseparable
    }
    guard let (access, report) = decisions(unit, in: near, within: budget),
      let escalations = escalations(unit, in: far, within: budget)
    else { return .stopped }
    let placed = access.map { one in
      var copy = one
      copy.allow = near.original(one.allow)
      copy.place = rules.ruleset[copy.allow].operationsRange.end
      return copy
    }
    return .proved(
      Answers(
        excerpt: near, access: placed, report: report,
        escalations: escalations.map { far.original($0) }))
  }

  private func decisions(
    _ unit: BlockPlan.Unit, in excerpt: RulesExcerpt, within budget: () -> Budget
  ) -> ([AllowAccess], RedundancyReport)? {
    let allows = excerpt.statements(of: unit.allows)
    let functions = excerpt.functions(of: unit.own)
    let key = key(.decisions, excerpt.content, allows: allows, functions: functions)
    if case .decisions(let access, let report)? = shelf.recall(key) { return (access, report) }
    let rules = excerpt.rules
    let whole = budget()
    if whole.lateness != nil { return nil }
    let auditor = Auditor(
      rules, profile: settings.profile, validation: .ofEditors, checks: false
    ) {
      whole.question(steps: Budget.questionSteps)
    }
    let paths = auditor.answers(of: allows)
    let access = AllowAccess.all(in: rules, of: paths).filter { allows.contains($0.allow) }
    var search = RedundancySearch(
      Engine(rules, profile: settings.profile), within: whole, steps: Budget.questionSteps,
      of: RedundancySearch.Scope(statements: allows, functions: functions))
    let report = search.run()
    if whole.lateness != nil { return nil }
    shelf.keep(.decisions(access, report), key)
    return (access, report)
  }

  private func escalations(
    _ unit: BlockPlan.Unit, in excerpt: RulesExcerpt, within budget: () -> Budget
  ) -> [Escalation]? {
    let allows = excerpt.statements(of: unit.allows)
    let key = key(.escalations, excerpt.content, allows: allows)
    if case .escalations(let known)? = shelf.recall(key) { return known }
    let whole = budget()
    if whole.lateness != nil { return nil }
    let found = EscalationSearch(excerpt.rules, profile: settings.profile, notes: false) {
      whole.question(steps: Budget.questionSteps)
    }.all(of: allows)
    if whole.lateness != nil { return nil }
    shelf.keep(.escalations(found), key)
    return found
  }

  // MARK: Functions

  /// Returns the parts of functions that decide nothing for the blocks of one unit; nil if the time is over.
  func report(
    on functions: Set<FunctionID>, for answers: Answers, within budget: () -> Budget
  ) -> RedundancyReport? {
    let excerpt = answers.excerpt
    let asked = excerpt.functions(of: functions)
    let key = key(.functions, excerpt.content, functions: asked)
    if case .functions(let known)? = shelf.recall(key) { return excerpt.original(known) }
    let whole = budget()
    if whole.lateness != nil { return nil }
    var search = RedundancySearch(
      Engine(excerpt.rules, profile: settings.profile), within: whole,
      steps: Budget.questionSteps,
      of: RedundancySearch.Scope(statements: [], functions: asked), after: answers.report.findings)
    let report = search.run()
    if whole.lateness != nil { return nil }
    shelf.keep(.functions(report), key)
    return excerpt.original(report)
  }

  /// Returns what is known about the guesses of lints.
  func facts(after report: RedundancyReport, within budget: () -> Budget) -> LintFacts {
    let whole = budget()
    return LintTrial(rules, profile: settings.profile, within: whole).facts(
      after: report.findings
    ) { guess, decide in
      let key = key(.guess, Array(guess.first.utf8) + [0] + Array(guess.second.utf8))
      if case .guess(let known)? = shelf.recall(key) { return known }
      let answer = decide()
      if whole.lateness == nil { shelf.keep(.guess(answer), key) }
      return answer
    }
  }
}
