import RulesEval
import RulesLang
import RulesSolver

// Requests found by a search or attack have irrelevant parts. Only those that are shown are shrunk.

/// Shrinks the example requests of a path's cells.
struct CellExamples {
  private let table: PathTable
  private let set: ClaimSet
  /// Creates the budget of one request.
  private let question: () -> Budget

  /// Prepares for a path.
  ///
  /// - Parameter question: Creates the budget of one request.
  init(_ table: PathTable, of set: ClaimSet, asking question: @escaping () -> Budget) {
    (self.table, self.set, self.question) = (table, set, question)
  }

  /// Shrinks the example requests until the budget is spent.
  func shrink(in path: inout AccessMatrix.Path) {
    for row in path.rows.indices {
      for column in path.clients.indices {
        var cell = path.rows[row].cells[column]
        guard cell.allowed != nil || cell.denied != nil else { continue }
        let (client, operation) = (path.clients[column], path.rows[row].operation)
        cell.allowed = cell.allowed.map { shrunk($0, client, operation, .never) }
        cell.denied = cell.denied.map {
          shrunk($0, client, operation, .alwaysIf(Claim.Condition("true")))
        }
        path.rows[row].cells[column] = cell
      }
    }
    for place in path.openings.indices {
      let opening = path.openings[place]
      guard let witness = opening.witness else { continue }
      let client = path.clients[opening.column]
      path.openings[place].witness = shrunk(
        witness, client, path.rows[opening.shown].operation, .never, showing: opening)
    }
  }

  /// Returns a smaller request with the same outcome. For an opening, the client stays an outsider, and the
  /// time does not change if it matters.
  private func shrunk(
    _ found: Counterexample, _ client: Client, _ operation: AccessMatrix.Operation,
    _ obligation: Claim.Obligation, showing opening: AccessMatrix.Opening? = nil
  ) -> Counterexample {
    guard let candidate = found.candidate,
      let claim = table.claim(client, operation, obligation, in: set)
    else { return found }
    let budget = question()
    defer { budget.settle() }
    var prover = Prover(set, within: budget)
    if let opening {
      let kept = client.roles ?? []
      let outsider = Outsider(in: set.rules, claims: !opening.claims.isEmpty, keeping: kept)
      let (isOutsider, isTimed) = (outsider.isOutsider(candidate), opening.isTimed)
      let set = set
      prover.replay = { smaller, claim in
        if isOutsider, !outsider.isOutsider(smaller) { return nil }
        if isTimed, smaller.time != candidate.time { return nil }
        return set.refutation(by: smaller, of: claim, within: budget)
      }
    }
    return prover.explained(
      prover.shrunk(found, to: candidate, against: claim), against: claim)
  }
}

extension AccessMatrix.Path {
  /// Removes the examples of all other cells.
  mutating func dropExamples(but kept: [AccessMatrix.CellPlace]) {
    for row in rows.indices {
      for column in rows[row].cells.indices
      where !kept.contains(AccessMatrix.CellPlace(row: row, column: column)) {
        rows[row].cells[column].allowed = nil
        rows[row].cells[column].denied = nil
      }
    }
  }
}
