import RulesLang
import RulesProof
package import RulesSolver
import RulesStyle

/// The facts about a text while they are being proved, block by block.
package struct BlockProofs: Sendable {
  private let prover: BlockProver
  private var answers: [Int: BlockProver.Answers] = [:]
  /// The findings about functions that several units call.
  private var shared: [RedundancyFinding] = []
  private var facts = LintFacts()
  /// The diagnostics of all blocks together, if findings of several blocks depend on each other.
  private var joint: [Diagnostic]?
  /// True once everything is proved.
  private var isComplete = false
  /// True if the blocks cannot be proved by themselves.
  package private(set) var isInseparable = false

  /// Starts without facts.
  package init(_ prover: BlockProver) { self.prover = prover }

  /// The number of proved units.
  package var done: Int { answers.count }

  /// Adds the result for a unit.
  package mutating func add(_ outcome: BlockProver.Outcome, of unit: Int) {
    switch outcome {
    case .proved(let found): answers[unit] = found
    case .stopped: break
    case .inseparable: isInseparable = true
    }
  }

  private var check: DeepCheck {
    DeepCheck(prover.settings.linter, profile: prover.settings.profile)
  }

  /// The parts that decide nothing.
  private var report: RedundancyReport {
    var report = RedundancyReport()
    for (_, found) in answers.sorted(by: { $0.key < $1.key }) {
      report.add(found.excerpt.original(found.report))
    }
    report.add(shared)
    return report
  }

  /// The facts so far.
  package var findings: DeepFindings {
    let found = answers.sorted { $0.key < $1.key }.map { $0.value }
    let report = report
    let escalations = found.flatMap { $0.escalations }.sorted { $0.allow.index < $1.allow.index }
    var findings = DeepFindings(
      diagnostics: joint
        ?? check.diagnostics(
          of: report, escalations, knowing: facts, in: prover.rules, isComplete: isComplete))
    findings.access = found.flatMap { $0.access }.sorted { $0.place < $1.place }
    findings.missed = report.missed.count
    return findings
  }

  /// Proves what concerns several blocks, once all units are proved. False if the time was over.
  package mutating func finish(within budget: () -> Budget) -> Bool {
    guard examineFunctions(within: budget) else { return false }
    let removable = answers.filter { $0.value.report.hasRemovals }.map { $0.key }
    if prover.plan.haveCommonDocuments(among: removable) {
      // A part of one block may only be redundant as long as a part of the other is there.
      let whole = budget()
      let found = check.run(prover.rules, isFixing: false, within: whole)
      if whole.lateness != nil { return false }
      joint = found.diagnostics
    } else {
      let whole = budget()
      facts = prover.facts(after: report, within: { whole })
      if whole.lateness != nil { return false }
    }
    isComplete = true
    return true
  }

  /// Finds parts of functions that decide nothing for any unit that calls them.
  private mutating func examineFunctions(within budget: () -> Budget) -> Bool {
    var candidates: [FunctionID: [RedundancyFinding]] = [:]
    for (unit, found) in answers.sorted(by: { $0.key < $1.key }) {
      let open = prover.plan.units[unit].shared.filter { candidates[$0]?.isEmpty != true }
      if open.isEmpty { continue }
      guard let report = prover.report(on: open, for: found, within: budget) else { return false }
      for function in open where report.functions.contains(function) {
        let parts = report.findings(in: function, of: prover.rules)
        if candidates[function] == nil {
          candidates[function] = parts
        } else {
          candidates[function]?.formIntersection(parts)
        }
      }
    }
    shared = candidates.values.flatMap { $0 }
    return true
  }

  /// Adds the removals of redundant parts to the findings. False if the time was over.
  package func addRemovals(to findings: inout DeepFindings, within budget: () -> Budget) -> Bool {
    let whole = budget()
    findings.removals = check.edits(
      takingOutOneOf: findings.diagnostics, from: prover.rules,
      knowing: joint == nil ? report : nil, within: whole)
    if whole.lateness != nil { return false }
    // If none can be removed alone, all of them together cannot be removed either.
    if findings.removals.isEmpty { return true }
    let fixing = budget()
    let fixed = check.run(prover.rules, isFixing: true, within: fixing)
    if fixing.lateness != nil { return false }
    findings.fixAll = TextDifference.edits(
      from: prover.rules.ruleset.source, to: fixed.rules.ruleset.source)
    return true
  }
}
