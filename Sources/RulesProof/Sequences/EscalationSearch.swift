import RulesEncoding
import RulesEval
public import RulesLang
public import RulesSolver

// Of a statement whose condition has parts that speak of the later request itself, only the rest is asked
// about: what must hold whatever is asked for. If nobody can make that true, nobody can make the whole
// condition true; and what is shown as an escalation was decided whole.

/// Looks for what clients can make true of the conditions of statements.
public struct EscalationSearch {
  private let rules: Checked
  private let profile: Profile
  private let scrutiny: Scrutiny
  private let question: () -> Budget

  /// Prepares for rules; `question` makes the budget of one statement.
  public init(
    _ rules: Checked, profile: Profile = .emulator, scrutiny: Scrutiny = Scrutiny(),
    asking question: @escaping () -> Budget = { Budget() }
  ) {
    self.rules = rules
    self.profile = profile
    self.scrutiny = scrutiny
    self.question = question
  }

  /// What is found of every statement that depends on what is stored, in the order of the source.
  public func all() -> [Escalation] {
    var found: [Escalation] = []
    guard let set = try? ClaimSet([], about: rules, profile: profile) else { return [] }
    let known = KnownSteps()
    for index in rules.ruleset.allows.indices {
      let allow = rules.ruleset.allows[index]
      let facts = rules.matches[allow.match.index]
      let service = rules.ruleset.services[rules.ruleset[allow.match].service].name.text
      guard service == Ruleset.firestoreService, facts.isReachable,
        let condition = allow.condition, let path = ClaimPath(facts)
      else { continue }
      let claim = Claim(
        name: path.text, path: path, methods: rules.methods[index], obligation: .never)
      found += escalation(
        of: AllowID(index), condition: condition.root,
        by: CompiledClaim(claim, owner: .match(allow.match)), in: set, known)
    }
    return found
  }

  private func escalation(
    of allow: AllowID, condition: ExprID, by claim: CompiledClaim, in set: ClaimSet,
    _ known: KnownSteps
  ) -> [Escalation] {
    let questions = StepQuestions(claim, condition: condition, in: rules, weakened: true)
    let budget = question()
    defer { budget.settle() }
    let prover = Prover(set, scrutiny: scrutiny, within: budget)
    func made(
      _ level: Escalation.Level, message: String, isStable: Bool = false,
      sequence: Counterexample? = nil
    ) -> [Escalation] {
      [
        Escalation(
          allow: allow, path: claim.claim.path, level: level, message: message,
          isStable: isStable, sequence: sequence)
      ]
    }
    switch SequenceProver(prover, claim: claim).stability(questions, sharing: known) {
    case .stateless:
      let claims = trustedClaims(in: condition)
      if claims.isEmpty { return [] }
      return made(
        .note, message: "rests on \(claims.joined(separator: ", ")), which only the server sets",
        isStable: true)
    case .stable:
      return made(
        .note, message: "proved stable: no client can make its condition true from outside",
        isStable: true)
    case .open(let doubts):
      let reason = doubts.first?.reason ?? Doubt.noEnd.reason
      return made(
        .note, message: "whether a client can make its condition true is not known: \(reason)")
    case .unstable(let step, of: let question):
      let search = SequenceSearch(prover, claim: claim)
      switch search.sequence(from: step, of: question, among: questions) {
      case .found(let sequence):
        let isTaken = sequence.takesWhatIsFree
        return made(
          isTaken ? .note : .alarm,
          message: sequence.sentence(in: rules.ruleset)
            + (isTaken ? ": nobody had it before" : ""),
          sequence: sequence)
      case .unreached(let sequence, let path):
        return made(
          .note,
          message: sequence.sentence(in: rules.ruleset)
            + ", if the server stores \(String(path.text)) like that", sequence: sequence)
      case .nothing:
        return made(
          .note,
          message: step.sentence(in: rules.ruleset)
            + ", and the condition is true; no request is known that is allowed only then")
      }
    }
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

extension Counterexample {
  /// Whether the first request changes the very document that the last one is about, and only sets what
  /// was not set.
  fileprivate var takesWhatIsFree: Bool {
    guard let step = steps.first, step.document == document,
      let before = step.documents[step.document]
    else { return false }
    return step.fields.allSatisfy { field in
      switch before[field] {
      case nil, .null: true
      default: false
      }
    }
  }
}
