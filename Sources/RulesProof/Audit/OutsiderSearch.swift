import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// Finds requests of outsiders that the rules allow although the answer is "only if".
struct OutsiderSearch {
  private let path: AccessMatrix.Path
  private let table: PathTable
  private let questions: PathQuestions
  private let rules: Checked
  /// The present time; nil if unknown.
  private let now: Timestamp?
  /// Creates the budget of one answer.
  private let question: () -> Budget

  /// Prepares for a path with known answers.
  init(
    _ path: AccessMatrix.Path, _ table: PathTable, _ questions: PathQuestions, of rules: Checked,
    at now: Timestamp?, asking question: @escaping () -> Budget
  ) {
    (self.path, self.table, self.questions) = (path, table, questions)
    (self.rules, self.now, self.question) = (rules, now, question)
  }

  /// A statement in a row with a known opening; one client suffices.
  private struct Known: Hashable {
    var row: Int
    var allow: AllowID
  }

  /// Returns the openings. `create` is left out, since documents that do not exist are nobody's.
  func openings() -> Found {
    var found: [AccessMatrix.Opening] = []
    var unknown: Set<AllowID> = []
    var known: Set<Known> = []
    let outsider = Outsider(in: rules)
    for column in path.clients.indices where path.clients[column].isOpen {
      for rows in groups(in: column) {
        for alternative in path.rows[rows[0]].cells[column].alternatives
        where !known.contains(Known(row: rows[0], allow: alternative.allow)) {
          switch outcome(of: alternative, rows, column, outsider) {
          case .none: break
          case .unknown: unknown.insert(alternative.allow)
          case .opening(let opening):
            found.append(opening)
            known.formUnion(rows.map { Known(row: $0, allow: alternative.allow) })
          }
        }
      }
    }
    return Found(openings: found + claimed(but: known), unknown: unknown)
  }

  /// The result for a path.
  struct Found {
    /// The openings.
    var openings: [AccessMatrix.Opening]
    /// The statements that may be open to outsiders in another way.
    var unknown: Set<AllowID>
  }

  /// The result for one statement.
  private enum Outcome {
    /// Proved: the statement grants no outsider a request.
    case none
    case unknown
    case opening(AccessMatrix.Opening)
  }

  private func groups(in column: Int) -> [[Int]] {
    path.groups(in: column, with: [.onlyIf, .undecided]).filter {
      path.rows[$0[0]].operation.method != .create
    }
  }

  // MARK: Claims that the server sets

  /// Returns updates by clients with a claim that is not compared with stored data, so that its
  /// value does not protect documents of others.
  private func claimed(but known: Set<Known>) -> [AccessMatrix.Opening] {
    var found: [AccessMatrix.Opening] = []
    if rules.customClaims.isEmpty { return [] }
    for column in path.clients.indices {
      guard let roles = path.clients[column].roles else { continue }
      let outsider = Outsider(in: rules, claims: true, keeping: roles)
      for rows in groups(in: column) where path.rows[rows[0]].operation.method == .update {
        for alternative in path.rows[rows[0]].cells[column].alternatives
        where !known.contains(Known(row: rows[0], allow: alternative.allow))
          && alternative.residual.comparesAccount
        {
          guard case .opening(var opening) = outcome(of: alternative, rows, column, outsider),
            let candidate = opening.witness?.candidate
          else { continue }
          opening.claims = outsider.claims(of: candidate)
          if !opening.claims.isEmpty { found.append(opening) }
        }
      }
    }
    return found
  }

  // MARK: One statement

  private func outcome(
    of alternative: AccessMatrix.Alternative, _ rows: [Int], _ column: Int, _ outsider: Outsider
  ) -> Outcome {
    let (operation, cell) = (path.rows[rows[0]].operation, path.rows[rows[0]].cells[column])
    guard let claim = questions.claim(path.clients[column], operation, .never) else {
      return .unknown
    }
    let whole = question()
    let budget = whole.question(steps: whole.steps / Strategy.share)
    defer {
      budget.settle()
      whole.settle()
    }
    let time = alternative.residual.reads.contains(.time) ? now : nil
    func confirmed(_ candidate: CandidateRequest) -> Counterexample? {
      var candidate = candidate
      if let time { candidate.move(to: time) }
      for other in outsider.candidates(from: candidate) {
        let found = questions.set.refutation(by: other, of: claim, within: budget)
        if let found, found.allow == alternative.allow { return found }
      }
      return nil
    }
    var witness = cell.allowed?.candidate.flatMap { confirmed($0) }
    var isRefuted = false
    if witness == nil {
      (witness, isRefuted) = searched(
        claim, operation, outsider, alternative.allow, time, budget, confirmed)
    }
    guard let witness else { return isRefuted ? .none : .unknown }
    var alternative = alternative
    if alternative.residual.hasChoice,
      let residual = residual(claim, operation, outsider, alternative.allow, budget)
    {
      alternative.residual = residual
    }
    // A restricted kind of query returns nothing that other requests do not.
    if alternative.residual == .nothing, alternative.reach != .all { return .none }
    return .opening(
      AccessMatrix.Opening(
        column: column, rows: rows.sorted(), shown: rows[0], alternative: alternative,
        witness: witness))
  }

  /// Returns the residual condition of a statement for outsiders, with the alternatives that are
  /// open to them.
  private func residual(
    _ claim: CompiledClaim, _ operation: AccessMatrix.Operation, _ outsider: Outsider,
    _ allow: AllowID, _ budget: Budget
  ) -> ResidualCondition? {
    for scenario in questions.scenarios(of: claim, performing: operation) {
      if budget.isSpent { return nil }
      guard
        let (goal, roots) = questions.goal(
          claim, for: scenario, by: outsider, granting: allow, at: nil, within: budget),
        !roots.contains(.no)
      else { continue }
      return ConditionReducer(goal, of: roots).residual(of: allow)
    }
    return nil
  }

  /// Searches for an outsider's request that the statement grants; if there is none, returns
  /// whether that is proved. If earlier statements grant the found requests, too, others are looked
  /// for next.
  private func searched(
    _ claim: CompiledClaim, _ operation: AccessMatrix.Operation, _ outsider: Outsider,
    _ allow: AllowID, _ time: Timestamp?, _ budget: Budget,
    _ confirmed: (CandidateRequest) -> Counterexample?
  ) -> (Counterexample?, isRefuted: Bool) {
    for isFirst in [false, true] {
      var isRefuted = true
      for scenario in questions.scenarios(of: claim, performing: operation) {
        if budget.isSpent { return (nil, false) }
        guard
          let (goal, roots) = questions.goal(
            claim, for: scenario, by: outsider, granting: allow, isFirst: isFirst, at: time,
            within: budget)
        else {
          isRefuted = false
          continue
        }
        switch step(goal, roots, confirmed) {
        case .confirmed(let found, _): return (found, false)
        case .refuted: break
        case .open: isRefuted = false
        }
      }
      if isRefuted {
        return (nil, !isFirst && isRefusedToAll(claim, operation, outsider, allow, time, budget))
      }
    }
    return (nil, false)
  }

  /// True if it is proved that a statement grants nothing to outsiders, whatever their user IDs and
  /// e-mail addresses are, now or later.
  private func isRefusedToAll(
    _ claim: CompiledClaim, _ operation: AccessMatrix.Operation, _ outsider: Outsider,
    _ allow: AllowID, _ time: Timestamp?, _ budget: Budget
  ) -> Bool {
    questions.scenarios(of: claim, performing: operation).allSatisfy { scenario in
      guard !budget.isSpent,
        let (goal, roots) = questions.goal(
          claim, for: scenario, by: outsider, isNamed: false, granting: allow, at: time,
          within: budget),
        case .refuted = step(goal, roots, { _ in nil })
      else { return false }
      return true
    }
  }

  private func step(
    _ goal: Goal, _ roots: [Ref], _ confirmed: (CandidateRequest) -> Counterexample?
  ) -> CounterexampleSearch<OpenReason>.Step<Counterexample> {
    if roots.contains(.no) { return .refuted }
    var search = CounterexampleSearch<OpenReason>(
      goal, conflicts: SearchStrategy.fewConflicts, probes: 0)
    return search.next(roots, confirm: confirmed, decides: { _ in false }, reasons: { _, _ in [] })
  }
}

extension Client {
  /// The claims that define the kind of client, if only claims do; nil for other kinds and for
  /// signed-out clients.
  var roles: Set<Text>? {
    switch self {
    case .signedOut, .mixed: return nil
    case .signedIn, .stranger: return []
    case .marked(let marks):
      var names: Set<Text> = []
      for mark in marks {
        guard case .role(let role) = mark, let name = role.claim.first else { return nil }
        names.insert(name)
      }
      return names
    }
  }
}

extension ResidualCondition {
  /// True if a part compares the account with the request's content and with no stored data.
  fileprivate var comparesAccount: Bool {
    switch self {
    case .nothing: false
    case .text(_, _, let reads):
      reads.contains([.account, .sent]) && !reads.contains(.stored) && !reads.contains(.others)
    case .all(let parts), .any(let parts): parts.contains { $0.comparesAccount }
    }
  }
}
