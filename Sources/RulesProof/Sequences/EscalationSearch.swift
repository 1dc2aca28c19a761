import RulesEncoding
import RulesEval
package import RulesLang
package import RulesSolver

// Parts of a condition that compare the later request with stored data are left out: if nobody can
// make the rest true, the report says so of the rest only. A reported escalation was decided with
// the whole condition. Step questions are cached, since statements have conditions in common.

/// Searches for conditions of statements that clients can make true.
package struct EscalationSearch {
  private let rules: Checked
  private let profile: Profile
  private let validation: ValidationPolicy
  private let tellsNotes: Bool
  private let question: () -> Budget

  /// Prepares for rules.
  ///
  /// - Parameters:
  ///   - tellsNotes: False to report only escalations that were found or are undecided.
  ///   - question: Creates the budget of one statement, of which later statements may use a part.
  package init(
    _ rules: Checked, profile: Profile = .emulator,
    validation: ValidationPolicy = ValidationPolicy(),
    notes tellsNotes: Bool = true, asking question: @escaping () -> Budget = { Budget() }
  ) {
    self.tellsNotes = tellsNotes
    self.rules = rules
    self.profile = profile
    self.validation = validation
    self.question = question
  }

  /// Returns the result for every statement that depends on stored data, in source order.
  ///
  /// - Parameter wanted: The examined statements; nil for all.
  package func all(of wanted: Set<AllowID>? = nil) -> [Escalation] {
    guard let set = try? ClaimSet([], about: rules, profile: profile) else { return [] }
    let known = StepVerdicts(share: Strategy.share)
    var found: [Escalation] = []
    for index in rules.ruleset.allows.indices
    where wanted?.contains(AllowID(index)) != false {
      let allow = rules.ruleset.allows[index]
      let facts = rules.matches[allow.match.index]
      let service = rules.ruleset.services[rules.ruleset[allow.match].service].name.text
      guard service == Ruleset.firestoreService, facts.isReachable,
        let condition = allow.condition, let path = ClaimPath(facts, in: rules.database)
      else { continue }
      let claim = Claim(
        name: path.text, path: path, methods: rules.methods[index], obligation: .never)
      let whole = question()
      let budget = whole.question(steps: whole.steps)
      found += escalation(
        of: AllowID(index), condition: condition.root, in: set,
        by: CompiledClaim(claim, owner: .match(allow.match)), knowing: known, within: budget)
      budget.settle()
      whole.settle()
    }
    return found
  }

  private func line(of part: SourceRange) -> Int { rules.ruleset.source.line(of: part.start) }

  /// Returns the rules in which only one statement grants; nil if conditions read the state after a
  /// commit, since other statements grant its other writes.
  private func only(_ allow: AllowID) -> Checked? {
    if rules.looksAhead { return nil }
    return rules.changed(by: rules.keeping([allow]))
  }

  /// Returns the comparison around a part of the rules, in back-ticks, on one line.
  private func quote(_ part: SourceRange) -> String {
    "`\(rules.ruleset.source.quote(comparison(around: part)))`"
  }

  /// Returns the largest expression around a part that is within a single conjunct or disjunct.
  private func comparison(around part: SourceRange) -> SourceRange {
    let ruleset = rules.ruleset
    let bodies =
      ruleset.allows.compactMap { $0.condition } + ruleset.functions.flatMap { $0.bodies }
    let around = bodies.flatMap { $0.nodes }.filter { ruleset[$0].range.swallows(part) }
      .sorted { ruleset[$0].range.count < ruleset[$1].range.count }
    var found = part
    for node in around {
      if case .binary(let op, _, _) = ruleset[node].kind, op == .and || op == .or { break }
      found = ruleset[node].range
    }
    return found
  }

  private func escalation(
    of allow: AllowID, condition: ExprID, in set: ClaimSet, by claim: CompiledClaim,
    knowing known: StepVerdicts, within budget: Budget
  ) -> [Escalation] {
    let questions = StepQuestions(claim, condition: condition, in: rules, leavingOut: true)
    let prover = Prover(set, validation: validation, within: budget)
    var found = Escalation(
      allow: allow, path: claim.claim.path, level: .note, message: "", isStable: false)
    let sequences = SequenceProver(prover, claim: claim, knowing: known)
    let required = RequiredClaims(
      prover, claim: claim.limited(to: condition, in: rules), condition: condition)
    switch sequences.stability(questions) {
    case .stateless(let left):
      guard tellsNotes, let said = found.tokenSentence(required) else { return [] }
      found.message = said
      found.isChosen = !required.chosen.isEmpty
      if let left {
        found.message +=
          ", and on a comparison of the request with stored data (line \(line(of: left)): "
          + "\(quote(left)))"
      }
      found.isStable = left == nil && required.reading.isVouchedFor(but: required.chosen)
    case .stable(let left):
      switch sequences.widened(questions) {
      case .unstable(let flip, let others, let questions):
        let search = SequenceSearch(sequences, excusing: true)
        let outcome = search.sequence(from: flip, or: others, among: questions)
        found.tell(outcome, in: set.engine, within: budget)
      case .stable(let leftOut):
        guard tellsNotes else { return [] }
        let compared = left.map {
          "the comparison of the request with stored data in line \(line(of: $0)) (\(quote($0)))"
        }
        let all = (compared.map { [$0] } ?? []) + leftOut + required.reading.leftOut
        found.tellStable(leavingOut: all, required)
      }
    case .open(let openReasons):
      if isDead(allow, claim, condition: condition, for: prover) { return [] }
      let reason = openReasons.first?.reason ?? OpenReason.noEnd.reason
      found.message = "not decided whether a client can make its condition true: \(reason)"
      found.openReasons = openReasons.isEmpty ? [.noEnd] : openReasons
    case .unstable(let flip, let others):
      let search = SequenceSearch(sequences, excusing: true)
      let outcome = search.sequence(from: flip, or: others, among: questions)
      found.tell(outcome, in: set.engine, within: budget)
    }
    return [found]
  }

  /// True if the condition is proved to grant nothing, whatever is stored.
  private func isDead(
    _ allow: AllowID, _ claim: CompiledClaim, condition: ExprID, for prover: Prover
  ) -> Bool {
    let limited = isNever(
      claim.limited(to: condition, in: rules).claim, of: claim.owner, in: rules, for: prover)
    if limited == true { return true }
    if isNever(claim.claim, of: claim.owner, in: rules, for: prover) == true { return true }
    // A condition with unknown names does not compile by itself.
    guard limited == nil, let only = only(allow) else { return false }
    return isNever(claim.claim, of: claim.owner, in: only, for: prover) == true
  }

  /// True if rules are proved to grant no request of a scope; nil if the claim does not compile in the
  /// owner's block.
  private func isNever(
    _ scope: Claim, of owner: ScopeOwner, in rules: Checked, for prover: Prover
  ) -> Bool? {
    var question = scope
    question.obligation = .never
    guard let set = try? ClaimSet([question], about: rules, profile: profile),
      // In another scope, the condition could call other functions of equal names.
      set.claims[0].owner == owner
    else { return nil }
    let asked = Prover(set, validation: validation, within: prover.budget)
    switch asked.decideRequest(0, shrinking: false, judging: false) {
    case .proved, .vacuous: return true
    case .violated, .undecided: return false
    }
  }
}

extension CompiledClaim {
  /// Returns the claim restricted to requests that satisfy a statement's condition.
  fileprivate func limited(to condition: ExprID, in rules: Checked) -> CompiledClaim {
    var claim = claim
    let text = rules.ruleset.source.string(rules.ruleset[condition].range)
    claim.given = Claim.Condition(Text(text))
    return CompiledClaim(claim, owner: owner)
  }
}

extension Escalation {
  /// Returns a sentence about the token claims that a condition without stored data requires, or
  /// nil.
  fileprivate func tokenSentence(_ required: RequiredClaims) -> String? {
    if required.reading.claims.isEmpty { return nil }
    let needed = required.needed
    var parts: [String] = []
    let trusted = needed.filter { $0.setter == .server }
    if !trusted.isEmpty { parts.append("rests on \(trusted.words), which only the server sets") }
    let vouched = needed.filter { $0.setter == .user && !required.chosen.contains($0) }
    if !vouched.isEmpty {
      parts.append("rests on \(vouched.words), which the sign-in has verified")
    }
    let signIn = needed.filter { $0.setter == .signIn }
    if !signIn.isEmpty, vouched.isEmpty {
      parts.append("depends on how the client signs in (\(signIn.words))")
    }
    let chosen = required.chosen
    if !chosen.isEmpty { parts.append("depends on " + chosen.choiceSentence(isOpen: false)) }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Reports that no client can make a condition true, unless users choose a claim that it reads.
  fileprivate mutating func tellStable(leavingOut parts: [String], _ required: RequiredClaims) {
    let chosen = required.chosen
    isStable = required.reading.isVouchedFor(but: chosen)
    isChosen = !isStable
    message =
      isStable
      ? SequenceProver.stable(leavingOut: parts)
      : "depends on " + chosen.choiceSentence(isOpen: required.reading.isOpen)
        + ", again before each request"
  }

  /// Reports the result of a search for a sequence.
  fileprivate mutating func tell(
    _ outcome: SequenceSearch.Outcome, in engine: Engine, within budget: Budget
  ) {
    let rules = engine.rules.ruleset
    switch outcome {
    case .found(var sequence):
      sequence.explain(by: engine)
      let excuse = ExpectedEscalation(sequence, by: engine, within: budget)
      level = excuse == nil ? .alarm : .note
      excused = excuse?.severity
      message = sequence.sentence(in: rules) + (excuse.map { ": \($0.sentence)" } ?? "")
      self.sequence = sequence
    case .unreached(var sequence, let path):
      sequence.explain(by: engine)
      // A change of another document opens this one, but only the server may have stored it as
      // needed.
      if path == sequence.document, sequence.steps.allSatisfy({ $0.document != path }) {
        let excuse = ExpectedEscalation(sequence, by: engine, within: budget)
        excused = excuse.map { $0.severity } ?? .warning
      }
      message =
        sequence.sentence(in: rules) + ", if the server stores \(String(path.text)) like that"
      self.sequence = sequence
    case .assumed(var sequence, let path, let fields):
      sequence.explain(by: engine)
      let excuse = ExpectedEscalation(sequence, by: engine, within: budget)
      level = excuse == nil ? .alarm : .note
      excused = excuse?.severity
      let names = fields.map { "`\(String($0))`" }.joined(separator: " and ")
      // One replacement was decided, so that nothing is known of all values.
      message =
        sequence.sentence(in: rules, leavingOut: path)
        + ", and likewise with \(fields.count == 1 ? "another value" : "other values") of "
        + "\(names) of \(String(path.text))"
        + (excuse.map { ": \($0.sentence)" } ?? "")
      self.sequence = sequence
    case .nothing(var step):
      step.explain(by: engine)
      message =
        step.sentence(in: rules)
        + ", and then the condition is true; no request was found that is allowed only then"
      openReasons = [OpenReason("no request was found that only this condition allows")]
    }
  }
}
