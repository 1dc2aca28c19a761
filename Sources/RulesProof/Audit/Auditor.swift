import RulesEncoding
package import RulesEval
package import RulesLang
package import RulesSolver

// Each cell of the matrix is decided by two claims about requests of one operation by one kind of
// client: "never" and, if that is refuted, "always". The claims of all paths are compiled together, and
// those of one path share base encodings (`PathQuestions`).
//
// Sound: `never` and `always` are proved, each under attack; `onlyIf` rests on two requests that the
// evaluator decided. Everything else is `undecided`.

/// Computes the access matrix of rules.
package struct Auditor {
  private let rules: Checked
  private let profile: Profile
  /// The validation policy of UNSAT answers.
  private let validation: ValidationPolicy
  private let examples: AccessMatrix.Examples
  /// The present time, for time-dependent conditions; nil if unknown.
  private let now: Timestamp?
  /// The field that the audit is about; nil for all fields.
  private let field: Text?
  /// True if the proof checker is asked about proved answers.
  private let checks: Bool
  /// Creates the budget of one cell.
  private let question: () -> Budget

  /// Prepares an audit.
  ///
  /// - Parameters:
  ///   - examples: The requests to be shown. With `all`, the basis of "never" is shown, too.
  ///     Answers do not depend on this.
  ///   - now: The present time, for conditions that depend on the time only.
  ///   - field: Restricts the matrix to paths whose rules name the field or let somebody write it,
  ///     and omits escalations.
  ///   - checks: True to ask the proof checker about proved answers. Answers do not depend on this.
  ///   - question: Creates the budget of one cell.
  package init(
    _ rules: Checked, profile: Profile = .emulator,
    validation: ValidationPolicy = ValidationPolicy(), examples: AccessMatrix.Examples = .all,
    at now: Timestamp? = nil, about field: Text? = nil, checks: Bool = true,
    asking question: @escaping () -> Budget = { Budget() }
  ) {
    self.rules = rules
    self.profile = profile
    self.validation = validation
    self.examples = examples
    self.now = now
    self.field = field
    self.checks = checks
    self.question = question
  }

  /// Decides every cell.
  package func matrix() -> AccessMatrix {
    var tables = AuditedPath.all(in: rules).map { PathTable(of: $0, in: rules, about: field) }
    let set = compiled(&tables)
    let attack = set.map { Attack($0) }
    var trials: [[[OpeningTrial]]] = []
    var opened: Set<AllowID> = []
    var matrix = AccessMatrix(
      paths: tables.map { table in
        guard let set, let attack, table.openReasons.isEmpty else {
          trials.append([])
          return undecided(table)
        }
        var path = path(table, of: set, on: attack)
        trials.append(self.trials(on: path, table, of: set))
        path.ruled = ruled(table.audited)
        opened.formUnion(path.opened)
        if examples == .ofFindings {
          let shown = trials.last?.compactMap { $0.first?.opening }.map {
            AccessMatrix.CellPlace(row: $0.shown, column: $0.column)
          }
          path.dropExamples(but: path.findings.compactMap { $0.cell } + (shown ?? []))
        }
        return path
      })
    let search = OpeningSearch(rules, profile: profile, validation: validation, asking: question)
    for (place, openings) in search.proved(trials, of: tables).enumerated() {
      matrix.paths[place].openings =
        openings
        + matrix.paths[place].openings.filter { one in !openings.contains { $0.covers(one) } }
      opened.formUnion(openings.map { $0.alternative.allow })
      if examples == .ofFindings {
        matrix.paths[place].dropExamples(but: matrix.paths[place].findings.compactMap { $0.cell })
      }
    }
    matrix.opened = opened
    if field == nil {
      matrix.escalations =
        EscalationSearch(rules, profile: profile, validation: validation, asking: question).all()
      matrix.correctEscalations()
    }
    // Examples come last, so that no answer depends on them.
    if let set {
      for place in matrix.paths.indices {
        if examples == .all { explain(&matrix.paths[place], tables[place], of: set) }
        let shown = CellExamples(tables[place], of: set, asking: question)
        shown.shrink(in: &matrix.paths[place])
      }
    }
    if let field {
      matrix.isFieldNamed = tables.contains { $0.fields.contains(field) }
      matrix.paths = zip(matrix.paths, tables).compactMap { path, table in
        table.fields.contains(field) || path.isWritable ? path : nil
      }
    }
    if checks {
      let check = CellCheck(rules, profile: profile, asking: question)
      for place in matrix.paths.indices { check.check(&matrix.paths[place]) }
    }
    return matrix
  }

  /// Decides the cells of some statements' paths, without openings, escalations and examples.
  package func answers(of statements: Set<AllowID>) -> [AccessMatrix.Path] {
    let wanted = Set(statements.map { rules.ruleset[$0].match })
    var tables = AuditedPath.all(in: rules).filter { !wanted.isDisjoint(with: $0.blocks) }
      .map { PathTable(of: $0, in: rules) }
    guard let set = compiled(&tables) else { return tables.map { undecided($0) } }
    let attack = Attack(set)
    return tables.map { table in
      guard table.openReasons.isEmpty else { return undecided(table) }
      let questions = PathQuestions(table, of: set, asking: question)
      return answers(table, questions, on: BaseEncodingCache(attacking: attack))
    }
  }

  // MARK: Claims

  /// Compiles the claims of all paths, and records why the claims of a path do not compile. Nil if
  /// none do.
  private func compiled(_ tables: inout [PathTable]) -> ClaimSet? {
    let compiling = question()
    if !compiling.isSpent {
      compiling.charge(
        Checked.steps(toCheck: rules.ruleset.source) + tables.reduce(0) { $0 + $1.stepsToCompile })
      compiling.settle()
    }
    if let spent = compiling.openReason {
      for place in tables.indices { tables[place].openReasons = [spent] }
    }
    // A second attempt without the paths at fault.
    for _ in 0..<2 {
      var claims: [Claim] = []
      var owners: [Int] = []
      for place in tables.indices where tables[place].openReasons.isEmpty {
        tables[place].first = claims.count
        claims += tables[place].claims
        owners += tables[place].claims.map { _ in place }
      }
      do throws(ClaimSet.Refusal) {
        return try ClaimSet(claims, about: rules, profile: profile)
      } catch {
        for problem in error.problems {
          tables[owners[problem.claim]].openReasons.append(OpenReason(problem.message))
        }
      }
    }
    return nil
  }

  // MARK: Paths

  private func path(
    _ table: PathTable, of set: ClaimSet, on attack: Attack
  ) -> AccessMatrix.Path {
    let questions = PathQuestions(table, of: set, asking: question)
    var path = answers(table, questions, on: BaseEncodingCache(attacking: attack))
    if path.isOvershadowed { return path }
    let search = OutsiderSearch(path, table, questions, of: rules, at: now, asking: question)
    let found = search.openings()
    (path.openings, path.unknown) = (found.openings, found.unknown)
    return path
  }

  /// Decides the cells of a path.
  private func answers(
    _ table: PathTable, _ questions: PathQuestions, on encodings: BaseEncodingCache
  ) -> AccessMatrix.Path {
    var path = AccessMatrix.Path(
      path: table.audited.path, blocks: table.audited.blocks, columns: .none, rows: [])
    path.columns = table.columns.keeping { client in
      let budget = question()
      defer { budget.settle() }
      return questions.mayExist(client, on: encodings, within: budget)
    }
    if path.isOvershadowed { return path }
    for operation in table.operations {
      guard var row = row(for: operation, clients: path.clients, questions, on: encodings) else {
        continue
      }
      if let last = path.rows.last { row.share(with: last) }
      path.rows.append(row)
    }
    return path
  }

  /// Returns the methods with a statement whose condition is not just `false`.
  private func ruled(_ audited: AuditedPath) -> MethodSet {
    var methods = MethodSet([])
    for (allow, _) in audited.statements(in: rules) {
      let condition = rules.ruleset[allow].condition.map { rules.ruleset.unparenthesized($0.root) }
      if let condition, case .literal(.bool(false)) = rules.ruleset[condition].kind { continue }
      methods.formUnion(rules.methods[allow.index])
    }
    return methods
  }

  /// Returns requests that may be granted to anybody, whatever is stored.
  private func trials(
    on path: AccessMatrix.Path, _ table: PathTable, of set: ClaimSet
  ) -> [[OpeningTrial]] {
    let budget = question()
    defer { budget.settle() }
    if budget.isSpent { return [] }
    return OpeningTrials(path, table, of: set, at: now, within: budget).all()
  }

  /// Computes the basis of the answers "never" until the budget is spent.
  private func explain(
    _ path: inout AccessMatrix.Path, _ table: PathTable, of set: ClaimSet
  ) {
    let questions = PathQuestions(table, of: set, asking: question)
    for row in path.rows.indices {
      for column in path.clients.indices where path.rows[row].cells[column].answer == .never {
        let budget = question()
        if budget.isSpent { return }
        defer { budget.settle() }
        let prover = Prover(set, validation: validation, within: budget)
        path.rows[row].cells[column].basis =
          CellDecision(
            path.rows[row].operation, by: path.clients[column], questions, with: prover
          ).basis()
      }
    }
  }

  private func undecided(_ table: PathTable) -> AccessMatrix.Path {
    let cell = AccessMatrix.Cell(answer: .undecided, openReasons: table.openReasons)
    return AccessMatrix.Path(
      path: table.audited.path, blocks: table.audited.blocks, columns: table.columns,
      rows: table.operations.map { operation in
        AccessMatrix.Row(operation: operation, cells: table.clients.map { _ in cell })
      })
  }

  /// Returns the answers for one operation; nil for queries of the collection group if no client can make one
  /// that does not name its document. The answers for `list` are about those that do, too.
  private func row(
    for operation: AccessMatrix.Operation, clients: [Client], _ questions: PathQuestions,
    on encodings: BaseEncodingCache
  ) -> AccessMatrix.Row? {
    if operation == .listGroup, let client = clients.first,
      let claim = questions.claim(client, operation, .never), !questions.mayListGroup(claim)
    {
      return nil
    }
    let cells = clients.map { client in
      let budget = question()
      defer { budget.settle() }
      let prover = Prover(questions.set, sharing: encodings, validation: validation, within: budget)
      return CellDecision(operation, by: client, questions, with: prover).cell()
    }
    if operation == .listGroup, cells.allSatisfy({ $0.grantsOnlyNamedQueries }) { return nil }
    return AccessMatrix.Row(operation: operation, cells: cells)
  }
}

extension AccessMatrix.Path {
  /// True if some client may write what the rows are about.
  fileprivate var isWritable: Bool {
    rows.contains { row in
      [.create, .update].contains(row.operation.method)
        && row.cells.contains { $0.answer != .never }
    }
  }
}

extension AccessMatrix.Cell {
  /// True if nothing is granted but queries that name the document.
  fileprivate var grantsOnlyNamedQueries: Bool {
    switch answer {
    case .never: true
    case .onlyIf: !alternatives.isEmpty && alternatives.allSatisfy { $0.reach == .namedQueries }
    case .always, .undecided: false
    }
  }
}

extension AccessMatrix {
  /// Removes escalations of conditions that new accounts satisfy, which protect nothing; notes
  /// where that is unknown.
  fileprivate mutating func correctEscalations() {
    escalations.removeAll {
      $0.level == .note && $0.sequence == nil && !$0.isChosen && opened.contains($0.allow)
    }
    let unknown = unknown.subtracting(opened)
    for place in escalations.indices where unknown.contains(escalations[place].allow) {
      guard escalations[place].isStable else { continue }
      escalations[place].message += "; not decided whether a new account satisfies it"
    }
  }
}

extension AccessMatrix.Path {
  /// The statements that let anybody read, update or delete documents of others.
  fileprivate var opened: Set<AllowID> {
    var found = Set(openings.map { $0.alternative.allow })
    for row in rows where row.operation.method != .create {
      for (client, cell) in zip(clients, row.cells) where client.isOpen && cell.answer == .always {
        if let allow = cell.allowed?.allow { found.insert(allow) }
      }
    }
    return found
  }
}

extension AccessMatrix.Opening {
  /// True if this opening implies another one.
  fileprivate func covers(_ other: Self) -> Bool {
    column == other.column && shown == other.shown && isNow
      && alternative.allow == other.alternative.allow
  }
}

extension AccessMatrix.Row {
  /// Shares the storage of equal alternatives with another row: hundreds of fields may have rows
  /// with the statements in common.
  fileprivate mutating func share(with other: Self) {
    for (column, cell) in other.cells.enumerated()
    where cells[column].alternatives == cell.alternatives {
      cells[column].alternatives = cell.alternatives
    }
  }
}
