import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// Decides one cell of the access matrix.
struct CellDecision {
  private let prover: Prover
  private let operation: AccessMatrix.Operation
  private let client: Client
  private let questions: PathQuestions

  init(
    _ operation: AccessMatrix.Operation, by client: Client, _ questions: PathQuestions,
    with prover: Prover
  ) {
    (self.operation, self.client) = (operation, client)
    (self.questions, self.prover) = (questions, prover)
  }

  /// Decides the claims "never" and "always", with unshrunk example requests.
  func cell() -> AccessMatrix.Cell {
    var cell = AccessMatrix.Cell(answer: .undecided)
    if let spent = prover.budget.openReason {
      cell.openReasons = [spent]
      return cell
    }
    guard let never = questions.claim(client, operation, .never),
      let always = questions.claim(client, operation, .alwaysIf(Claim.Condition("true")))
    else {
      cell.openReasons = [OpenReason("this kind of client was not examined")]
      return cell
    }
    var goals = goals(of: never)
    let (allowed, openReasons) = finding(from: &goals, claim: never)
    if allowed == nil, openReasons.isEmpty {
      cell.answer = .never
      return cell
    }
    cell.allowed = allowed
    cell.openReasons = openReasons
    if openReasons.isEmpty {
      var others = self.goals(of: always)
      (cell.denied, cell.openReasons) = finding(from: &others, claim: always)
      if cell.openReasons.isEmpty { cell.answer = cell.denied == nil ? .always : .onlyIf }
    }
    // Alternatives of a search that missed a request are not reported.
    if cell.answer != .always, !cell.openReasons.contains(where: { $0.isMissed }) {
      cell.alternatives = alternatives(goals)
    }
    return cell
  }

  /// Returns the explanation of the statements' safety, for a cell with the answer "never".
  func basis() -> [Proof.Safety] {
    guard let never = questions.claim(client, operation, .never) else { return [] }
    return prover.proof(of: never, goals(of: never)).statements
  }

  private func goals(of claim: CompiledClaim) -> [Goal] {
    questions.scenarios(of: claim, performing: operation).map {
      questions.goal(claim, for: $0, within: prover.budget)
    }
  }

  /// Returns the first counterexample over all kinds of requests, or else the open reasons. Replaces each
  /// goal by one with the learned facts but without blocking clauses.
  private func finding(
    from goals: inout [Goal], claim: CompiledClaim
  ) -> (request: Counterexample?, openReasons: [OpenReason]) {
    var openReasons: [OpenReason] = []
    let kinds = questions.set.attackedKinds(of: claim, questions.scenarios(of: claim))
    for place in goals.indices {
      let finding = prover.decide(goals[place], of: claim, shrinking: false, kinds: kinds)
      if case .none(let refuted) = finding {
        goals[place] = refuted
        continue
      }
      goals[place] = questions.goal(claim, for: goals[place].scenario, within: prover.budget)
      switch finding {
      case .none: break
      case .found(let request):
        // A search that missed one request may miss more, so the cell stays undecided.
        guard let missed = request.missed else { return (request, []) }
        return (request, [OpenReason(missed: missed)])
      case .doubtful(let reasons): openReasons += reasons
      }
    }
    return (nil, openReasons.distinct)
  }

  /// Returns the statements that grant, with their residual conditions.
  private func reduced(_ goal: Goal) -> [AccessMatrix.Alternative] {
    if goal.unstated == nil { return ConditionReducer(goal).alternatives() }
    let whole = goal.budget
    let part = whole.question(steps: whole.steps / Strategy.share)
    goal.compiler.begin(within: part)
    defer {
      part.settle()
      goal.compiler.begin(within: whole)
    }
    return ConditionReducer(goal).alternatives()
  }

  /// Merges the alternatives of all kinds of requests, with the kinds that each can grant.
  private func alternatives(_ goals: [Goal]) -> [AccessMatrix.Alternative] {
    var found: [(alternative: AccessMatrix.Alternative, accesses: [Scenario.Access])] = []
    for goal in goals {
      for alternative in reduced(goal) {
        let known = found.firstIndex { $0.alternative == alternative }
        if known == nil { found.append((alternative, [])) }
        found[known ?? found.count - 1].accesses.append(goal.scenario.access)
      }
    }
    found.sort { $0.alternative.allow.raw < $1.alternative.allow.raw }
    return found.map { each in
      var alternative = each.alternative
      alternative.reach = AccessMatrix.Reach(each.accesses)
      return alternative
    }
  }
}

extension AccessMatrix.Reach {
  /// Creates the reach of a statement that grants requests with these kinds of access.
  fileprivate init(_ accesses: [Scenario.Access]) {
    let isNamed = accesses.contains(.namedQuery)
    if accesses.allSatisfy({ $0 == .namedQuery }) {
      self = .namedQueries
    } else if accesses.contains(.group(below: 0))
      || !accesses.allSatisfy({ AccessMatrix.Operation.listGroup.covers($0) })
    {
      self = .all
    } else {
      self = isNamed ? .namedOrBelowDocuments : .queriesBelowDocuments
    }
  }
}
