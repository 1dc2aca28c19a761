import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesSolver

// Finds statements and parts of conditions that decide nothing, by comparing the rules with and without
// each part.
//
// Sound: a part is reported only if both versions are proved equivalent (`RulesComparison`). Not
// complete: undecided questions give no finding and are reported as such.
//
// Two parts may each be redundant only because of the other. So each found part is also removed
// together with all earlier ones, and reported only if still redundant: all findings of a report hold
// together. The search starts at the end of the file, so of two equal statements the second is
// redundant.
//
// The core of a finding is computed similarly: leave out another part in both versions; if they are no
// longer equivalent, the finding depends on it.

/// Finds redundant parts of a rules file.
package struct RedundancySearch {
  /// Compares versions of the rules.
  let trial: RulesTrial
  /// Translates removals to overlays and text.
  let text: RemovalText
  /// The bodies of everything that can be evaluated, with their chains.
  let bodies: [RedundancyBody]
  private var report = RedundancyReport()
  /// The statements that may grant requests.
  let statements: [AllowID]
  /// The examined part of the rules; nil for all.
  private let scope: Scope?
  /// The findings so far that can be removed.
  private var accepted: [Removal] = []
  /// The patch that removes them.
  private var reduced = Patch()
  /// Cached answers about the present body: are the rules equivalent without these parts?
  private var answers: [(removals: [Removal], isRedundant: Bool)] = []

  /// The rules.
  var rules: Checked { trial.rules }

  /// Prepares for rules.
  ///
  /// - Parameters:
  ///   - steps: Maximum steps for each question.
  ///   - scope: The examined statements and functions; nil for all.
  ///   - known: The findings of an earlier search, together with which new ones must hold.
  package init(
    _ engine: Engine, validation: ValidationPolicy = ValidationPolicy(),
    within budget: Budget = Budget(), steps: Int = .max, of scope: Scope? = nil,
    after known: [RedundancyFinding] = []
  ) {
    trial = RulesTrial(engine, validation: validation, within: budget, steps: steps)
    bodies = RedundancyBody.all(engine.rules)
    let all = engine.rules.grantingStatements
    // A block for no document of the database is reported by the lint `foreign-database`.
    statements = all.filter { engine.rules.isOfDatabase($0) }
    self.scope = scope
    text = RemovalText(engine.rules, chains: bodies.flatMap { $0.chains })
    for finding in known {
      if let removal = finding.removal { accept(removal) }
    }
  }

  /// The part of rules that a search examines; everything else stays as it is.
  package struct Scope {
    /// The statements.
    package var statements: Set<AllowID>
    /// The functions; those that no statement calls are left out.
    package var functions: Set<FunctionID>

    /// Creates a scope.
    package init(statements: Set<AllowID>, functions: Set<FunctionID>) {
      (self.statements, self.functions) = (statements, functions)
    }
  }

  /// Examines all statements, bodies, parameters and errors.
  package mutating func run() -> RedundancyReport {
    let examined = statements.filter { scope?.statements.contains($0) ?? true }
    let beyond = findBeyondLimit(among: examined)
    for allow in examined.reversed() where !beyond.contains(allow) { examine(allow) }
    let alive = examined.filter { !accepted.contains(.statement($0)) && !beyond.contains($0) }
    for allow in alive.reversed() { examine(bodies(of: .statement(allow))) }
    let callers =
      scope == nil
      ? alive : statements.filter { !accepted.contains(.statement($0)) && !beyond.contains($0) }
    var called: [FunctionID] = []
    for function in rules.functions(reachedFrom: callers)
    where scope?.functions.contains(function) != false && isCalled(function, from: callers) {
      examine(bodies(of: .function(function)))
      called.append(function)
    }
    report.functions = Set(called)
    for function in called { examineParameters(of: function) }
    for allow in alive { examineErrors(of: allow) }
    report.findings.sort {
      ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end)
    }
    report.missed = trial.missed
    report.open.sort {
      ($0.openReason.range?.start ?? 0, $0.openReason.reason) < (
        $1.openReason.range?.start ?? 0, $1.openReason.reason
      )
    }
    return report
  }

  /// The rules in which no statement grants the requested document anything.
  private var nothing: TrialVersion { text.inEffect([]).asking(rules.keeping([])) }

  private func bodies(of owner: RedundancyBody.Owner) -> [RedundancyBody] {
    bodies.filter { $0.owner == owner }.reversed()
  }

  /// True if a function is called outside of the removed parts.
  private func isCalled(_ function: FunctionID, from statements: [AllowID]) -> Bool {
    trial.budget.charge(rules.ruleset.expressions.count)
    // Unexamined functions stay undecided.
    if trial.budget.isSpent { return true }
    return rules.functions(reachedFrom: statements, without: reduced).contains(function)
  }

  // MARK: Asking

  /// True if a removal changes no decision, both alone and together with all findings.
  private mutating func isRedundant(_ removal: Removal) -> Bool {
    isRedundant([removal], with: []) && isRedundant([removal], with: accepted)
  }

  /// True if the removal of a statement, or of its methods, changes no decision, both alone and
  /// together with all findings. Removing statements only grants less, so the second implies the first,
  /// unless a limit stops requests: without the other findings, less is evaluated.
  private mutating func isRedundant(_ removal: Removal, of allow: AllowID) -> Bool {
    isRedundant([removal], with: accepted, isLikely: false)
      && (accepted.isEmpty || isRedundant([removal], with: []))
  }

  /// True if some removals change no decision, together with others that change none.
  private mutating func isRedundant(
    _ removals: [Removal], with others: [Removal], isLikely: Bool? = nil
  ) -> Bool {
    let all = others + removals
    if let known = answers.first(where: { $0.removals == all }) { return known.isRedundant }
    if let spent = trial.budget.openReason {
      report.questions += 1
      report.leaveOpen([spent])
      return false
    }
    let effect = trial.effect(
      from: text.inEffect(others), to: text.inEffect(all),
      isLikelyNothing: isLikely ?? (all.count > 1), isFirstProved: true)
    let isRedundant = ask(effect)
    answers.append((all, isRedundant))
    return isRedundant
  }

  /// Counts a question; true if its answer is "nothing".
  mutating func ask(_ effect: EditEffect) -> Bool {
    report.questions += 1
    switch effect {
    case .nothing: return true
    case .unknown(let openReasons):
      report.leaveOpen(openReasons.map { $0.openReason })
      return false
    case .something, .invalid: return false
    }
  }

  /// Adds a finding.
  mutating func add(_ finding: RedundancyFinding) {
    report.findings.append(finding)
    if let removal = finding.removal { accept(removal) }
  }

  private mutating func accept(_ removal: Removal) {
    accepted.append(removal)
    reduced = text.asWritten(accepted)
  }

  // MARK: Statements

  /// Finds the statements that can grant nothing within the limit on expressions. They are not removed:
  /// without one of them another one may grant.
  private mutating func findBeyondLimit(among examined: [AllowID]) -> Set<AllowID> {
    var costs = LeastCost(rules)
    let found = costs.beyondLimit().filter { examined.contains($0.allow) }
    for (allow, expressions) in found {
      report.questions += 1
      report.findings.append(
        RedundancyFinding(
          kind: .isBeyondLimit(allow, expressions: expressions),
          range: rules.ruleset[allow].operationsRange))
    }
    return Set(found.map { $0.allow })
  }

  private mutating func examine(_ allow: AllowID) {
    trial.turn()
    answers = []
    let methods = rules.methods[allow.index]
    if isRedundant(.statement(allow), of: allow) {
      return add(finding(for: allow, methods: methods, removing: .statement(allow)))
    }
    guard methods.methods.count > 1 else { return }
    var redundant: MethodSet = []
    var kinds: [RedundancyFinding] = []
    for method in methods.methods where redundant.union(MethodSet(method)) != methods {
      let removal = Removal.methods(allow, MethodSet(method))
      guard isRedundant(removal, of: allow) else { continue }
      redundant.formUnion(MethodSet(method))
      kinds.append(finding(for: allow, methods: MethodSet(method), removing: removal))
    }
    for finding in RedundancyFinding.joined(kinds) { add(finding) }
  }

  private func finding(
    for allow: AllowID, methods: MethodSet, removing removal: Removal
  ) -> RedundancyFinding {
    let range = rules.ruleset[allow].operationsRange
    let limited = rules.limiting(allow, to: methods)
    let alone = text.inEffect([]).asking(rules.keeping([allow]).with(limited, of: rules.ruleset))
    if trial.areAlike(nothing, alone) {
      return RedundancyFinding(
        kind: .neverGrants(allow, methods), range: range,
        core: contradiction(in: allow, alone: alone),
        removal: removal)
    }
    let silent = Overlay([.condition(allow, false)])
    func version(_ parts: [Removal], isSilent: Bool) -> TrialVersion {
      let whole = text.inEffect([], without: parts)
      return whole.asking((isSilent ? silent : limited).with(whole.overlay, of: rules.ruleset))
    }
    var core = RedundancyCore(trial) {
      version($0, isSilent: true)
    } without: {
      version($0, isSilent: false)
    }
    core.drop(others(beside: [allow]).reversed())
    let causes = core.causes(in: rules, chains: [])
    return RedundancyFinding(
      kind: .isCovered(allow, methods), range: range, core: causes, removal: removal)
  }

  /// Returns the conjuncts without which the statement could grant something.
  private func contradiction(
    in allow: AllowID, alone: TrialVersion
  ) -> [RedundancyFinding.Cause] {
    guard let body = bodies.first(where: { $0.owner == .statement(allow) }) else { return [] }
    guard let chain = body.chains.first(where: { $0.id == body.root(rules.ruleset) && $0.isAnd })
    else { return [RedundancyFinding.Cause(range: rules.ruleset[body.body.root].range)] }
    var core = RedundancyCore(trial) { _ in
      nothing
    } without: { removals in
      let whole = text.inEffect(removals)
      return whole.asking(alone.overlay.with(whole.overlay, of: rules.ruleset))
    }
    core.drop(chain.operands.indices.map { Removal.operand(chain: chain.id, index: $0) })
    return core.causes(in: rules, chains: [chain])
  }

  // MARK: Parts of conditions

  private mutating func examine(_ bodies: [RedundancyBody]) {
    trial.turn()
    for body in bodies { examine(body) }
  }

  private mutating func examine(_ body: RedundancyBody) {
    answers = []
    if case .statement(let allow) = body.owner, !isLiteral(body.body.root, value: true) {
      let removal = Removal.condition(allow)
      if isRedundant(removal) {
        let range = rules.ruleset[body.body.root].range
        return add(
          RedundancyFinding(
            kind: .alwaysHolds(allow), range: range, expression: body.body.root,
            core: core(of: removal, body), removal: removal))
      }
    }
    // Parts that are redundant alone are usually so together, which is one question.
    var others = accepted
    var parts = take(from: body) { $0.isRedundant([$1], with: []) }
    if !parts.isEmpty, !isRedundant(parts.map { $0.removal }, with: others) {
      accepted = others
      reduced = text.asWritten(accepted)
      parts = take(from: body) { $0.isRedundant($1) }
    }
    for part in parts {
      report.findings.append(finding(for: part, after: others, in: body))
      others.append(part.removal)
    }
  }

  /// A removed part of a condition.
  private struct TakenPart {
    var removal: Removal
    var range: SourceRange
  }

  /// Removes parts of a body, outer ones first, including everything inside.
  private mutating func take(
    from body: RedundancyBody, where isRedundant: (inout Self, Removal) -> Bool
  ) -> [TakenPart] {
    var taken: [TakenPart] = []
    func takes(_ removal: Removal, at range: SourceRange) -> Bool {
      guard !isInside(range), isRedundant(&self, removal) else { return false }
      accept(removal)
      taken.append(TakenPart(removal: removal, range: range))
      return true
    }
    for unit in body.units where !isInside(rules.ruleset[unit.id].range) {
      switch unit {
      case .chain(let chain):
        for index in chain.operands.indices.reversed() {
          let range = rules.ruleset[chain.operands[index]].range
          _ = takes(.operand(chain: chain.id, index: index), at: range)
        }
      case .conditional(let id):
        guard case .conditional(let question, _, _) = rules.ruleset[id].kind else { continue }
        let range = rules.ruleset[question].range
        if takes(.branch(id, keepsFirst: true), at: range) { continue }
        _ = takes(.branch(id, keepsFirst: false), at: range)
      }
    }
    return taken
  }

  private func finding(
    for part: TakenPart, after others: [Removal], in body: RedundancyBody
  ) -> RedundancyFinding {
    // Parts removed before may have kept an error away, so the question is asked with and without them.
    let failsNoMore =
      failsNoMore(without: part.removal, after: [])
      && (others.isEmpty || failsNoMore(without: part.removal, after: others))
    var expression: ExprID?
    switch part.removal {
    case .operand(let id, let index):
      expression = body.chains.first { $0.id == id }?.operands[index]
    case .branch(let id, _):
      if case .conditional(let question, _, _) = rules.ruleset[id].kind { expression = question }
    case .statement, .methods, .condition, .parameter: break
    }
    return RedundancyFinding(
      kind: failsNoMore ? .changesNothing : .changesNoDecision, range: part.range,
      expression: expression, core: core(of: part.removal, body), removal: part.removal)
  }

  /// True if the removal, after others, causes no error of a denial that is not met now.
  private func failsNoMore(without removal: Removal, after others: [Removal]) -> Bool {
    trial.failsNoMore(
      from: text.inEffect(others).overlay, to: text.inEffect(others + [removal]).overlay)
  }

  private func isLiteral(_ id: ExprID, value: Bool) -> Bool {
    rules.ruleset[rules.ruleset.unparenthesized(id)].kind == .literal(.bool(value))
  }

  /// True if a range is inside a removed part.
  private func isInside(_ range: SourceRange) -> Bool {
    reduced.pieces.contains { $0.range.swallows(range) }
  }

  // MARK: Parameters

  /// Finds the first parameter that is only used in redundant parts and whose argument changes no
  /// decision.
  private mutating func examineParameters(of function: FunctionID) {
    let declaration = rules.ruleset[function]
    for index in declaration.parameters.indices {
      let reads = rules.reads(of: UInt8(index), in: function)
      guard !reads.isEmpty, reads.allSatisfy({ isInside(rules.ruleset[$0].range) }) else {
        continue
      }
      if trial.budget.isSpent { return }
      let removal = Removal.parameter(function, index)
      // The earlier findings are proved to change nothing, and both versions are without them.
      let effect = trial.effect(
        from: text.inEffect(accepted), to: text.inEffect(accepted + [removal]))
      guard ask(effect) else { continue }
      return add(
        RedundancyFinding(
          kind: .parameter(function, index), range: declaration.parameters[index].range,
          removal: removal))
    }
  }

  // MARK: Errors

  private mutating func examineErrors(of allow: AllowID) {
    let errors = AbsorbedErrors(trial, of: allow, in: text.inEffect([]))
    guard !errors.isEmpty, !trial.budget.isSpent else { return }
    trial.turn()
    let dead = deadMethods(allow)
    var found: MethodSet = []
    for method in rules.methods[allow.index].subtracting(dead).methods {
      if errors.isKnownPlain(method) {
        report.questions += 1
        continue
      }
      if ask(trial.effect(from: nothing, to: errors.strict(MethodSet(method)))) {
        found.formUnion(MethodSet(method))
      }
    }
    guard !found.isEmpty else { return }
    let core = errors.responsible(found)
    // Without the part that ends in an error there is nothing to report.
    if core.allSatisfy({ isInside($0.range) }) { return }
    report.findings.append(
      RedundancyFinding(
        kind: .needsAnError(allow, found), range: rules.ruleset[allow].operationsRange,
        core: core))
  }

  private func deadMethods(_ allow: AllowID) -> MethodSet {
    var dead: MethodSet = []
    for finding in report.findings {
      if case .neverGrants(allow, let methods) = finding.kind { dead.formUnion(methods) }
    }
    return dead
  }
}

extension RedundancyFinding {
  /// Merges findings about methods of one statement with equal cores.
  fileprivate static func joined(_ findings: [RedundancyFinding]) -> [RedundancyFinding] {
    var result: [RedundancyFinding] = []
    for finding in findings {
      let known = result.firstIndex { $0.core == finding.core && $0.isAlike(finding) }
      guard let known else {
        result.append(finding)
        continue
      }
      result[known].add(finding)
    }
    return result
  }

  private func isAlike(_ other: RedundancyFinding) -> Bool {
    switch (kind, other.kind) {
    case (.neverGrants, .neverGrants), (.isCovered, .isCovered): true
    default: false
    }
  }

  private mutating func add(_ other: RedundancyFinding) {
    switch (kind, other.kind) {
    case (.neverGrants(let allow, let one), .neverGrants(_, let two)):
      kind = .neverGrants(allow, one.union(two))
      removal = .methods(allow, one.union(two))
    case (.isCovered(let allow, let one), .isCovered(_, let two)):
      kind = .isCovered(allow, one.union(two))
      removal = .methods(allow, one.union(two))
    default: break
    }
  }
}
