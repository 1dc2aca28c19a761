import RulesEncoding
import RulesEval
package import RulesLang
package import RulesSolver

// Parts of a condition that compare the later request with what is stored are left out: if nobody can make
// the rest true, that is said of the rest, not of the condition. What is shown as an escalation was decided
// whole. Statements have conditions in common, so that a step question is decided once.

/// Looks for what clients can make true of the conditions of statements.
package struct EscalationSearch {
  private let rules: Checked
  private let profile: Profile
  private let scrutiny: Scrutiny
  private let question: () -> Budget

  /// Prepares for rules; `question` makes the budget of one statement, of which later ones get a part.
  package init(
    _ rules: Checked, profile: Profile = .emulator, scrutiny: Scrutiny = Scrutiny(),
    asking question: @escaping () -> Budget = { Budget() }
  ) {
    self.rules = rules
    self.profile = profile
    self.scrutiny = scrutiny
    self.question = question
  }

  /// What is found of every statement that depends on what is stored, in the order of the source.
  package func all() -> [Escalation] {
    guard let set = try? ClaimSet([], about: rules, profile: profile) else { return [] }
    let known = StepVerdicts(share: Self.shareOfQuestion)
    var used = 0
    var found: [Escalation] = []
    for index in rules.ruleset.allows.indices {
      let allow = rules.ruleset.allows[index]
      let facts = rules.matches[allow.match.index]
      let service = rules.ruleset.services[rules.ruleset[allow.match].service].name.text
      guard service == Ruleset.firestoreService, facts.isReachable,
        let condition = allow.condition, let path = ClaimPath(facts)
      else { continue }
      let claim = Claim(
        name: path.text, path: path, methods: rules.methods[index], obligation: .never)
      let whole = question()
      let isMuch = used / Self.dearStatements >= whole.steps
      let budget = whole.question(steps: isMuch ? whole.steps / Self.laterShare : whole.steps)
      found += escalation(
        of: AllowID(index), condition: condition.root, in: set,
        by: CompiledClaim(claim, owner: .match(allow.match)), knowing: known, within: budget)
      budget.settle()
      whole.settle()
      used += budget.used
    }
    return found
  }

  /// What a question has not found out at such a part of the cost it mostly does not find out at all.
  private static let shareOfQuestion = 3
  /// So many statements may cost all that a question may; if together they did, later ones may cost less.
  private static let dearStatements = 10
  /// Enough for nine of ten questions that are decided.
  private static let laterShare = 32

  private func line(of part: SourceRange) -> Int { rules.ruleset.source.line(of: part.start) }

  private func escalation(
    of allow: AllowID, condition: ExprID, in set: ClaimSet, by claim: CompiledClaim,
    knowing known: StepVerdicts, within budget: Budget
  ) -> [Escalation] {
    let questions = StepQuestions(claim, condition: condition, in: rules, leavingOut: true)
    let prover = Prover(set, scrutiny: scrutiny, within: budget)
    var found = Escalation(
      allow: allow, path: claim.claim.path, level: .note, message: "", isStable: false)
    switch SequenceProver(prover, claim: claim, knowing: known).stability(questions) {
    case .stateless(let left):
      let claims = trustedClaims(in: condition)
      if claims.isEmpty { return [] }
      found.message = "rests on \(claims.joined(separator: ", ")), which only the server sets"
      if let left {
        found.message +=
          ", and on what it compares of the request with stored data (line \(line(of: left)))"
      }
      found.isStable = left == nil
    case .stable(without: nil):
      found.message = "proved stable: no client can make its condition true from outside"
      found.isStable = true
    case .stable(without: let part?):
      found.message =
        "proved stable but for what it compares of the request with stored data (line \(line(of: part))): no "
        + "client can make the rest true from outside"
    case .open(let doubts):
      let reason = doubts.first?.reason ?? Doubt.noEnd.reason
      found.message = "whether a client can make its condition true is not known: \(reason)"
    case .unstable(let flip, let others):
      let search = SequenceSearch(prover, claim: claim)
      let outcome = search.sequence(from: flip, or: others, among: questions)
      found.tell(outcome, in: set.engine, within: budget)
    }
    return [found]
  }

  /// The custom claims that a condition reads, as rules write them.
  private func trustedClaims(in condition: ExprID) -> [String] {
    var found: [String] = []
    let first = rules.ruleset.allows.compactMap { $0.condition }.filter { $0.root == condition }
    for body in rules.bodies(reachedFrom: first) {
      for id in body.nodes {
        guard case .member(let base, let name) = rules.ruleset[id].kind,
          case .member(_, let outer) = rules.ruleset[rules.ruleset.unparenthesized(base)].kind,
          outer.text == "token"
        else { continue }
        let text = "token." + String(name.text)
        if !found.contains(text) { found.append(text) }
      }
    }
    return found
  }
}

extension Escalation {
  /// Says what came of a search for a sequence.
  fileprivate mutating func tell(
    _ outcome: SequenceSearch.Outcome, in engine: Engine, within budget: Budget
  ) {
    let rules = engine.rules.ruleset
    switch outcome {
    case .found(var sequence):
      sequence.explain(by: engine)
      let excuse = Excuse(sequence, by: engine, within: budget)
      level = excuse == nil ? .alarm : .note
      message = sequence.sentence(in: rules) + (excuse.map { ": \($0.sentence)" } ?? "")
      self.sequence = sequence
    case .unreached(var sequence, let path):
      sequence.explain(by: engine)
      message =
        sequence.sentence(in: rules) + ", if the server stores \(String(path.text)) like that"
      self.sequence = sequence
    case .nothing(var step):
      step.explain(by: engine)
      message =
        step.sentence(in: rules)
        + ", and the condition is true; no request is known that is allowed only then"
    }
  }
}
