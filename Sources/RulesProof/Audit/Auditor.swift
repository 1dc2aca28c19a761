import RulesEncoding
import RulesEval
public import RulesLang
public import RulesSolver

// Each cell of the matrix is two claims about requests of one operation by one kind of client:
// "never" and, if that does not hold, "always". They are decided like any other claims, so that an
// answer rests on a proof or on a request that the evaluator decided.

/// Finds out who can do what.
public struct Auditor {
  private let rules: Checked
  private let profile: Profile
  /// How much is asked before the absence of models is a proof.
  private let scrutiny: Scrutiny
  /// Makes the budget of one answer.
  private let question: () -> Budget

  /// Prepares for rules.
  public init(
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
  public func matrix() -> AccessMatrix {
    var matrix = AccessMatrix(paths: AuditedPath.all(in: rules).map { path($0) })
    matrix.escalations =
      EscalationSearch(rules, profile: profile, scrutiny: scrutiny, asking: question).all()
    return matrix
  }

  // MARK: Paths

  /// So many roles have a column. Who has another one is among the strangers, whose answers then name it
  /// as a condition.
  private static let greatestRoles = 24
  /// The same of documents that name clients.
  private static let greatestRelations = 3
  /// What it takes to write and compile what the claims of a cell say of one kind of client.
  private static let stepsForKind = 480

  private func path(_ audited: AuditedPath) -> AccessMatrix.Path {
    let mentions = Mentions(of: audited, in: rules)
    let kinds = Client.all(
      owners: mentions.owners, roles: Array(mentions.roles.prefix(Self.greatestRoles)),
      relations: Array(mentions.relations.prefix(Self.greatestRelations)))
    let operations = operations(mentions.fields)
    var path = AccessMatrix.Path(
      path: audited.path, blocks: audited.blocks, clients: kinds, rows: [])
    let compiling = question()
    // The two claims of a cell say of each kind of client whether it is meant.
    let cells = operations.count * kinds.count
    if !compiling.isSpent {
      compiling.charge(
        Checked.steps(toCheck: rules.ruleset.source) + Self.stepsForKind * cells * kinds.count)
      compiling.settle()
    }
    if let spent = compiling.doubt {
      path.rows = undecided(operations, for: kinds, because: [spent])
      return path
    }
    let table = ClaimTable(at: audited.path, clients: kinds, operations: operations)
    do throws(ClaimSet.Refusal) {
      let set = try ClaimSet(table.claims, about: rules, profile: profile)
      let grounds = Grounds()
      path.clients = clients(of: table, in: set, on: grounds)
      path.rows = table.operations.compactMap {
        row(for: $0, clients: path.clients, in: table, of: set, on: grounds)
      }
    } catch {
      path.rows = undecided(
        operations, for: kinds, because: error.problems.map { Doubt($0.message) })
    }
    return path
  }

  private func undecided(
    _ operations: [AccessMatrix.Operation], for clients: [Client], because doubts: [Doubt]
  ) -> [AccessMatrix.Row] {
    let cell = AccessMatrix.Cell(answer: .undecided, doubts: doubts)
    return operations.map {
      AccessMatrix.Row(operation: $0, cells: clients.map { _ in cell })
    }
  }

  private func operations(_ fields: [Text]) -> [AccessMatrix.Operation] {
    [.get, .list, .listGroup, .create] + fields.map { .update($0) } + [
      .updateOther(fields), .delete,
    ]
  }

  /// The kinds of which there can be a client: nobody has two values in one claim. One is left out only
  /// if neither a search nor an attack comes upon such a client.
  private func clients(
    of table: ClaimTable, in set: ClaimSet, on grounds: Grounds
  ) -> [Client] {
    table.clients.filter { client in
      guard let index = table.index(of: .get, by: client, kind: .never) else { return true }
      let claim = set.claims[index]
      let budget = question()
      defer { budget.settle() }
      return set.scenarios(of: claim).contains { scenario in
        let goal = Goal(claim, in: set, for: scenario, budget: budget)
        let search = goal.search(for: [goal.scope], within: SearchBudget(conflicts: 2000))
        return search.result != .unsatisfiable
          || grounds.attack(on: set).inhabitant(of: claim, scenario, within: budget) != nil
          || budget.lateness != nil
      }
    }
  }

  /// The answers for one operation; nil for a query of the collection group that no client can make.
  private func row(
    for operation: AccessMatrix.Operation, clients: [Client], in table: ClaimTable,
    of set: ClaimSet,
    on grounds: Grounds
  ) -> AccessMatrix.Row? {
    let cells = clients.map { client in
      let budget = question()
      defer { budget.settle() }
      guard let never = table.index(of: operation, by: client, kind: .never),
        let always = table.index(of: operation, by: client, kind: .always)
      else {
        return AccessMatrix.Cell(
          answer: .undecided, doubts: [Doubt("nothing was asked of this kind of client")])
      }
      let prover = Prover(set, sharing: grounds, scrutiny: scrutiny, within: budget)
      return CellDecision(operation, by: prover).cell(never: never, always: always)
    }
    if operation == .listGroup, cells.allSatisfy({ $0.answer == .never }) { return nil }
    return AccessMatrix.Row(operation: operation, cells: cells)
  }
}

/// The claims of one path: two for each client and operation.
struct ClaimTable {
  /// What is claimed.
  enum Kind: Int {
    case never, always
  }

  let clients: [Client]
  let operations: [AccessMatrix.Operation]
  /// The claims, by operation, then client, then kind.
  private(set) var claims: [Claim] = []

  init(at path: ClaimPath, clients: [Client], operations: [AccessMatrix.Operation]) {
    self.clients = clients
    self.operations = operations
    for operation in operations {
      for client in clients {
        let conditions = [client.condition(among: clients), operation.condition].compactMap { $0 }
        let given = Claim.Condition(Text(conditions.joined(separator: " && ")))
        for obligation in [Claim.Obligation.never, .alwaysIf(Claim.Condition("true"))] {
          var claim = Claim(
            name: "\(client.label): \(operation.label)", path: path,
            methods: MethodSet(operation.method), obligation: obligation)
          claim.given = given
          claims.append(claim)
        }
      }
    }
  }

  /// The place of a claim.
  func index(of operation: AccessMatrix.Operation, by client: Client, kind: Kind) -> Int? {
    guard let row = operations.firstIndex(of: operation),
      let column = clients.firstIndex(of: client)
    else { return nil }
    return (row * clients.count + column) * 2 + kind.rawValue
  }
}

/// Decides one cell.
struct CellDecision {
  private let prover: Prover
  private let operation: AccessMatrix.Operation
  private var set: ClaimSet { prover.set }

  init(_ operation: AccessMatrix.Operation, by prover: Prover) {
    self.prover = prover
    self.operation = operation
  }

  /// The answer to two claims.
  func cell(never: Int, always: Int) -> AccessMatrix.Cell {
    var cell = AccessMatrix.Cell(answer: .undecided)
    if let spent = prover.budget.doubt {
      cell.doubts = [spent]
      return cell
    }
    var goals = goals(of: never)
    let (allowed, doubts) = finding(from: &goals, claim: never)
    if allowed == nil, doubts.isEmpty {
      cell.answer = .never
      cell.basis = prover.proof(of: set.claims[never], goals, explaining: true).statements
      return cell
    }
    cell.allowed = allowed
    cell.doubts = doubts
    if doubts.isEmpty {
      var others = self.goals(of: always)
      (cell.denied, cell.doubts) = finding(from: &others, claim: always)
      if cell.doubts.isEmpty { cell.answer = cell.denied == nil ? .always : .onlyIf }
    }
    // What a search says that has missed something is not passed on.
    if cell.answer != .always, !cell.doubts.contains(where: { $0.isMissed }) {
      cell.alternatives = alternatives(goals)
    }
    return cell
  }

  private func goals(of index: Int) -> [Goal] {
    let claim = set.claims[index]
    return set.scenarios(of: claim).filter { operation.covers($0.access) }.map {
      Goal(claim, in: set, for: $0, budget: prover.budget)
    }
  }

  /// What comes of all kinds of requests of a claim: the first counterexample, else the doubts.
  /// Afterwards the questions know what was found out, but nothing is ruled out in them.
  private func finding(
    from goals: inout [Goal], claim index: Int
  ) -> (request: Counterexample?, doubts: [Doubt]) {
    var doubts: [Doubt] = []
    for place in goals.indices {
      let finding = prover.decide(goals[place], of: set.claims[index])
      if case .none(let refuted, _) = finding {
        goals[place] = refuted
        continue
      }
      goals[place] = Goal(
        set.claims[index], in: set, for: goals[place].scenario, budget: prover.budget)
      switch finding {
      case .none: break
      case .found(let request):
        // What the search has missed once it may miss again: the cell stays open.
        guard let missed = request.missed else { return (request, []) }
        return (request, [Doubt(missed: missed)])
      case .doubtful(let reasons): doubts += reasons
      }
    }
    return (nil, doubts.distinct)
  }

  /// Under which conditions requests are allowed, and which of them.
  private func alternatives(_ goals: [Goal]) -> [AccessMatrix.Alternative] {
    var found: [(alternative: AccessMatrix.Alternative, accesses: [Scenario.Access])] = []
    for goal in goals {
      for alternative in ConditionReducer(goal).alternatives() {
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
  /// What the ways have in common in which a statement can grant.
  fileprivate init(_ accesses: [Scenario.Access]) {
    if accesses.allSatisfy({ $0 == .namedQuery }) {
      self = .namedQueries
    } else if !accesses.contains(.group(below: 0)),
      accesses.allSatisfy({ AccessMatrix.Operation.listGroup.covers($0) })
    {
      self = .queriesBelowDocuments
    } else {
      self = .all
    }
  }
}
