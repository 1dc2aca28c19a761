import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// The query of a claim for one kind of request: is there a counterexample?
struct Goal {
  /// The kind of request.
  let scenario: Scenario
  /// The compiler, which holds the propositions.
  let compiler: Compiler
  /// The statements that can apply.
  let statements: [Compiler.Statement]
  /// For each statement, the condition under which it grants.
  let grants: [Ref]
  /// Maximum evaluator steps for a request to these statements.
  let stepsToDecide: Int
  /// The request is in the claim's scope.
  let scope: Ref
  /// The claim's condition is true.
  let condition: Ref
  /// The rules grant the other writes of the commit.
  private(set) var commit: Ref
  /// True if `commit` is not encoded yet.
  private(set) var leavesWritesOpen = false
  /// The budget of the query.
  var budget: Budget { compiler.problem.budget ?? Budget() }
  /// The assertions about a counterexample.
  private(set) var roots: [Ref]
  /// Models that turned out to be no counterexamples, as requests.
  var nearMisses: [CandidateRequest] = []
  /// The incremental solver of queries that share the compiler; nil if each query has a search of
  /// its own.
  private var session: SearchSession?
  /// The reason why the axioms are incomplete; nil if they are complete or can be completed. UNSAT is valid
  /// even so, but a model may violate a missing axiom.
  private(set) var unstated: OpenReason?

  /// Compiles the query, on base encodings that queries of the same set may share. Without `closing`, the
  /// axioms of `Compiler.close()` are added when a search needs them. Without `following`, the condition on
  /// other writes of the commit is left to `followWrites()`, if there can be other writes.
  init(
    _ claim: CompiledClaim, in set: ClaimSet, for scenario: Scenario,
    on encodings: BaseEncodingCache? = nil,
    closing: Bool = true, following: Bool = true, budget: Budget? = nil
  ) {
    self.scenario = scenario
    budget?.stage = .compiling
    let keys = Self.vocabulary(claim, in: set, for: scenario)
    let ground =
      encodings?.ground(of: set.rules, for: scenario, keys: keys, budget: budget)
      ?? BaseEncoding(of: set.rules, in: Scene(scenario), keys: keys, budget: budget)
    (compiler, statements, grants) = (ground.compiler, ground.statements, ground.grants)
    stepsToDecide = ground.stepsToDecide
    let frame = compiler.frame(of: claim)
    var limits: [Ref] = []
    for function in claim.limits(for: scenario.method) {
      limits.append(compiler.rails(of: function, in: frame).yes)
    }
    limits.append(compiler.isMeant(by: claim.claim.path))
    scope = compiler.problem.graph.and(limits)
    // Cells of a matrix claim "always" without a condition.
    var condition = Ref.no
    if case .alwaysIf = claim.claim.obligation { condition = .yes }
    if let obligation = claim.obligation {
      condition = compiler.rails(of: obligation, in: frame).yes
    }
    self.condition = condition
    let isGranted = compiler.problem.graph.or(grants)
    switch claim.claim.obligation {
    case .onlyIf, .never:
      leavesWritesOpen = !following && compiler.mayWriteMore
      commit = leavesWritesOpen ? .yes : compiler.otherWritesAreGranted()
      roots = [isGranted, scope, !condition, commit]
    case .alwaysIf:
      commit = .yes
      roots = [scope, condition, !isGranted]
    case .noErrors:
      commit = .yes
      roots = [compiler.fails(statements, grants: grants), scope]
    }
    // Trivial queries need no axioms: nothing grants, or nothing is in scope.
    if closing, !roots.contains(.no) { compiler.close() }
  }

  /// Encodes and asserts "the rules grant the other writes of the commit".
  mutating func followWrites() {
    leavesWritesOpen = false
    compiler.problem.budget?.stage = .compiling
    commit = compiler.otherWritesAreGranted()
    roots.append(commit)
  }

  /// Creates the query for a request of a scope that statements grant, or that they deny. Compiler and
  /// search are shared with other queries, which is sound since each adds only axioms.
  init(
    _ scenario: Scenario, on ground: BaseEncoding, scope: Ref, isGranted: Ref, commit: Ref,
    asking obligation: Claim.Obligation, in session: SearchSession,
    unstated: OpenReason?
  ) {
    self.scenario = scenario
    self.unstated = unstated
    (compiler, statements, grants) = (ground.compiler, ground.statements, ground.grants)
    stepsToDecide = ground.stepsToDecide
    self.scope = scope
    self.session = session
    switch obligation {
    case .onlyIf, .never, .noErrors:
      (condition, self.commit) = (.no, commit)
      roots = [scope, isGranted, commit]
    case .alwaysIf:
      (condition, self.commit) = (.yes, .yes)
      roots = [scope, !isGranted]
    }
  }

  /// Creates a query other than a claim, whose roots the caller supplies.
  init(_ scenario: Scenario, compiler: Compiler, session: SearchSession? = nil) {
    self.scenario = scenario
    self.compiler = compiler
    self.session = session
    (statements, grants, roots, stepsToDecide) = ([], [], [], 0)
    (scope, condition, commit) = (.yes, .no, .yes)
  }

  /// Returns the names in the statements and the claim.
  private static func vocabulary(
    _ claim: CompiledClaim, in set: ClaimSet, for scenario: Scenario
  ) -> [Text] {
    var vocabulary = Vocabulary(set.rules)
    for function in claim.limits(for: scenario.method) { vocabulary.add(function) }
    if let obligation = claim.obligation { vocabulary.add(obligation) }
    vocabulary.addConditions(for: scenario)
    for field in claim.claim.writes { for name in field.names { vocabulary.add(name) } }
    return vocabulary.sorted
  }

  /// Looks for a model of `roots`, which may be stronger than the goal's own.
  ///
  /// - Parameter thorough: True to decide the axioms as well: such models are larger and, for
  ///   example, may identify a looked-up document with the request's own.
  func search(
    for roots: [Ref], within budget: SearchBudget, thorough: Bool = false
  ) -> (search: SearchResult, result: Search.Result) {
    if roots.contains(.no) {
      var search = Search(
        Graph(), terms: TermTable(), patterns: PatternTable(), first: [], axioms: [], budget: budget
      )
      let result = search.run([.no])
      return (SearchResult(search), result)
    }
    if unstated == nil { compiler.close() }
    return searchKnown(for: roots, within: budget, thorough: thorough)
  }

  /// True if a model found for another query satisfies the roots.
  func isKnownPossible(_ roots: [Ref]) -> Bool {
    session?.hasModel(of: roots, of: compiler.problem) ?? false
  }

  /// Returns the candidates that are false by propagation from `roots`; empty without a session.
  func refuted(_ candidates: [Ref], by roots: [Ref]) -> Set<Ref> {
    if roots.contains(.no) { return Set(candidates) }
    guard let session, !budget.isSpent else { return [] }
    return session.refuted(candidates, by: roots, of: compiler.problem, within: budget)
  }

  /// True if the goal is unsatisfiable without all axioms. Most claims that hold need no more.
  var isRefutedEarly: Bool {
    if compiler.isClosed { return false }
    if roots.contains(.no) { return true }
    return searchKnown(for: roots, within: .brief, thorough: false).result == .unsatisfiable
  }

  /// Looks for a model with the present axioms. UNSAT is valid; a model may violate axioms not yet
  /// added.
  func searchKnown(
    for roots: [Ref], within budget: SearchBudget, thorough: Bool
  ) -> (search: SearchResult, result: Search.Result) {
    let problem = compiler.problem
    var budget = budget
    budget.question = problem.budget
    problem.budget?.stage = .searching
    // The budget is spent, and merely preparing a search would cost a large part of one.
    if let question = problem.budget, question.isSpent {
      var search = Search(
        Graph(), terms: TermTable(), patterns: PatternTable(), first: [], axioms: [], budget: budget
      )
      let result = search.run([])
      return (SearchResult(search), result)
    }
    if let session, !thorough {
      let (search, result) = session.run(roots, of: problem, within: budget)
      return (SearchResult(search), result)
    }
    var search = Search(
      problem.graph, terms: problem.terms, patterns: problem.patterns, first: roots,
      axioms: thorough ? [] : problem.axioms, budget: budget)
    let result = search.run(roots + problem.axioms)
    return (SearchResult(search), result)
  }
}

extension Compiler {
  /// Numbers from here on are a claim's further variables; no path has as many segments.
  static var firstFurtherVariable: Int { 10_000 }

  /// Returns the frame of the claim's conditions: captures of the enclosing block, and wildcards.
  func frame(of claim: CompiledClaim) -> SymbolicFrame {
    var captures: [Cases] = []
    if case .match(let match) = claim.owner {
      let pattern = rules.matches[match.index].pattern
      let isOpen = pattern.contains { $0.isGlob }
      let steps = documentSteps()
      let part = isOpen ? steps : Array(steps.prefix(pattern.count))
      captures = apply(rules.matches[match.index], to: part)?.captures ?? []
      let missing = rules.matches[match.index].captures.count - captures.count
      if missing > 0 { captures += Array(repeating: Cases.error, count: missing) }
    }
    return SymbolicFrame(
      captures: captures, locals: wildcards(claim.claim.path), seesDocument: true)
  }

  /// Returns "the document is none of the exceptions of the claim's path". Paths of an open
  /// scenario are longer than any pattern without `{x=**}`.
  func isMeant(by path: ClaimPath) -> Ref {
    let segments = scene.segments
    var others: [Ref] = []
    for pattern in path.exceptions {
      let glob = pattern.firstIndex { $0.isGlob }
      let isLong = segments.count >= pattern.count - 1
      guard glob == nil ? pattern.count == segments.count && !scene.scenario.isOpen : isLong else {
        continue
      }
      let tail = glob.map { pattern.count - $0 - 1 } ?? 0
      let pairs =
        Array(zip(pattern.prefix(glob ?? pattern.count), segments))
        + Array(zip(pattern.suffix(tail), segments.suffix(tail)))
      var matches: [Ref] = []
      for case (.literal(let text), let segment) in pairs {
        matches.append(problem.same(segment, problem.text(text)))
      }
      others.append(!problem.graph.and(matches))
    }
    return problem.graph.and(others)
  }

  private func wildcards(_ path: ClaimPath) -> [Cases] {
    let run = scene.segments.count - path.steps.count + 1
    var values: [Cases] = []
    var place = 0
    for step in path.steps {
      switch step {
      case .literal: place += 1
      case .capture:
        values.append(Cases(scene.segments[place]))
        place += 1
      case .glob:
        let first = DatabaseName.rootCount + place
        values.append(part(first..<(first + run)))
        place += run
      }
    }
    for number in path.others.indices {
      let variable = problem.terms.variable(
        .segment(Self.firstFurtherVariable + number), types: .string)
      problem.require(problem.isSegment(variable))
      values.append(Cases(variable))
    }
    return values
  }
}
