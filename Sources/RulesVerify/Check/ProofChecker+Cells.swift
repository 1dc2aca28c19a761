package import RulesEval
package import RulesLang

// Cells of one table are checked together. For each kind of request there is one set of clauses: every step
// of the proofs is checked once, and then a cell is refuted if its propositions contradict the clauses by
// unit propagation.
//
// Sound: clauses follow from the axioms alone, never from the propositions of a cell.

extension ProofChecker {
  /// Confirms cells by steps that `prove` finds. Every query is encoded here, and every step is checked as
  /// if it were read from a certificate; `prove` need not be trusted.
  ///
  /// - Parameters:
  ///   - claim: The claim that is never granted what some request to the path asks for; its path and
  ///     methods are those of the cells.
  ///   - conditions: The conditions of the cells.
  ///   - prove: Returns the lines of a proof that refutes some cells of a kind of request, which unit
  ///     propagation alone does not.
  package static func confirm(
    _ cells: [CellClaim], of claim: Claim, given conditions: [Text], about rules: Checked,
    profile: Profile, by prove: (CellQuestion, RequestKind, [CellClaim]) -> [String]
  ) -> ConfirmedCells {
    var confirmed = ConfirmedCells(cells)
    let stated: StatedClaim
    do throws(StatementProblem) {
      stated = try StatedClaim(claim, given: conditions, about: rules, profile: profile)
    } catch {
      confirmed.refuse(cells, because: .unstated(error.message))
      return confirmed
    }
    for cell in cells where !stated.kinds.contains(where: { cell.covers($0) }) {
      confirmed.refuse([cell], because: .unstated("the claim is about no request"))
    }
    for kind in stated.kinds {
      let own = cells.filter { $0.covers(kind) && confirmed.reasons[$0] == nil }
      if !own.isEmpty { confirm(own, stated, for: kind, by: prove, in: &confirmed) }
    }
    return confirmed
  }

  private static func confirm(
    _ cells: [CellClaim], _ stated: StatedClaim, for kind: RequestKind,
    by prove: (CellQuestion, RequestKind, [CellClaim]) -> [String],
    in confirmed: inout ConfirmedCells
  ) {
    let shared: CellQuestion
    do throws(StatementProblem) {
      shared = try CellQuestion(of: cells, stated, for: kind)
    } catch {
      return confirmed.refuse(cells, because: .unstated(error.message))
    }
    var cells = cells
    if let problem = shared.denialProblem {
      confirmed.refuse(
        cells.filter { $0.obligation == .always }, because: .unstated(problem.message))
      cells.removeAll { $0.obligation == .always }
    }
    cells.removeAll { shared.refutation(of: $0).isContradictory }
    if cells.isEmpty { return }
    var checker = QuestionChecker(shared.question)
    defer { confirmed.add(effort: checker.effort) }
    cells.removeAll { checker.refutes(shared.refutation(of: $0)) }
    if cells.isEmpty { return }
    do throws(CertificateProblem) {
      try checker.take(prove(shared, kind, cells))
    } catch {
      return confirmed.refuse(cells, because: .refused(kind, error))
    }
    for cell in cells where !checker.refutes(shared.refutation(of: cell)) {
      confirmed.refuse([cell], because: .unproved(kind))
    }
  }
}

/// The cells that the proof checker has confirmed. Only `ProofChecker` makes one.
package struct ConfirmedCells: Sendable {
  /// The cells in question.
  private let cells: Set<CellClaim>
  /// The cells that are not confirmed, with the reason.
  package private(set) var reasons: [CellClaim: Unconfirmed] = [:]
  /// The number of clause visits that checking the steps took.
  package private(set) var effort = 0

  fileprivate init(_ cells: [CellClaim]) { self.cells = Set(cells) }

  /// True if the checker has confirmed a cell.
  package func contains(_ cell: CellClaim) -> Bool {
    cells.contains(cell) && reasons[cell] == nil
  }

  fileprivate mutating func refuse(_ cells: [CellClaim], because reason: Unconfirmed) {
    for cell in cells { reasons[cell] = reason }
  }

  fileprivate mutating func add(effort: Int) { self.effort += effort }
}

extension [Prop] {
  /// True if no assignment satisfies all of the propositions, whatever they mean.
  var isContradictory: Bool { contains { $0 == .no || contains(!$0) } }
}
