import RulesEncoding
import RulesEval
import RulesLang
import RulesSolver

/// The question of a comparison for one kind of request: what both files say to it, over the same
/// propositions.
struct DiffGoal {
  /// The statements of one file that can apply, and the outline of "one of them grants".
  struct Half {
    let compiler: Compiler
    let statements: [Compiler.Statement]
    /// Whether the file has others behind them, which no request gets to within its limits.
    fileprivate(set) var isCut = false
    /// When each of its statements grants.
    fileprivate(set) var grants: [Ref] = []
    /// When the file allows the request.
    fileprivate(set) var allows = Ref.no
    /// What the conditions are made of, and of that "one of them grants"; empty if no words are wanted.
    let outline: Outline
    fileprivate(set) var root = 0
    /// When a condition that is tried ends in an error, if that was asked for.
    fileprivate(set) var fails = Ref.no
    /// When the other writes of the commit are granted.
    fileprivate(set) var commit = Ref.yes
    /// Has what is asked of the other writes, where other rules decide them.
    fileprivate(set) var others: Compiler?
  }

  /// The kind of request.
  let scenario: Scenario
  /// The paths that are not meant.
  let except: [[Text?]]
  private(set) var old: Half
  private(set) var new: Half
  /// The requests of the row.
  private(set) var row: [Ref] = []
  /// Whether both files have the same statements for the requests, built alike.
  let isSameProgram: Bool
  /// The search that versions of a file have in common, if both are such.
  private(set) var common: KindSearch?
  /// The search of all questions about both directions.
  private let session = SearchSession()

  /// Finds the statements, and compiles them unless both files have the same; `pair` is what requests of the
  /// kind meet of both files, if these are versions of one of which something may be known already.
  init(
    from old: Checked, to new: Checked, in scenario: Scenario, except: [[Text?]],
    structures: inout Structures, inWords: Bool = false, withErrors: Bool = false,
    meeting pair: SharedComparison.Pair? = nil,
    others: (old: OtherWrites, new: OtherWrites) = (.own, .own), budget: Budget? = nil
  ) {
    self.scenario = scenario
    self.except = except
    budget?.stage = .compiling
    if !inWords, !withErrors, let change = structures.change, let parts = change.parts,
      let known = change.file.known(scenario, except: except)
    {
      budget?.charge(3000 + 4 * new.matches.count)
      (self.old, common) = known
      let second = self.old.compiler.version(new, except: parts, within: budget)
      self.new = Half(second, except: except)
      isSameProgram = !change.concerns(self.old.statements + self.new.statements)
      finish(asking: others, isDecidedAlike: true)
      return
    }
    var problem = Problem()
    problem.budget = budget
    let scene = ScenarioTerms(of: scenario, in: &problem)
    // Three times all blocks are looked through.
    budget?.charge(3000 + 6 * (old.matches.count + new.matches.count))
    // Versions in which requests meet the same are built alike, and others are not.
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

  /// Compiles the newer half, and what ties both to the requests of the row. `isDecidedAlike` says of
  /// versions of a file whether they say the same to the other writes of a commit; what the older one says
  /// is known.
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

  /// The statements that can apply, found without the names that only conditions need.
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

  /// The half of one file.
  func half(_ side: DiffSide) -> Half { side == .old ? old : new }

  /// What a request must satisfy to be allowed by one file and denied by the other.
  func roots(isLoosened: Bool) -> [Ref] {
    let (allowing, refusing) = isLoosened ? (new, old) : (old, new)
    return assumed(isLoosened: isLoosened) + [allowing.allows, !refusing.allows]
  }

  /// The same as assumptions of the search that versions have in common, what is first in most questions
  /// first: what grants in both files grants nothing that the other one denies.
  func assumptions(isLoosened: Bool) -> [Ref] {
    let (allowing, refusing) = isLoosened ? (new, old) : (old, new)
    let known = Set(refusing.grants)
    let others = allowing.grants.filter { !known.contains($0) }
    return assumed(isLoosened: isLoosened)
      + [!refusing.allows, new.compiler.problem.graph.or(others)]
  }

  /// What is true of the requests of the row that one file could allow as a whole.
  func assumed(isLoosened: Bool) -> [Ref] { row + [isLoosened ? new.commit : old.commit] }

  /// Whether no request that one file allows makes the other one exceed a limit; false if that is not
  /// proved.
  func provesThrift(isLoosened: Bool) -> Bool {
    let (allowing, refusing) = isLoosened ? (new, old) : (old, new)
    return provesThrift(of: refusing, in: assumed(isLoosened: isLoosened) + [allowing.allows])
  }

  /// Whether no request that a file would allow without its limits makes it exceed one; false if that is not
  /// proved. It does not depend on the other file, and may cost so many steps.
  func provesThrift(of side: DiffSide, steps: Int, knowing memory: Thrift.Memory) -> Bool {
    provesThrift(of: half(side), in: row + [half(side).allows], steps: steps, knowing: memory)
  }

  private func provesThrift(
    of half: Half, in world: [Ref], steps: Int = Thrift.steps,
    knowing memory: Thrift.Memory = { _, _, proof in proof() }
  ) -> Bool {
    Thrift(of: half.statements, with: copy(of: half), in: scenario, steps: steps).isProved(
      in: world, knowing: memory)
  }

  /// What makes requests that one file would allow as a whole and that cost the other one about as much as a
  /// limit allows.
  func nearLimit(isLoosened: Bool, within steps: Int) -> NearLimit {
    let (allowing, refusing) = isLoosened ? (new, old) : (old, new)
    return NearLimit(
      of: refusing.statements, in: assumed(isLoosened: isLoosened) + [allowing.allows],
      with: copy(of: refusing), in: scenario, steps: steps)
  }

  #if !hasFeature(Embedded)
    /// A request that satisfies some roots and costs the file that allows it as little as comes to it.
    func cheapRequest(isLoosened: Bool, for roots: [Ref]) -> SearchEnd? {
      let half = isLoosened ? new : old
      return BelowLimit(of: half.statements, in: scenario).request(for: roots, with: copy(of: half))
    }
  #endif

  /// A compiler with all that is stated of both files: nothing that is stated there is of use elsewhere.
  private func copy(of half: Half) -> Compiler {
    let last = new.compiler
    let compiler = Compiler(copying: half.compiler)
    if half.compiler !== last { compiler.adopt(last) }
    return compiler
  }

  /// The same question in the terms of a claim: how to search and to learn from models.
  var goal: Goal {
    Goal(scenario, compiler: new.compiler, session: session)
  }
}

extension DiffGoal.Half {
  /// Finds the statements that can apply to documents that are not at some paths.
  init(_ compiler: Compiler, except: [[Text?]]) {
    let rules = compiler.rules
    let statements = compiler.statements().filter { statement in
      let block = rules.ruleset[statement.allow].match
      return compiler.scene.scenario.mayFit(rules.matches[block.index], except: except)
    }
    // What is never reached changes no decision, whatever it says.
    var costs = LeastCost(rules)
    let reached = costs.withinLimit(statements)
    self.init(compiler: compiler, statements: reached, outline: Outline(compiler))
    isCut = reached.count < statements.count
  }

  /// Compiles what they say; see `DiffGoal`.
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

  /// The same with the errors of what was compiled without, for a question of its own.
  func copyWithErrors(within budget: Budget?) -> Self {
    let copy = Compiler(copying: compiler)
    copy.problem.budget = budget
    var half = Self(compiler: copy, statements: statements, outline: Outline(copy))
    (half.grants, half.allows, half.isCut) = (grants, allows, isCut)
    (half.commit, half.others) = (commit, others)
    half.fails = copy.fails(statements, grants: grants)
    return half
  }

  /// Has the other writes of the commit granted when they are in another half, where that was left off and
  /// no others are looked at; false if some are.
  @discardableResult
  mutating func takeCommit(of other: Self?) -> Bool {
    guard let other, compiler.looksAtNoMoreWrites(than: other.compiler) else { return false }
    (commit, others) = (other.commit, other.others)
    return true
  }

  /// Of what is said to other writes so many expressions are followed: what is followed costs in each of the
  /// hundreds of questions about a file.
  private static let greatestOthers = 1_000

  /// Asks when the other writes of the commit are granted, in the terms of the last compiler.
  mutating func askOthers(_ writes: OtherWrites, in last: Compiler) {
    let own = compiler
    switch writes {
    case .open: break
    case .own where own === last: commit = last.otherWritesAreGranted(upTo: Self.greatestOthers)
    case .own:
      let other = Compiler(own.rules, continuing: last)
      commit = other.otherWritesAreGranted(upTo: Self.greatestOthers)
      own.adoptPlaces(of: other)
      last.adopt(other)
    case .decided(let engine):
      let other = Compiler(engine.rules, continuing: last)
      commit = other.otherWritesAreGranted(upTo: Self.greatestOthers)
      others = other
      last.adopt(other)
    }
  }
}

extension Compiler {
  /// A compiler of another version of the file that goes on here, and has what is the same in both; where it
  /// is not known what is not, only the propositions.
  func version(_ rules: Checked, except changed: ChangedParts?, within budget: Budget?) -> Compiler
  {
    let other = Compiler(rules, continuing: self)
    other.problem.budget = budget
    if let changed { other.adoptParts(of: self, except: changed) }
    return other
  }

  /// When the path of the request has some texts, nil for any.
  func isAt(_ texts: [Text?]) -> Ref {
    var parts: [Ref] = []
    for (segment, text) in zip(scene.segments, texts) {
      if let text { parts.append(problem.same(segment, problem.text(text))) }
    }
    return problem.graph.and(parts)
  }
}
