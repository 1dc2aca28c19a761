import RulesEncoding
package import RulesEval
import RulesLang
import RulesSolver

// Falsification by concrete requests. Compiler and search may be wrong, and everything derived from
// the compiled query is then wrong in the same way. So before an UNSAT answer counts as a proof,
// requests that nearly meet the conditions are generated from the text of the rules and evaluated.
// A request that refutes the conclusion is a true counterexample, because the evaluator decides it,
// and reveals a defect of ours. If none does, that proves nothing.

/// The generated requests on which conclusions about one rules file are tested. Made and evaluated
/// once for each kind of request, and shared by all claims of a set, all cells of a matrix and all
/// changes of a file. Not thread-safe.
package final class Attack {
  /// The engine that decides the requests.
  let engine: Engine
  private let files: [Checked]
  private let functions: [FunctionID]
  /// The document paths of the claims' conditions, one for each function.
  private let subjects: [ClaimPath]
  private var tables: [(path: [Text?], table: MutationTable)] = []
  private var pools: [RequestPool] = []
  /// The evaluator of the rules, once compiled, and those of the latest versions compared with
  /// them.
  private var home: AttackEvaluator?
  private var others: [AttackEvaluator] = []
  /// A granted request in the scope of a claim, by the claim's condition.
  private var granted: [FunctionID: CandidateRequest] = [:]

  /// Prepares to test conclusions about rules, or about their differences from `others`.
  package convenience init(_ engine: Engine, comparing others: [Engine] = []) {
    self.init(
      engine, files: [engine.rules] + others.map { $0.rules }, conditions: [], about: [])
  }

  /// Prepares to test the claims of a set.
  convenience init(_ set: ClaimSet) {
    self.init(
      set.engine, files: [set.rules], conditions: set.claims.flatMap { $0.functions },
      about: set.claims.flatMap { claim in claim.functions.map { _ in claim.claim.path } })
  }

  private init(
    _ engine: Engine, files: [Checked], conditions functions: [FunctionID],
    about subjects: [ClaimPath]
  ) {
    self.engine = engine
    self.files = files
    self.functions = functions
    self.subjects = subjects
  }

  /// Returns the first `count` requests of a kind.
  func candidates(for scenario: Scenario, count: Int = Strategy.requests) -> [CandidateRequest] {
    let pool = pool(scenario)
    return pool.first(count, by: evaluator).map { pool.candidate(of: pool.requests[$0]) }
  }

  // MARK: Sharing

  private var evaluator: AttackEvaluator {
    if let home { return home }
    // If all claims are about one pattern, statements for other documents are left out.
    let only = subjects.first.flatMap { first in subjects.allSatisfy { $0 == first } ? first : nil }
    let made = AttackEvaluator(engine, conditions: functions) { [engine] allow in
      only?.mayMeet(engine.rules.matches[engine.rules.ruleset[allow].match.index]) ?? true
    }
    home = made
    return made
  }

  /// Returns the evaluator of another file or version, compiled for one kind of request only.
  private func evaluator(_ other: Engine, for scenario: Scenario) -> AttackEvaluator {
    if other.rules === engine.rules { return evaluator }
    let kind = AttackEvaluator.Kind(
      path: scenario.path, isWrite: scenario.method.isWrite)
    let known = others.first { $0.engine.rules === other.rules && $0.kind == kind }
    if let known { return known }
    let made = AttackEvaluator(other, for: kind, like: evaluator)
    // A comparison has two versions.
    if others.count == 2 { others.removeFirst() }
    others.append(made)
    return made
  }

  private func pool(_ scenario: Scenario) -> RequestPool {
    if let known = pools.first(where: { $0.scenario == scenario }) { return known }
    if pools.count == Strategy.attackedKinds {
      (pools, tables, others) = ([], [], [])
      // The compiled rules are kept, without the loaded requests.
      home = home.map { AttackEvaluator(like: $0) }
    }
    let made = RequestPool(for: scenario, from: table(scenario), number: pools.count)
    pools.append(made)
    return made
  }

  private func table(_ scenario: Scenario) -> MutationTable {
    if let known = tables.first(where: { $0.path == scenario.path }) { return known.table }
    // Claims about other documents contribute no seeds.
    let own = zip(functions, subjects).filter { $0.1.isFor(scenario.path) }.map { $0.0 }
    let made = MutationTable(
      RequestSeeds(files, at: scenario.path, with: own), for: scenario, number: tables.count)
    tables.append((scenario.path, made))
    return made
  }

  // MARK: Conclusions

  // Only the time of a query's budget is checked while testing, since the steps of the requests
  // were charged in advance: slow rules must not stall the query. The caller checks the time again
  // before concluding.

  /// Returns a confirmed request that refutes a claim, or nil. Tests the first `count` requests of the kind,
  /// and then variants of `misses`, requests that are almost counterexamples.
  func refutation<Found>(
    of claim: CompiledClaim, in scenario: Scenario, count: Int, near misses: [CandidateRequest],
    within budget: Budget, confirming confirm: (CandidateRequest) -> Found?
  ) -> (candidate: CandidateRequest, found: Found)? {
    let pool = pool(scenario)
    let places = pool.first(count, by: evaluator, within: budget)
    let known = refutation(
      of: claim, among: pool, at: places, on: evaluator, within: budget, confirming: confirm)
    if known != nil || misses.isEmpty { return known }
    // A separate evaluator and pool: results must not depend on other queries.
    let evaluator = AttackEvaluator(like: evaluator)
    let near = RequestPool(for: scenario, from: pool.table, number: 0)
    near.vary(misses, times: Strategy.samples, by: evaluator)
    return refutation(
      of: claim, among: near, at: near.requests.indices, on: evaluator, within: budget,
      confirming: confirm
    )
  }

  private func refutation<Found>(
    of claim: CompiledClaim, among pool: RequestPool, at places: Range<Int>,
    on evaluator: AttackEvaluator,
    within budget: Budget, confirming confirm: (CandidateRequest) -> Found?
  ) -> (candidate: CandidateRequest, found: Found)? {
    let conditions = evaluator.conditions(
      limits: claim.limits(for: pool.scenario.method), obligation: claim.obligation, of: claim,
      in: pool)
    let violatingOutcome = Surprise(claim)
    for place in places where violatingOutcome.has(pool.requests[place]) {
      if budget.lateness != nil { break }
      let request = pool.requests[place]
      let (isInScope, isMet) = evaluator.holds(conditions, for: request, of: pool)
      if !isInScope { continue }
      if let obligation = claim.obligation {
        if request.isAllowed, granted[obligation] == nil {
          granted[obligation] = pool.candidate(of: request)
        }
        if isMet == request.isAllowed { continue }
      }
      let candidate = pool.candidate(of: request)
      if let found = confirm(candidate) { return (candidate, found) }
    }
    return nil
  }

  /// Returns a request in scope of the claim that was granted, or nil.
  func granted(of claim: CompiledClaim) -> CandidateRequest? {
    claim.obligation.flatMap { granted[$0] }
  }

  /// Returns a request in the scope of a claim, or nil if none of the generated ones is.
  ///
  /// - Parameter isMet: True if the request must satisfy the claim's condition, too.
  func inhabitant(
    of claim: CompiledClaim, _ scenario: Scenario, isMet: Bool = false,
    among count: Int = Strategy.requests, within budget: Budget
  ) -> CandidateRequest? {
    let pool = pool(scenario)
    let obligation = isMet ? claim.obligation : nil
    let places = pool.first(count, by: evaluator, within: budget)
    let conditions = evaluator.conditions(
      limits: claim.limits(for: scenario.method), obligation: obligation, of: claim, in: pool)
    for place in places {
      if budget.lateness != nil { break }
      let request = pool.requests[place]
      let answer = evaluator.holds(conditions, for: request, of: pool)
      if answer.isInScope, obligation == nil || answer.isMet { return pool.candidate(of: request) }
    }
    return nil
  }

  /// The outcome of a request that may refute a claim.
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

  /// Returns a confirmed request that one file allows and the other denies, or nil.
  ///
  /// - Parameters:
  ///   - isMeant: True for the directions that are looked for: loosened or tightened access.
  ///   - except: Paths that are left out.
  func difference<Found>(
    from old: Engine, to new: Engine, isMeant: (_ isLoosened: Bool) -> Bool, in scenario: Scenario,
    except: [[Text?]], count: Int, within budget: Budget,
    confirming confirm: (CandidateRequest) -> Found?
  ) -> (candidate: CandidateRequest, found: Found)? {
    first(
      in: scenario, from: old, to: new, except: except, count: count, within: budget
    ) { before, after in
      before.isAllowed != after.isAllowed && isMeant(after.isAllowed)
    } confirming: {
      confirm($0)
    }
  }

  /// True if some request meets an error in the newer file and none in the older one.
  func failsMore(
    from old: Engine, to new: Engine, in scenario: Scenario, except: [[Text?]],
    count: Int, within budget: Budget
  ) -> Bool {
    first(
      in: scenario, from: old, to: new, except: except, count: count, within: budget
    ) { before, after in
      after.fails && !before.fails
    } confirming: { candidate in
      fails(candidate, under: new) && !fails(candidate, under: old) ? true : nil
    } != nil
  }

  /// Returns the first confirmed request for which `shows` is true of both decisions.
  private func first<Found>(
    in scenario: Scenario, from old: Engine, to new: Engine, except: [[Text?]],
    count: Int, within budget: Budget, where shows: (VariantDecision, VariantDecision) -> Bool,
    confirming confirm: (CandidateRequest) -> Found?
  ) -> (candidate: CandidateRequest, found: Found)? {
    let pool = pool(scenario)
    let before = evaluator(old, for: scenario)
    let after = evaluator(new, for: scenario)
    let places = pool.first(count, by: evaluator, within: budget)
    let isExcepted = pool.paths.map { path in except.contains { path.fits($0) } }
    for place in places where !isExcepted[pool.bases[pool.requests[place].base].path] {
      if budget.lateness != nil { break }
      let request = pool.requests[place]
      guard let one = ruling(on: request, by: before, in: pool),
        let two = ruling(on: request, by: after, in: pool),
        shows(one, two)
      else { continue }
      let candidate = pool.candidate(of: request)
      if let found = confirm(candidate) { return (candidate, found) }
    }
    return nil
  }

  private func ruling(on request: PooledRequest, by other: AttackEvaluator, in pool: RequestPool)
    -> VariantDecision?
  {
    if other.engine.rules === engine.rules {
      return VariantDecision(
        isAllowed: request.isAllowed, fails: request.fails, isAboutDocument: true)
    }
    return other.ruling(on: request, of: pool)
  }

  private func fails(_ candidate: CandidateRequest, under engine: Engine) -> Bool {
    let decision = try? engine.decide(candidate.request, on: candidate.documents)
    return decision?.tried.contains { $0.isError } ?? false
  }
}

extension DocumentPath {
  /// True if the path has these segments; nil stands for any segment.
  fileprivate func fits(_ texts: [Text?]) -> Bool {
    segments.count == texts.count
      && zip(segments, texts).allSatisfy { segment, text in text.map { $0 == segment } ?? true }
  }
}

extension ClaimPath {
  /// True if a match block may match documents of the claim.
  fileprivate func mayMeet(_ block: MatchFacts) -> Bool {
    steps.contains { $0.isGlob } || block.mayFit(steps.map { $0.text })
  }

  /// True if the paths of a kind are among those of the pattern; nil stands for any segment.
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
