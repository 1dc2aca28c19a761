import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

// Incremental solving of all cells of a path. For one kind of request, the cells share rules and
// documents and differ in the clients, and for updates in the field. So the conditions of all
// columns and rows are compiled into one graph, axioms are added once, and one search answers all
// cells: the scope of each is assumed, and learned clauses help the next.
//
// Sound: the shared encoding does not change a query's models, since everything added for other
// cells is true of every request.

/// The queries about one path's documents, on shared base encodings. Not thread-safe.
final class PathQuestions {
  /// The claims of all paths.
  let set: ClaimSet
  private let table: PathTable
  /// Creates the budget of the shared encoding.
  private let question: () -> Budget
  private var shared: [SharedEncoding] = []
  /// The kinds of requests, by methods.
  private var kinds: [(methods: MethodSet, scenarios: [Scenario])] = []

  /// The shared encoding of one kind of request.
  private final class SharedEncoding {
    let scenario: Scenario
    let ground: BaseEncoding
    /// A statement grants.
    let isGranted: Ref
    /// The rules grant the other writes of the commit.
    let commit: Ref
    /// The document is one of the path's.
    let isMeant: Ref
    /// The conditions of the claims, by function.
    let scopes: [FunctionID: Ref]
    let session = SearchSession()
    /// True if compiling exceeded the budget; it would again, so no query retries it.
    let isHopeless: Bool
    /// The encoding without axioms and the reason, if the budget did not suffice for these.
    let unclosed: (ground: BaseEncoding, openReason: OpenReason)?

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
      let ground = BaseEncoding(
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
      isHopeless = compiler.isCutShort
      let open = BaseEncoding(copying: ground, budget: nil)
      let closing = budget.question(steps: budget.steps / Strategy.share)
      compiler.begin(within: closing)
      // Trivial queries need no axioms.
      if isMeant != .no, isGranted != .no, isGranted != .yes { compiler.close() }
      closing.settle()
      // Incomplete axioms decide most cells, too, and are cheaper to search.
      unclosed =
        closing.isSpent && !isHopeless
        ? (
          open,
          budget.openReason
            ?? OpenReason(
              "relating the path's conditions takes more than 1/\(Strategy.share) of the "
                + "step budget of a question (--steps)")
        ) : nil
      self.ground = unclosed.map { BaseEncoding(copying: $0.ground, budget: nil) } ?? ground
    }

    /// Creates the scopes of all cells in advance: new nodes would require a new search.
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

    /// Creates a copy in the state before any query; nil unless the axioms are incomplete.
    init?(beginningAnew other: SharedEncoding) {
      guard let unclosed = other.unclosed else { return nil }
      (scenario, isMeant) = (other.scenario, other.isMeant)
      (scopes, isGranted) = (other.scopes, other.isGranted)
      (commit, isHopeless) = (other.commit, false)
      self.unclosed = unclosed
      ground = BaseEncoding(copying: unclosed.ground, budget: nil)
    }
  }

  /// Prepares for a path.
  ///
  /// - Parameter question: Creates the budget of the shared encoding.
  init(_ table: PathTable, of set: ClaimSet, asking question: @escaping () -> Budget) {
    (self.table, self.set, self.question) = (table, set, question)
  }

  // MARK: Claims

  /// Returns the claim about an operation of a client.
  func claim(
    _ client: Client, _ operation: AccessMatrix.Operation, _ obligation: Claim.Obligation
  ) -> CompiledClaim? {
    table.claim(client, operation, obligation, in: set)
  }

  /// True unless the kind of client is impossible, as with two values in one claim: neither search
  /// nor attack finds one that reads or creates a document. A created document can name a client
  /// that no stored one does.
  func mayExist(_ client: Client, on encodings: BaseEncodingCache, within budget: Budget) -> Bool {
    mayExist(client, doing: .get, on: encodings, within: budget)
      || mayExist(client, doing: .create, on: encodings, within: budget)
  }

  private func mayExist(
    _ client: Client, doing operation: AccessMatrix.Operation, on encodings: BaseEncodingCache,
    within budget: Budget
  ) -> Bool {
    guard let claim = claim(client, operation, .never) else { return true }
    return scenarios(of: claim).contains { scenario in
      let goal = goal(claim, for: scenario, within: budget)
      let search = goal.search(for: [goal.scope], within: .brief)
      return search.result != .unsatisfiable
        || encodings.attack(on: set).inhabitant(of: claim, scenario, within: budget) != nil
        || budget.lateness != nil
    }
  }

  // MARK: Questions

  /// Returns the kinds of requests of a claim, which do not depend on the client.
  func scenarios(of claim: CompiledClaim) -> [Scenario] {
    let methods = claim.claim.methods
    if let known = kinds.first(where: { $0.methods == methods }) { return known.scenarios }
    let scenarios = set.scenarios(of: claim)
    kinds.append((methods, scenarios))
    return scenarios
  }

  /// Returns the kinds of requests of a claim that perform an operation. Queries that name a document come
  /// last, so that examples of other queries are preferred.
  func scenarios(
    of claim: CompiledClaim, performing operation: AccessMatrix.Operation
  ) -> [Scenario] {
    let own = scenarios(of: claim).filter { operation.covers($0.access) }
    guard operation == .listGroup else { return own }
    return own.filter { $0.access != .namedQuery } + own.filter { $0.access == .namedQuery }
  }

  /// True if a statement may grant queries of the collection group that do not name the document.
  func mayListGroup(_ claim: CompiledClaim) -> Bool {
    scenarios(of: claim).contains { scenario in
      guard scenario.access.isGroup else { return false }
      let shared = shared(scenario)
      return shared.isHopeless || shared.isGranted != .no
    }
  }

  /// Returns the query of a claim for a kind of request.
  func goal(_ claim: CompiledClaim, for scenario: Scenario, within budget: Budget) -> Goal {
    let shared = shared(scenario)
    let compiler = shared.ground.compiler
    // An incomplete encoding leaves everything undecided.
    if !shared.isHopeless { compiler.begin(within: budget) }
    let limits =
      [shared.isMeant] + claim.limits(for: scenario.method).map { shared.scopes[$0] ?? .no }
    return Goal(
      scenario, on: shared.ground, scope: compiler.problem.graph.and(limits),
      isGranted: shared.isGranted, commit: shared.commit, asking: claim.claim.obligation,
      in: shared.session, unstated: shared.unclosed?.openReason)
  }

  /// Returns the query whether a statement grants an outsider's request; nil if the axioms are
  /// incomplete.
  ///
  /// - Parameters:
  ///   - isNamed: True to fix the user ID, the e-mail address and the time, so that a refutation is not a
  ///     proof.
  ///   - isFirst: True to require that no earlier statement grants it.
  ///   - now: The time of the request; its earliest time unless `isNamed`.
  func goal(
    _ claim: CompiledClaim, for scenario: Scenario, by outsider: Outsider, isNamed: Bool = true,
    granting allow: AllowID, isFirst: Bool = false, at now: Timestamp?, within budget: Budget
  ) -> (goal: Goal, roots: [Ref])? {
    let goal = goal(claim, for: scenario, within: budget)
    if goal.unstated != nil { return nil }
    if goal.roots.contains(.no) { return (goal, goal.roots) }
    let compiler = goal.compiler
    let grants = zip(goal.statements, goal.grants).filter { $0.0.allow == allow }.map { $0.1 }
    let isGranted = compiler.problem.graph.or(grants)
    if isGranted == .no { return (goal, [.no]) }
    var roots = goal.roots + [isGranted] + outsider.propositions(on: compiler, isNamed: isNamed)
    if isFirst {
      let earlier = goal.statements.prefix { $0.allow != allow }
      roots += goal.grants.prefix(earlier.count).map { !$0 }
    }
    if let now, isNamed {
      let term = compiler.problem.constant(.timestamp(now))
      roots.append(compiler.problem.same(compiler.scene.time, term))
    } else if let now, let count = Value.timestamp(now).count(in: .timestamp) {
      let time = compiler.scene.time
      roots.append(!compiler.problem.atMost(time, in: .timestamp, bound: count - 1))
    }
    return (goal, roots)
  }

  private func shared(_ scenario: Scenario) -> SharedEncoding {
    if let known = shared.first(where: { $0.scenario == scenario }) {
      // Encodings that were interrupted are not shared.
      if known.isHopeless || !known.ground.compiler.isCutShort { return known }
      shared.removeAll { $0.scenario == scenario }
      if let again = SharedEncoding(beginningAnew: known) {
        shared.append(again)
        return again
      }
    }
    let budget = question()
    defer { budget.settle() }
    let own = set.claims[table.first..<table.first + table.claims.count].filter {
      $0.claim.methods.contains(scenario.method) || $0.claim.methods == MethodSet(.get)
    }
    let made = SharedEncoding(
      scenario, on: table.audited.path, of: set, own.map { $0 }, within: budget)
    shared.append(made)
    return made
  }
}
