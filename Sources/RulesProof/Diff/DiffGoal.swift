import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// The difference query for one request class: both files compiled over the same propositions, so that
/// equal conditions are one proposition.
///
/// Sound: each request of the row that one file allows with its commit and the other denies, limits
/// aside, gives a model of `roots`. A model need not give such a request, so the evaluators confirm it.
struct DiffGoal {
  /// One file's half of the query: the statements that can apply, compiled.
  struct Half {
    let compiler: Compiler
    let statements: [Compiler.Statement]
    /// The propositions "the statement grants", one for each statement.
    fileprivate(set) var grants: [Ref] = []
    /// The proposition "the file allows the request", evaluation limits and other writes of the commit
    /// aside.
    fileprivate(set) var allows = Ref.no
    /// The structure of the conditions, for descriptions; empty if no description is wanted.
    let outline: Outline
    /// The node of `outline` for `allows`; only set if a description is wanted.
    fileprivate(set) var root = 0
    /// The proposition "an evaluated condition ends in an error"; false unless compiled with
    /// errors.
    fileprivate(set) var fails = Ref.no
    /// The proposition "the other writes of the commit are granted"; true if they are unconstrained.
    fileprivate(set) var commit = Ref.yes
    /// The compiler of separate rules that decide the other writes; nil if there are none.
    fileprivate(set) var others: Compiler?
  }

  /// The request class.
  let scenario: Scenario
  /// The paths that are left out.
  let except: [[Text?]]
  private(set) var old: Half
  private(set) var new: Half
  /// The literals that exclude the `except` paths.
  private(set) var row: [Ref] = []
  /// True if both files have equal programs for these requests, by structure or because the requests
  /// reach the same edits. Then there is nothing to search for.
  let isSameProgram: Bool
  /// The incremental search shared by the versions of one file; nil if the files are not such versions,
  /// or if the budget did not suffice for it.
  private(set) var common: KindSearch?
  /// The search session of all queries, in both directions.
  private let session = SearchSession()

  /// Finds the applicable statements, and compiles them unless both files have equal ones. `pair`
  /// tells which edits the requests can reach if both are versions of one file, so that earlier
  /// results can be reused.
  init(
    from old: Checked, to new: Checked, in scenario: Scenario, except: [[Text?]],
    structures: inout Structures, inWords: Bool = false, withErrors: Bool = false,
    meeting pair: SharedComparison.Pair? = nil,
    others: (old: OtherWrites, new: OtherWrites) = (.own, .own), budget: Budget? = nil
  ) {
    self.scenario = scenario
    self.except = except
    budget?.stage = .compiling
    var problem = Problem()
    problem.budget = budget
    let scene = ScenarioTerms(of: scenario, in: &problem)
    // The match blocks are traversed three times.
    budget?.charge(3000 + 6 * (old.matches.count + new.matches.count))
    // For versions of one file, reaching the same edits decides instead of the structure.
    if let pair, !pair.isSameProgram {
      isSameProgram = false
    } else {
      let (left, right) = Self.probes(
        from: old, to: new, in: scene, except: except, problem: problem)
      isSameProgram =
        pair != nil
        || Self.areAlike(
          left.statements, in: old, and: right.statements, in: new, structures: &structures)
      guard !isSameProgram else {
        (self.old, self.new) = (left, right)
        return
      }
    }
    let pair = inWords ? nil : pair
    if let shared = structures.shared, let pair {
      common = shared.search(of: pair.old.kind)
      self.old = shared.half(
        of: old, meeting: pair.old, withErrors: withErrors, others: others.old, within: budget
      ) { Compiler($0, in: scene, keys: shared.names(for: scenario), problem: problem) }
    } else {
      let keys = structures.names(in: old, and: new, for: scenario)
      self.old = Half(
        Compiler(old, in: scene, keys: keys, problem: problem), except: except)
      self.old.compile(inWords: inWords, withErrors: withErrors)
    }
    let changed = pair.flatMap { structures.shared?.parts(changedBetween: $0) }
    let second = self.old.compiler.version(new, except: changed, within: budget)
    self.new = Half(second, except: except)
    let isDecidedAlike = pair.map { $0.old.others == $0.new.others }
    finish(
      asking: others, isDecidedAlike: isDecidedAlike, inWords: inWords, withErrors: withErrors)
  }

  /// Compiles the newer half and the conditions on the commit. `isDecidedAlike` is nil unless both
  /// are versions of one file; then it says if both decide the other writes of a commit alike, and
  /// the older half's `commit` is already compiled.
  private mutating func finish(
    asking others: (old: OtherWrites, new: OtherWrites), isDecidedAlike: Bool? = nil,
    inWords: Bool = false, withErrors: Bool = false
  ) {
    let last = new.compiler
    new.compile(inWords: inWords, withErrors: withErrors)
    let isKnown = isDecidedAlike != nil && last.looksAtNoMoreWrites(than: old.compiler)
    if !isKnown { old.askOthers(others.old, in: last) }
    if !isKnown || isDecidedAlike == false || !new.takeCommit(of: old) {
      new.askOthers(others.new, in: last)
    }
    row = except.map { !last.isAt($0) }
  }

  /// Finds the applicable statements. Their conditions are not compiled yet, so no field names are
  /// needed.
  private static func probes(
    from old: Checked, to new: Checked, in scene: ScenarioTerms, except: [[Text?]],
    problem: Problem
  ) -> (old: Half, new: Half) {
    let first = Compiler(old, in: scene, keys: [], problem: problem)
    let second = Compiler(new, continuing: first)
    return (Half(first, except: except), Half(second, except: except))
  }

  private static func areAlike(
    _ ours: [Compiler.Statement], in old: Checked, and theirs: [Compiler.Statement],
    in new: Checked,
    structures: inout Structures
  ) -> Bool {
    guard ours.count == theirs.count else { return false }
    for (one, other) in zip(ours, theirs) {
      guard one.applies == other.applies, one.frame == other.frame else { return false }
      switch (old.ruleset[one.allow].condition, new.ruleset[other.allow].condition) {
      case (.none, .none): break
      case (.some(let left), .some(let right)):
        let number = structures.number(of: left.root, in: old, side: .old)
        guard number == structures.number(of: right.root, in: new, side: .new) else { return false }
      default: return false
      }
    }
    return true
  }

  /// The half of the given file.
  func half(_ side: DiffSide) -> Half { side == .old ? old : new }

  /// The roots of the query: a request that one file allows and the other denies.
  func roots(isLoosened: Bool) -> [Ref] {
    let (allowing, refusing) = isLoosened ? (new, old) : (old, new)
    return assumed(isLoosened: isLoosened) + [allowing.allows, !refusing.allows]
  }

  /// The query of `roots` as assumptions of the shared search, with those common to most
  /// queries first. Statements that grant alike in both files are omitted from the allowing side:
  /// the other file would not deny their requests.
  func assumptions(isLoosened: Bool) -> [Ref] {
    let (allowing, refusing) = isLoosened ? (new, old) : (old, new)
    let known = Set(refusing.grants)
    let others = allowing.grants.filter { !known.contains($0) }
    return assumed(isLoosened: isLoosened)
      + [!refusing.allows, new.compiler.problem.graph.or(others)]
  }

  /// The assumptions about requests of the row whose commit is granted as a whole by the allowing
  /// file.
  func assumed(isLoosened: Bool) -> [Ref] { row + [isLoosened ? new.commit : old.commit] }

  /// True if it is proved that no request allowed by one file makes the other exceed a limit.
  func provesWithinLimits(isLoosened: Bool) -> Bool {
    let (allowing, refusing) = isLoosened ? (new, old) : (old, new)
    return provesWithinLimits(of: refusing, in: assumed(isLoosened: isLoosened) + [allowing.allows])
  }

  /// True if it is proved that no request that the file would allow without limits makes it exceed one.
  /// The result does not depend on the other file.
  func provesWithinLimits(of side: DiffSide, knowing memory: LimitProof.Memory) -> Bool {
    provesWithinLimits(of: half(side), in: row + [half(side).allows], knowing: memory)
  }

  private func provesWithinLimits(
    of half: Half, in world: [Ref], knowing memory: LimitProof.Memory = { _, _, proof in proof() }
  ) -> Bool {
    LimitProof(of: half.statements, with: copy(of: half), in: scenario).isProved(
      in: world, knowing: memory)
  }

  /// Copies the compiler of a half, with the propositions of both halves, so that additions stay local
  /// to the copy.
  private func copy(of half: Half) -> Compiler {
    let last = new.compiler
    let compiler = Compiler(copying: half.compiler)
    if half.compiler !== last { compiler.adopt(last) }
    return compiler
  }

  /// The query as a `Goal`, which searches and learns from models.
  var goal: Goal {
    Goal(scenario, compiler: new.compiler, session: session)
  }
}

extension DiffGoal.Half {
  /// Finds the statements that can apply to documents outside the `except` paths.
  init(_ compiler: Compiler, except: [[Text?]]) {
    let rules = compiler.rules
    let statements = compiler.statements().filter { statement in
      let block = rules.ruleset[statement.allow].match
      return compiler.scene.scenario.mayFit(rules.matches[block.index], except: except)
    }
    // Statements behind the last one that can grant within the limits only deny.
    var costs = LeastCost(rules)
    let reached = costs.withinLimit(statements)
    self.init(compiler: compiler, statements: reached, outline: Outline(compiler))
  }

  /// Compiles the statements to `grants` and `allows`, and to `outline` and `fails` on request.
  mutating func compile(inWords: Bool, withErrors: Bool) {
    if inWords {
      let parts = statements.map { outline.add($0) }
      root = outline.any(parts)
      grants = parts.map { outline.nodes[$0].ref }
      allows = outline.nodes[root].ref
    } else {
      grants = statements.map { compiler.grants($0) }
      allows = compiler.problem.graph.or(grants)
    }
    if withErrors { fails = compiler.fails(statements, grants: grants) }
  }

  /// Copies the half with `fails` compiled, for a half that was compiled without it.
  func copyWithErrors(within budget: Budget?) -> Self {
    let copy = Compiler(copying: compiler)
    copy.problem.budget = budget
    var half = Self(compiler: copy, statements: statements, outline: Outline(copy))
    (half.grants, half.allows) = (grants, allows)
    (half.commit, half.others) = (commit, others)
    half.fails = copy.fails(statements, grants: grants)
    return half
  }

  /// Takes over the other half's condition on the commit.
  /// - Returns: False if there is no other half, or if this one looks at writes that the other
  ///   does not; nothing is taken over then.
  @discardableResult
  mutating func takeCommit(of other: Self?) -> Bool {
    guard let other, compiler.looksAtNoMoreWrites(than: other.compiler) else { return false }
    (commit, others) = (other.commit, other.others)
    return true
  }

  /// Compiles the condition that the other writes of the commit are granted, on top of the last
  /// compiler.
  mutating func askOthers(_ writes: OtherWrites, in last: Compiler) {
    let own = compiler
    switch writes {
    case .open: break
    case .own where own === last: commit = last.otherWritesAreGranted()
    case .own:
      let other = Compiler(own.rules, continuing: last)
      commit = other.otherWritesAreGranted()
      own.adoptPlaces(of: other)
      last.adopt(other)
    case .decided(let engine):
      let other = Compiler(engine.rules, continuing: last)
      commit = other.otherWritesAreGranted()
      others = other
      last.adopt(other)
    }
  }
}

extension Compiler {
  /// Makes a compiler of another version of the file that continues this one.
  ///
  /// - Parameter changed: The parts in which the versions differ; what is known of other parts is taken
  ///   over. Nil if unknown; then only propositions are shared.
  func version(_ rules: Checked, except changed: ChangedParts?, within budget: Budget?) -> Compiler
  {
    let other = Compiler(rules, continuing: self)
    other.problem.budget = budget
    if let changed { other.adoptParts(of: self, except: changed) }
    return other
  }

  /// The proposition "the path of the request has these segments"; nil stands for any segment.
  func isAt(_ texts: [Text?]) -> Ref {
    var parts: [Ref] = []
    for (segment, text) in zip(scene.segments, texts) {
      if let text { parts.append(problem.same(segment, problem.text(text))) }
    }
    return problem.graph.and(parts)
  }
}
