import RulesEncoding
package import RulesEval
import RulesLang
import RulesSolver

// The compiler of conditions and the search can be wrong, and whatever starts from the compiled
// question is then wrong in the same way. So before the absence of models counts as a proof, some
// requests that nearly meet the condition are made and decided. None of them is made from the
// compiled question. One that refutes the conclusion is a true counterexample, for the evaluator
// decides it, and a defect of ours; that none does proves nothing.

/// The requests that conclusions about one rules file are tried on, made and decided once for each
/// kind, and shared by all claims of a set, all cells of a matrix, all changes to a file. For one
/// thread.
package final class Attack {
  /// Decides the requests.
  let engine: Engine
  private let files: [Checked]
  private let functions: [FunctionID]
  /// The documents that they are about, one each.
  private let subjects: [ClaimPath]
  private var tables: [(path: [Text?], table: ChoiceTable)] = []
  private var pools: [RequestPool] = []
  /// The rules, as soon as they are compiled, and the last versions that they were compared with.
  private var home: AttackEvaluator?
  private var others: [AttackEvaluator] = []
  /// Requests that are granted in the scope of claims, by their conditions.
  private var granted: [FunctionID: Draft] = [:]

  /// So many kinds are kept: of more the memory would cost more than the time.
  private let greatestCount: Int
  /// So many are where each is asked about again and again.
  private static let usualCount = 600
  /// So many are where two files are compared, kind by kind.
  private static let countOfComparison = 16
  /// So many other versions of the rules are kept.
  private static let greatestOthers = 2
  /// So many requests that were no counterexamples are started from.
  private static let greatestMisses = 4
  /// So many variants of each are made.
  private static let variantsOfMiss = 12

  /// Prepares for questions about rules; `others` are files that they are compared with.
  package convenience init(_ engine: Engine, comparing others: [Engine] = []) {
    self.init(
      engine, files: [engine.rules] + others.map { $0.rules }, conditions: [], about: [],
      keeping: others.isEmpty ? Self.usualCount : Self.countOfComparison)
  }

  /// Prepares for the claims of a set.
  convenience init(_ set: ClaimSet) {
    self.init(
      set.engine, files: [set.rules], conditions: set.claims.flatMap { $0.functions },
      about: set.claims.flatMap { claim in claim.functions.map { _ in claim.claim.path } },
      keeping: Self.usualCount)
  }

  private init(
    _ engine: Engine, files: [Checked], conditions functions: [FunctionID],
    about subjects: [ClaimPath], keeping greatestCount: Int
  ) {
    self.greatestCount = greatestCount
    self.engine = engine
    self.files = files
    self.functions = functions
    self.subjects = subjects
  }

  /// The requests of a kind that come first, in parts.
  func drafts(for scenario: Scenario, count: Int = Scrutiny.greatestRequests) -> [Draft] {
    let pool = pool(scenario)
    return pool.first(count, by: evaluator).map { pool.draft(of: pool.requests[$0]) }
  }

  // MARK: Sharing

  private var evaluator: AttackEvaluator {
    if let home { return home }
    // Claims about one pattern do not need what is for other documents.
    let only = subjects.first.flatMap { first in subjects.allSatisfy { $0 == first } ? first : nil }
    let made = AttackEvaluator(engine, conditions: functions) { [engine] allow in
      only?.mayMeet(engine.rules.matches[engine.rules.ruleset[allow].match.index]) ?? true
    }
    home = made
    return made
  }

  /// An evaluator of another file or version, which need not be quick but for requests of a kind. If the
  /// requests are to stay where they are, it is one of a version (`AttackEvaluator.deciding`).
  private func evaluator(
    _ other: Engine, for scenario: Scenario, whereRequestsAre: Bool = false
  ) -> AttackEvaluator {
    if other.rules === engine.rules { return evaluator }
    let kind = AttackEvaluator.Kind(
      path: scenario.path, isWrite: scenario.method.isWrite)
    let known = others.first {
      $0.engine.rules === other.rules && $0.kind == kind && (whereRequestsAre || !$0.isVersion)
    }
    if let known { return known }
    let version =
      whereRequestsAre ? AttackEvaluator(other, for: kind, versionOf: evaluator) : nil
    let made = version ?? AttackEvaluator(other, for: kind, like: evaluator)
    if others.count == Self.greatestOthers { others.removeFirst() }
    others.append(made)
    return made
  }

  private func pool(_ scenario: Scenario) -> RequestPool {
    if let known = pools.first(where: { $0.scenario == scenario }) { return known }
    if pools.count == greatestCount {
      (pools, tables, others) = ([], [], [])
      // What is compiled is kept, without the requests.
      home = home.map { AttackEvaluator(like: $0) }
    }
    let made = RequestPool(for: scenario, from: table(scenario), number: pools.count)
    pools.append(made)
    return made
  }

  private func table(_ scenario: Scenario) -> ChoiceTable {
    if let known = tables.first(where: { $0.path == scenario.path }) { return known.table }
    // What is claimed of other documents says nothing of these.
    let own = zip(functions, subjects).filter { $0.1.isFor(scenario.path) }.map { $0.0 }
    let made = ChoiceTable(
      Material(files, at: scenario.path, with: own), for: scenario, number: tables.count)
    tables.append((scenario.path, made))
    return made
  }

  // MARK: Conclusions

  // A question's budget is asked for its time only, since the requests are paid for before they are made:
  // rules that are slow to decide must not hold it up. Who concludes something looks at the time once more.

  /// A request that shows that a claim does not hold, among so many of a kind and those that nearly are
  /// some others, which were no counterexamples; nil if none of them does that `confirms`.
  func refutation<Found>(
    of claim: CompiledClaim, in scenario: Scenario, count: Int, near misses: [Draft],
    within budget: Budget, confirming confirm: (Draft) -> Found?
  ) -> (draft: Draft, found: Found)? {
    let pool = pool(scenario)
    let places = pool.first(count, by: evaluator, within: budget)
    let known = refutation(
      of: claim, among: pool, at: places, on: evaluator, within: budget, confirming: confirm)
    if known != nil || misses.isEmpty { return known }
    // Of this question alone: what others find must not depend on it.
    let evaluator = AttackEvaluator(like: evaluator)
    let near = RequestPool(for: scenario, from: pool.table, number: 0)
    near.vary(misses.suffix(Self.greatestMisses), times: Self.variantsOfMiss, by: evaluator)
    return refutation(
      of: claim, among: near, at: near.requests.indices, on: evaluator, within: budget,
      confirming: confirm
    )
  }

  private func refutation<Found>(
    of claim: CompiledClaim, among pool: RequestPool, at places: Range<Int>,
    on evaluator: AttackEvaluator,
    within budget: Budget, confirming confirm: (Draft) -> Found?
  ) -> (draft: Draft, found: Found)? {
    let conditions = evaluator.conditions(
      limits: claim.limits(for: pool.scenario.method), obligation: claim.obligation, of: claim,
      in: pool)
    let surprise = Surprise(claim)
    for place in places where surprise.has(pool.requests[place]) {
      if Self.isLate(budget, at: place) { break }
      let request = pool.requests[place]
      let (isInScope, isMet) = evaluator.holds(conditions, for: request, of: pool)
      if !isInScope { continue }
      if let obligation = claim.obligation {
        if request.isAllowed, granted[obligation] == nil {
          granted[obligation] = pool.draft(of: request)
        }
        if isMet == request.isAllowed { continue }
      }
      let draft = pool.draft(of: request)
      if let found = confirm(draft) { return (draft, found) }
    }
    return nil
  }

  /// A request in the scope of a claim with a condition that was seen to be granted.
  func granted(of claim: CompiledClaim) -> Draft? { claim.obligation.flatMap { granted[$0] } }

  /// A request of a kind that a claim is about; nil if none of those that are made is. With `isMet` it
  /// is one that satisfies the claim's condition, too.
  func inhabitant(
    of claim: CompiledClaim, _ scenario: Scenario, isMet: Bool = false,
    among count: Int = Scrutiny.questionRequests, within budget: Budget
  ) -> Draft? {
    let pool = pool(scenario)
    let obligation = isMet ? claim.obligation : nil
    let places = pool.first(count, by: evaluator, within: budget)
    let conditions = evaluator.conditions(
      limits: claim.limits(for: scenario.method), obligation: obligation, of: claim, in: pool)
    for place in places {
      if Self.isLate(budget, at: place) { break }
      let request = pool.requests[place]
      let answer = evaluator.holds(conditions, for: request, of: pool)
      if answer.isInScope, obligation == nil || answer.isMet { return pool.draft(of: request) }
    }
    return nil
  }

  /// Whether it is late, as far as it is asked at a place.
  private static func isLate(_ budget: Budget, at place: Int) -> Bool {
    place.isMultiple(of: RequestPool.pace) && budget.lateness != nil
  }

  /// What a request comes to that may refute a claim.
  private enum Surprise {
    case isAllowed, isDenied, fails

    init(_ claim: CompiledClaim) {
      self =
        switch claim.claim.obligation {
        case .onlyIf, .never: .isAllowed
        case .alwaysIf: .isDenied
        case .noErrors: .fails
        }
    }

    func has(_ request: PooledRequest) -> Bool {
      switch self {
      case .isAllowed: request.isAllowed
      case .isDenied: !request.isAllowed
      case .fails: request.fails
      }
    }
  }

  /// A request that one file allows and the other denies, where none should be, as far as it is
  /// confirmed; only what became allowed, only what became denied, or both is meant. `areVersions` says that
  /// both are versions of the rules whose tree was changed.
  func difference<Found>(
    from old: Engine, to new: Engine, areVersions: Bool, isMeant: (_ isLoosened: Bool) -> Bool,
    in scenario: Scenario, except: [[Text?]], count: Int, within budget: Budget,
    confirming confirm: (Draft) -> Found?
  ) -> (draft: Draft, found: Found)? {
    first(
      in: scenario, from: old, to: new, areVersions: areVersions, except: except, count: count,
      within: budget
    ) { before, after in
      before.isAllowed != after.isAllowed && isMeant(after.isAllowed)
    } confirming: {
      confirm($0)
    }
  }

  /// Whether a request meets an error in the newer file and none in the older one.
  func failsMore(
    from old: Engine, to new: Engine, areVersions: Bool, in scenario: Scenario, except: [[Text?]],
    count: Int, within budget: Budget
  ) -> Bool {
    first(
      in: scenario, from: old, to: new, areVersions: areVersions, except: except, count: count,
      within: budget
    ) { before, after in
      after.fails && !before.fails
    } confirming: { draft in
      fails(draft, under: new) && !fails(draft, under: old) ? true : nil
    } != nil
  }

  /// The first request of a kind that two versions of the rules say something of.
  private func first<Found>(
    in scenario: Scenario, from old: Engine, to new: Engine, areVersions: Bool, except: [[Text?]],
    count: Int, within budget: Budget, where shows: (Ruling, Ruling) -> Bool,
    confirming confirm: (Draft) -> Found?
  ) -> (draft: Draft, found: Found)? {
    let pool = pool(scenario)
    let before = evaluator(old, for: scenario)
    let after = evaluator(new, for: scenario, whereRequestsAre: areVersions)
    let places = pool.first(count, by: evaluator, within: budget)
    let isExcepted = pool.paths.map { path in except.contains { path.fits($0) } }
    return after.deciding(about: pool) {
      for place in places where !isExcepted[pool.bases[pool.requests[place].base].path] {
        if Self.isLate(budget, at: place) { break }
        let request = pool.requests[place]
        guard let one = ruling(on: request, by: before, in: pool),
          let two = ruling(on: request, by: after, in: pool),
          shows(one, two)
        else { continue }
        let draft = pool.draft(of: request)
        if let found = confirm(draft) { return (draft, found) }
      }
      return nil
    }
  }

  private func ruling(on request: PooledRequest, by other: AttackEvaluator, in pool: RequestPool)
    -> Ruling?
  {
    if other.engine.rules === engine.rules {
      return Ruling(isAllowed: request.isAllowed, fails: request.fails, isAboutDocument: true)
    }
    return other.ruling(on: request, of: pool)
  }

  private func fails(_ draft: Draft, under engine: Engine) -> Bool {
    let decision = try? engine.decide(draft.request, on: draft.documents)
    return decision?.tried.contains { $0.isError } ?? false
  }
}

extension DocumentPath {
  /// Whether the path has some texts, nil for any.
  fileprivate func fits(_ texts: [Text?]) -> Bool {
    segments.count == texts.count
      && zip(segments, texts).allSatisfy { segment, text in text.map { $0 == segment } ?? true }
  }
}

extension ClaimPath {
  /// Whether a block may be for paths of the pattern.
  fileprivate func mayMeet(_ block: MatchFacts) -> Bool {
    steps.contains { $0.isGlob } || block.mayFit(steps.map { $0.text })
  }

  /// Whether paths of a kind are among those of the pattern: nil stands for any text.
  fileprivate func isFor(_ texts: [Text?]) -> Bool {
    let glob = steps.firstIndex { $0.isGlob }
    guard glob == nil ? steps.count == texts.count : steps.count <= texts.count + 1 else {
      return false
    }
    let (head, tail) = (
      steps.prefix(glob ?? steps.count), steps.dropFirst((glob ?? steps.count) + 1)
    )
    func agree(_ pair: (Step, Text?)) -> Bool { pair.0.text == pair.1 }
    return zip(head, texts).allSatisfy(agree)
      && zip(tail.reversed(), texts.reversed()).allSatisfy(agree)
  }
}
