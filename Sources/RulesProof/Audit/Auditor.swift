import RulesEncoding
import RulesEval
package import RulesLang
package import RulesSolver

// Each cell of the matrix is two claims about requests of one operation by one kind of client:
// "never" and, if that does not hold, "always". They are decided like any other claims, so that an
// answer rests on a proof or on a request that the evaluator decided. The claims of all paths are
// compiled together, and those of one path share what is known of each kind of request (`PathQuestions`).

/// Finds out who can do what.
package struct Auditor {
  private let rules: Checked
  private let profile: Profile
  /// How much is asked before the absence of models is a proof.
  private let scrutiny: Scrutiny
  /// Makes the budget of one answer.
  private let question: () -> Budget

  /// Prepares for rules.
  package init(
    _ rules: Checked, profile: Profile = .emulator,
    scrutiny: Scrutiny = Scrutiny(),
    asking question: @escaping () -> Budget = { Budget() }
  ) {
    self.rules = rules
    self.profile = profile
    self.scrutiny = scrutiny
    self.question = question
  }

  /// Decides every cell.
  package func matrix() -> AccessMatrix {
    var matrix = AccessMatrix(paths: paths())
    matrix.escalations =
      EscalationSearch(rules, profile: profile, scrutiny: scrutiny, asking: question).all()
    return matrix
  }

  // MARK: Paths

  private func paths() -> [AccessMatrix.Path] {
    var tables = AuditedPath.all(in: rules).map { PathTable(of: $0, in: rules) }
    let compiling = question()
    if !compiling.isSpent {
      compiling.charge(
        Checked.steps(toCheck: rules.ruleset.source) + tables.reduce(0) { $0 + $1.stepsToCompile })
      compiling.settle()
    }
    if let spent = compiling.doubt {
      for place in tables.indices { tables[place].doubts = [spent] }
    }
    let compiled = compiled(&tables)
    return tables.map { table in
      guard let compiled, table.doubts.isEmpty else { return undecided(table) }
      return path(table, of: compiled.set, on: compiled.attack)
    }
  }

  /// The claims of all paths, and what they are tried on; paths whose claims cannot be compiled are told
  /// why. Nil if nothing can be.
  private func compiled(_ tables: inout [PathTable]) -> (set: ClaimSet, attack: Attack)? {
    // Without those at fault the rest compiles.
    for _ in 0..<2 {
      var claims: [Claim] = []
      var owners: [Int] = []
      for place in tables.indices where tables[place].doubts.isEmpty {
        tables[place].first = claims.count
        claims += tables[place].claims
        owners += tables[place].claims.map { _ in place }
      }
      do throws(ClaimSet.Refusal) {
        let set = try ClaimSet(claims, about: rules, profile: profile)
        return (set, Attack(set))
      } catch {
        for problem in error.problems {
          tables[owners[problem.claim]].doubts.append(Doubt(problem.message))
        }
      }
    }
    return nil
  }

  private func path(
    _ table: PathTable, of set: ClaimSet, on attack: Attack
  ) -> AccessMatrix.Path {
    let questions = PathQuestions(table, of: set, asking: question)
    let grounds = Grounds(attacking: attack)
    var path = AccessMatrix.Path(
      path: table.audited.path, blocks: table.audited.blocks, clients: [], rows: [])
    path.clients = table.clients.filter { client in
      let budget = question()
      defer { budget.settle() }
      return questions.mayExist(client, on: grounds, within: budget)
    }
    path.rows = table.operations.compactMap {
      row(for: $0, clients: path.clients, questions, on: grounds)
    }
    return path
  }

  private func undecided(_ table: PathTable) -> AccessMatrix.Path {
    let cell = AccessMatrix.Cell(answer: .undecided, doubts: table.doubts)
    return AccessMatrix.Path(
      path: table.audited.path, blocks: table.audited.blocks, clients: table.clients,
      rows: table.operations.map { operation in
        AccessMatrix.Row(operation: operation, cells: table.clients.map { _ in cell })
      })
  }

  /// The answers for one operation; nil for a query of the collection group that no client can make.
  private func row(
    for operation: AccessMatrix.Operation, clients: [Client], _ questions: PathQuestions,
    on grounds: Grounds
  ) -> AccessMatrix.Row? {
    let cells = clients.map { client in
      let budget = question()
      defer { budget.settle() }
      let prover = Prover(questions.set, sharing: grounds, scrutiny: scrutiny, within: budget)
      return CellDecision(operation, by: client, questions, with: prover).cell()
    }
    if operation == .listGroup, cells.allSatisfy({ $0.answer == .never }) { return nil }
    return AccessMatrix.Row(operation: operation, cells: cells)
  }
}
