import RulesEncoding
package import RulesLang

// Answers about an excerpt, as answers about the original.

extension RulesExcerpt {
  /// Returns a report as one about the original.
  package func original(_ report: RedundancyReport) -> RedundancyReport {
    var copy = report
    copy.findings = report.findings.map { original($0) }
    copy.functions = Set(report.functions.map { original($0) })
    copy.mapReasons { openReason in
      var copy = openReason
      copy.range = openReason.range.map { original($0) }
      return copy
    }
    return copy
  }

  /// Returns an escalation as one about the original.
  ///
  /// - Requires: The excerpt is in place, since the sentence mentions lines.
  package func original(_ escalation: Escalation) -> Escalation {
    var copy = escalation
    copy.allow = original(escalation.allow)
    for place in escalation.openReasons.indices {
      copy.openReasons[place].range = escalation.openReasons[place].range.map { original($0) }
    }
    for place in (escalation.sequence?.steps ?? []).indices {
      copy.sequence?.steps[place].allow =
        escalation.sequence?.steps[place].allow.map { original($0) }
    }
    copy.sequence?.allow = escalation.sequence?.allow.map { original($0) }
    return copy
  }

  private func original(_ finding: RedundancyFinding) -> RedundancyFinding {
    var copy = finding
    copy.kind = original(finding.kind)
    copy.range = original(finding.range)
    copy.expression = finding.expression.map { original($0) }
    copy.core = finding.core.map { cause in
      RedundancyFinding.Cause(range: original(cause.range), isStatement: cause.isStatement)
    }
    copy.removal = finding.removal.map { original($0) }
    return copy
  }

  private func original(_ kind: RedundancyFinding.Kind) -> RedundancyFinding.Kind {
    switch kind {
    case .neverGrants(let allow, let methods): .neverGrants(original(allow), methods)
    case .isBeyondLimit(let allow, let count): .isBeyondLimit(original(allow), expressions: count)
    case .isCovered(let allow, let methods): .isCovered(original(allow), methods)
    case .alwaysHolds(let allow): .alwaysHolds(original(allow))
    case .changesNothing, .changesNoDecision: kind
    case .parameter(let function, let index): .parameter(original(function), index)
    case .needsAnError(let allow, let methods): .needsAnError(original(allow), methods)
    }
  }

  private func original(_ removal: Removal) -> Removal {
    switch removal {
    case .statement(let allow): .statement(original(allow))
    case .methods(let allow, let methods): .methods(original(allow), methods)
    case .condition(let allow): .condition(original(allow))
    case .operand(let chain, let index): .operand(chain: original(chain), index: index)
    case .branch(let id, let keepsFirst): .branch(original(id), keepsFirst: keepsFirst)
    case .parameter(let function, let index): .parameter(original(function), index)
    }
  }
}

extension RedundancyReport {
  /// Adds another report about the same rules.
  package mutating func add(_ other: RedundancyReport) {
    add(other.findings)
    for openReasons in other.reasonsOfQuestions { leaveOpen(openReasons) }
    questions += other.questions
    missed += other.missed
  }

  /// True if a part can be removed.
  package var hasRemovals: Bool { findings.contains { $0.removal != nil } }

  /// Returns the findings about the body and the parameters of a function.
  package func findings(in function: FunctionID, of rules: Checked) -> [RedundancyFinding] {
    let range = rules.ruleset[function].range
    return findings.filter { range.swallows($0.range) }
  }

  /// Adds findings about the same rules.
  package mutating func add(_ others: [RedundancyFinding]) {
    findings += others
    findings.sort { ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end) }
  }
}

extension [RedundancyFinding] {
  /// Keeps the findings that are also among others, about the same rules in another context.
  package mutating func formIntersection(_ others: [RedundancyFinding]) {
    self = compactMap { one in
      guard
        let other = others.first(where: { $0.range == one.range && $0.removal == one.removal })
      else { return nil }
      var merged = one
      if case .changesNoDecision = other.kind { merged.kind = other.kind }
      merged.core += other.core.filter { !one.core.contains($0) }
      merged.core.sort { ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end) }
      return merged
    }
  }
}
