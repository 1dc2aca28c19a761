import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Of one path and one kind of request, all cells ask the same rules about the same documents; they differ
// in whose requests they mean, and of an update in its fields. So the conditions of all columns and rows
// are compiled into one graph, what ties them together is stated once, and one search answers all cells:
// what each asks for is assumed, and what it teaches helps the next one.
//
// Sound: a question on shared ground has the models that it has by itself, since all that is stated for
// the other cells is true of every request.

/// The questions about the documents of one path, on shared grounds; for one thread.
final class PathQuestions {
  /// The claims, with those of other paths.
  let set: ClaimSet
  private let table: PathTable
  /// Makes the budget of what questions share.
  private let question: () -> Budget
  private var shared: [SharedGround] = []
  /// By methods, the kinds of requests.
  private var kinds: [(methods: MethodSet, scenarios: [Scenario])] = []

  /// A kind of request with all that is asked about it.
  private final class SharedGround {
    let scenario: Scenario
    let ground: Ground
    /// When a statement grants.
    let isGranted: Ref
    /// When the rules grant the other writes of the commit.
    let commit: Ref
    /// When the document is one that the path is about.
    let isMeant: Ref
    /// When the conditions of the claims are true.
    let scopes: [FunctionID: Ref]
    /// What models are to show for other cells as well.
    let neighbours: Neighbours
    let session = SearchSession()
    /// The clients of whose requests models were looked for that answer many questions.
    var surveyed: [Client] = []
    /// Whether the budget was spent before all was compiled: it would be again.
    let isHopeless: Bool
    /// What was compiled, if there was not enough time to close it, and that.
    let unclosed: (ground: Ground, doubt: Doubt)?

    init(
      _ scenario: Scenario, on path: ClaimPath, of set: ClaimSet, _ claims: [CompiledClaim],
      within budget: Budget
    ) {
      self.scenario = scenario
      var functions: [FunctionID] = []
      for claim in claims { functions += claim.limits(for: scenario.method) }
      var vocabulary = Vocabulary(set.rules)
      for function in functions { vocabulary.add(function) }
      vocabulary.addConditions(for: scenario)
      let ground = Ground(
        of: set.rules, in: Scene(scenario), keys: vocabulary.sorted, on: path, budget: budget)
      let compiler = ground.compiler
      isMeant = compiler.isMeant(by: path)
      var scopes: [FunctionID: Ref] = [:]
      var parts = CommonParts(on: compiler)
      for claim in claims {
        let frame = compiler.frame(of: claim)
        for function in claim.limits(for: scenario.method) {
          scopes[function] = parts.rails(of: function, in: frame).yes
        }
      }
      self.scopes = scopes
      Self.joinScopes(of: claims, as: scopes, isMeant, on: compiler, for: scenario)
      isGranted = compiler.problem.graph.or(ground.grants)
      commit = compiler.otherWritesAreGranted()
      neighbours = Neighbours(
        grants: ground.grants,
        rows: claims.filter { $0.claim.methods != MethodSet(.get) }
          .flatMap { $0.limits(for: scenario.method) }.map { scopes[$0] ?? .no },
        in: &compiler.problem.graph)
      isHopeless = compiler.isCutShort
      let open = Ground(copying: ground, budget: nil)
      let closing = budget.question(steps: budget.steps / Self.closingShare)
      compiler.begin(within: closing)
      // Who grants nothing is asked nothing.
      if isMeant != .no, isGranted != .no, isGranted != .yes { compiler.close() }
      closing.settle()
      // What is much to close is much to search; without it most is decided, too.
      unclosed =
        closing.isSpent && !isHopeless
        ? (
          open,
          budget.doubt
            ?? Doubt(
              "to relate what the conditions of the path ask takes more than 1/\(Self.closingShare) of "
                + "the steps of a question (--steps)")
        ) : nil
      self.ground = unclosed.map { Ground(copying: $0.ground, budget: nil) } ?? ground
    }

    /// Has all that cells ask for in the graph: a search is made anew for what is not.
    private static func joinScopes(
      of claims: [CompiledClaim], as scopes: [FunctionID: Ref], _ isMeant: Ref,
      on compiler: Compiler, for scenario: Scenario
    ) {
      let clients = claims.filter { $0.claim.methods == MethodSet(.get) }
      let operations = claims.filter { $0.claim.methods != MethodSet(.get) }
      for client in clients {
        let limits = [isMeant] + client.limits(for: scenario.method).map { scopes[$0] ?? .no }
        _ = compiler.problem.graph.and(limits)
        for operation in operations {
          let others = operation.limits(for: scenario.method).map { scopes[$0] ?? .no }
          _ = compiler.problem.graph.and(limits + others)
        }
      }
    }

    /// What the conditions ask is related for so great a part of what a question may cost.
    private static let closingShare = 5

    /// The same as another one before anything was asked of it. It was not closed in time.
    init?(beginningAnew other: SharedGround) {
      guard let unclosed = other.unclosed else { return nil }
      (scenario, isMeant) = (other.scenario, other.isMeant)
      (scopes, isGranted, neighbours) = (other.scopes, other.isGranted, other.neighbours)
      (commit, isHopeless) = (other.commit, false)
      self.unclosed = unclosed
      ground = Ground(copying: unclosed.ground, budget: nil)
    }
  }

  /// Prepares for a path; `question` makes the budget of what its cells share.
  init(_ table: PathTable, of set: ClaimSet, asking question: @escaping () -> Budget) {
    (self.table, self.set, self.question) = (table, set, question)
  }

  // MARK: Claims

  /// What is claimed of an operation of a client.
  func claim(
    _ client: Client, _ operation: AccessMatrix.Operation, _ obligation: Claim.Obligation
  ) -> CompiledClaim? {
    table.claim(client, operation, obligation, in: set)
  }

  /// Whether there may be a client of a kind: nobody has two values in one claim. There is none only if
  /// neither a search nor an attack comes upon one who reads a document, or creates it: what is written then
  /// can name a client whom nothing that is stored names.
  func mayExist(_ client: Client, on grounds: Grounds, within budget: Budget) -> Bool {
    mayExist(client, doing: .get, on: grounds, within: budget)
      || mayExist(client, doing: .create, on: grounds, within: budget)
  }

  private func mayExist(
    _ client: Client, doing operation: AccessMatrix.Operation, on grounds: Grounds,
    within budget: Budget
  ) -> Bool {
    guard let claim = claim(client, operation, .never) else { return true }
    return scenarios(of: claim).contains { scenario in
      let goal = goal(claim, for: scenario, within: budget)
      let search = goal.search(for: [goal.scope], within: SearchBudget(conflicts: 2000))
      return search.result != .unsatisfiable
        || grounds.attack(on: set).inhabitant(of: claim, scenario, within: budget) != nil
        || budget.lateness != nil
    }
  }

  // MARK: Questions

  /// The kinds of requests that one of the claims is about. They are the same for all clients.
  func scenarios(of claim: CompiledClaim) -> [Scenario] {
    let methods = claim.claim.methods
    if let known = kinds.first(where: { $0.methods == methods }) { return known.scenarios }
    let scenarios = set.scenarios(of: claim)
    kinds.append((methods, scenarios))
    return scenarios
  }

  /// The question of a claim for a kind of request.
  func goal(_ claim: CompiledClaim, for scenario: Scenario, within budget: Budget) -> Goal {
    let shared = shared(scenario)
    let compiler = shared.ground.compiler
    // On what was not finished everything stays open.
    if !shared.isHopeless { compiler.begin(within: budget) }
    let limits =
      [shared.isMeant] + claim.limits(for: scenario.method).map { shared.scopes[$0] ?? .no }
    return Goal(
      scenario, on: shared.ground, scope: compiler.problem.graph.and(limits),
      isGranted: shared.isGranted, commit: shared.commit, asking: claim.claim.obligation,
      in: shared.session, besides: shared.neighbours, unstated: shared.unclosed?.doubt)
  }

  /// The question whether a statement grants a client's request that outsiders can make, with `isFirst` one
  /// that no statement before it grants; nil if not all is stated that is true of requests.
  func goal(
    _ claim: CompiledClaim, for scenario: Scenario, by outsider: Outsider, granting allow: AllowID,
    isFirst: Bool = false, at now: Timestamp?, within budget: Budget
  ) -> (goal: Goal, roots: [Ref])? {
    let goal = goal(claim, for: scenario, within: budget)
    if goal.unstated != nil { return nil }
    if goal.roots.contains(.no) { return (goal, goal.roots) }
    let compiler = goal.compiler
    let grants = zip(goal.statements, goal.grants).filter { $0.0.allow == allow }.map { $0.1 }
    let isGranted = compiler.problem.graph.or(grants)
    if isGranted == .no { return (goal, [.no]) }
    var roots = goal.roots + [isGranted] + outsider.propositions(on: compiler)
    if isFirst {
      let earlier = goal.statements.prefix { $0.allow != allow }
      roots += goal.grants.prefix(earlier.count).map { !$0 }
    }
    if let now {
      let term = compiler.problem.constant(.timestamp(now))
      roots.append(compiler.problem.same(compiler.scene.time, term))
    }
    return (goal, roots)
  }

  // MARK: Surveys

  /// Finds requests of a client that a statement grants and no other one does, of each of many statements,
  /// and such as all of them refuse: they answer most of what is asked about the client in hundreds of cells,
  /// of which none could pay for all of them. Cells go on with a budget of their own.
  func survey(_ client: Client, for scenario: Scenario) {
    let shared = shared(scenario)
    guard let isLonely = shared.neighbours.isLonely, !shared.isHopeless, shared.unclosed == nil,
      !shared.surveyed.contains(client), let claim = claim(client, .get, .never)
    else { return }
    shared.surveyed.append(client)
    let rows = shared.neighbours.rows
    var budget = question()
    let goal = goal(claim, for: scenario, within: budget)
    let parts = ConditionReducer(goal).topmostParts().map { !$0 }
    let few = SearchBudget(conflicts: Self.conflictsForModel)
    _ = goal.search(for: [goal.scope, !shared.isGranted], within: few, wishing: rows + parts)
    for grants in shared.ground.grants where !goal.isKnownPossible([goal.scope, grants, isLonely]) {
      if budget.isSpent {
        budget.settle()
        budget = question()
        goal.compiler.begin(within: budget)
      }
      if budget.isOver { break }
      _ = goal.search(for: [goal.scope, grants, isLonely], within: few, wishing: rows)
    }
    budget.settle()
  }

  /// So many conflicts a model may cost that is not asked for.
  private static let conflictsForModel = 200

  private func shared(_ scenario: Scenario) -> SharedGround {
    if let known = shared.first(where: { $0.scenario == scenario }) {
      // What a question left half done for want of steps is nothing for others.
      if known.isHopeless || !known.ground.compiler.isCutShort { return known }
      shared.removeAll { $0.scenario == scenario }
      if let again = SharedGround(beginningAnew: known) {
        shared.append(again)
        return again
      }
    }
    let budget = question()
    defer { budget.settle() }
    let own = set.claims[table.first..<table.first + table.claims.count].filter {
      $0.claim.methods.contains(scenario.method) || $0.claim.methods == MethodSet(.get)
    }
    let made = SharedGround(
      scenario, on: table.audited.path, of: set, own.map { $0 }, within: budget)
    shared.append(made)
    return made
  }
}
