import RulesEval
import RulesLang
import RulesSolver
import RulesVerify

// The check of an audit. The answers "never" and "always" of one path are put to the proof checker as claims
// that share one query for each kind of request.
//
// Sound: an answer counts as checked only if `ConfirmedCells`, which only `ProofChecker` makes, contains the
// claim of its client, operation and path. An answer without a check stays what the search has shown.

/// The check of the answers about one path.
struct CellCheck {
  private let rules: Checked
  private let profile: Profile
  /// Creates the budget of one kind of request.
  private let question: () -> Budget

  /// Creates the check for rules; `question` creates the budget of one kind of request.
  init(_ rules: Checked, profile: Profile, asking question: @escaping () -> Budget) {
    (self.rules, self.profile, self.question) = (rules, profile, question)
  }

  /// Asks the proof checker about all answers of a path that rest on a proof.
  func check(_ path: inout AccessMatrix.Path) {
    var conditions = path.clients.map { Text(path.columns.condition(of: $0)) }
    var claims: [AccessMatrix.CellPlace: CellClaim] = [:]
    for row in path.rows.indices {
      let operation = path.rows[row].operation
      let limit = operation.condition.map { Text($0) }
      if let limit { conditions.append(limit) }
      for column in path.clients.indices {
        guard let obligation = path.rows[row].cells[column].answer.provedObligation else {
          continue
        }
        claims[AccessMatrix.CellPlace(row: row, column: column)] = CellClaim(
          method: operation.method, isOfGroup: operation == .listGroup,
          conditions: [column] + (limit == nil ? [] : [conditions.count - 1]),
          obligation: obligation)
      }
    }
    if claims.isEmpty { return }
    var spent: [RequestKind: Budget.Exhaustion] = [:]
    let cells = claims.values.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    let confirmed = confirm(cells, on: path.path, given: conditions, spent: &spent)
    for (place, claim) in claims {
      path.rows[place.row].cells[place.column].unchecked =
        confirmed.contains(claim)
        ? nil : confirmed.reasons[claim]?.reason(spent: spent) ?? .notAsked
    }
  }

  private func confirm(
    _ cells: [CellClaim], on path: ClaimPath, given conditions: [Text],
    spent: inout [RequestKind: Budget.Exhaustion]
  ) -> ConfirmedCells {
    var methods = MethodSet([])
    for cell in cells { methods.formUnion(MethodSet(cell.method)) }
    let claim = Claim(name: "audit", path: path, methods: methods, obligation: .never)
    let compiling = question()
    compiling.charge(Checked.steps(toCheck: rules.ruleset.source))
    compiling.settle()
    let confirmed = ProofChecker.confirm(
      cells, of: claim, given: conditions, about: rules, profile: profile
    ) { shared, kind, cells in
      let whole = question()
      let budget = whole.question(steps: whole.steps / Strategy.checkShare)
      defer {
        budget.settle()
        whole.settle()
        spent[kind] = budget.exhaustion
      }
      budget.charge(shared.question.extent)
      var refutation = CellRefutation(shared.question)
      for cell in cells { _ = refutation.refute(shared.refutation(of: cell), within: budget) }
      return refutation.lines(within: budget)
    }
    compiling.charge(confirmed.effort)
    compiling.settle()
    return confirmed
  }
}

extension CellClaim {
  /// Numbers by which claims are sorted: those of one condition follow each other.
  fileprivate var order: [Int] {
    [obligation == .never ? 0 : 1, Int(method.rawValue), isOfGroup ? 1 : 0] + conditions
  }
}

extension AccessMatrix.Answer {
  /// The obligation of an answer that rests on a proof alone; nil for other answers.
  fileprivate var provedObligation: CellClaim.Obligation? {
    switch self {
    case .never: .never
    case .always: .always
    case .onlyIf, .undecided: nil
    }
  }
}

extension Unconfirmed {
  /// Returns the reason of a check of which some kinds of requests exceeded their budget.
  fileprivate func reason(spent: [RequestKind: Budget.Exhaustion]) -> ProofCheck.Reason {
    if case .unproved(let kind) = self, let limit = spent[kind] { return .spent(limit) }
    return reason(within: Budget())
  }
}
