import RulesEncoding
import RulesEval
import RulesLang

/// The evaluator of an attack: one version of the rules, with the requests of pools loaded into its
/// bytecode machine. Not thread-safe.
///
/// Requests that the machine does not support are decided by the engine. Exclusivity is unchecked
/// here, in `RequestPool` and in `VariantEvaluator`, where no method runs while another one modifies the
/// object: the checks took a tenth of an attack's time.
final class AttackEvaluator {
  /// The engine for requests that the machine does not support.
  let engine: Engine
  /// The requests that the evaluator was compiled for; nil for all.
  let kind: Kind?
  private let evaluator: VariantEvaluator
  /// The index of each compiled condition.
  @exclusivity(unchecked) private var conditions: [FunctionID: Int] = [:]
  /// The loaded requests, by pool and base.
  @exclusivity(unchecked) private var targets: [[VariantRequest?]] = []
  /// The loaded values, names and clients of mutation tables, by table number.
  @exclusivity(unchecked) private var loaded: [LoadedChoices] = []
  /// The loaded paths, by pool.
  @exclusivity(unchecked) private var paths: [[LoadedPath?]] = []
  /// The loaded captures and arguments of claims' conditions, by pool.
  @exclusivity(unchecked) private var frames: [[Frames]] = []

  /// A class of requests that can match the same statements.
  struct Kind: Equatable {
    /// The path of the documents; nil for any segment.
    var path: [Text?]
    /// True for writes. Most statements are for all methods that write, or for all that read.
    var isWrite: Bool

    /// True if a statement may match one of the requests.
    fileprivate func mayMeet(_ allow: AllowID, of rules: Checked) -> Bool {
      !rules.methods[allow.index].isDisjoint(with: isWrite ? .write : .read)
        && rules.matches[rules.ruleset[allow].match.index].mayFit(path)
    }
  }

  private struct LoadedChoices {
    var values: [LoadedValue] = []
    var names: [LoadedName] = []
    var clients: [LoadedValue] = []
  }

  fileprivate final class Frames {
    let owner: ScopeOwner
    let claim: ClaimPath
    /// The loaded frames by path of the pool.
    var loaded: [LoadedFrame?] = []

    init(of owner: ScopeOwner, on claim: ClaimPath) {
      self.owner = owner
      self.claim = claim
    }
  }

  /// Compiles the statements for which `isWanted` is true, and conditions of claims. Leaving out
  /// other statements saves time.
  init(
    _ engine: Engine, conditions functions: [FunctionID] = [],
    where isWanted: (AllowID) -> Bool = { _ in true }
  ) {
    self.engine = engine
    kind = nil
    evaluator = VariantEvaluator(engine, adding: functions, where: isWanted)
    for (place, function) in functions.enumerated() { conditions[function] = place }
  }

  /// Compiles only the statements that may match requests of a kind. Reuses the work of `other`,
  /// whose rules are similar.
  init(_ engine: Engine, for kind: Kind, like other: AttackEvaluator) {
    self.engine = engine
    self.kind = kind
    evaluator = VariantEvaluator(engine, like: other.evaluator) {
      kind.mayMeet($0, of: engine.rules)
    }
  }

  /// Creates an evaluator for the same rules and conditions, without loaded requests.
  init(like other: AttackEvaluator) {
    engine = other.engine
    kind = other.kind
    evaluator = VariantEvaluator(like: other.evaluator)
    conditions = other.conditions
  }

  // MARK: Requests

  /// Returns the decision on a whole request, with the loaded request and the documents looked up;
  /// nil if it cannot be decided.
  func ruling(
    on candidate: CandidateRequest, at path: Int, of pool: RequestPool
  ) -> (ruling: VariantDecision, target: VariantRequest, lookedUp: [DocumentPath])? {
    let loaded = load(
      candidate, as: candidate.plain, on: { candidate.documents }, at: path, of: pool)
    guard let target = loaded, target.method == candidate.method
    else { return nil }
    if let (ruling, _) = evaluator.ruling(on: target, variedBy: nil) {
      return (ruling, target, evaluator.lookedUp)
    }
    guard let prepared = candidate.prepared(for: engine),
      let (decision, lookedUp) = try? engine.decideNotingLookups(prepared)
    else { return nil }
    return (VariantDecision(decision, on: candidate), target, lookedUp)
  }

  private func load(
    _ candidate: CandidateRequest, as plain: PlainRequest?, on documents: () -> Documents,
    at path: Int,
    of pool: RequestPool
  ) -> VariantRequest? {
    if let plain {
      return evaluator.load(
        plain, at: self.path(path, in: pool), of: candidate.path,
        on: evaluator.looksUp ? documents() : nil)
    }
    if candidate.method == .list, case .list(let query) = candidate.request.operation {
      let loaded = evaluator.load(
        query, by: candidate.principal, at: candidate.time, of: candidate.path,
        path: self.path(path, in: pool),
        storedAs: candidate.before)
      if let loaded { return loaded }
    }
    return candidate.prepared(for: engine).flatMap { evaluator.load($0, about: candidate.path) }
  }

  private func path(_ path: Int, in pool: RequestPool) -> LoadedPath {
    while paths.count <= pool.number { paths.append([]) }
    while paths[pool.number].count <= path { paths[pool.number].append(nil) }
    if let known = paths[pool.number][path] { return known }
    let made = evaluator.load(pool.paths[path], isQueried: pool.scenario.method == .list)
    paths[pool.number][path] = made
    return made
  }

  /// Stores a loaded request.
  func keep(_ target: VariantRequest?, pool: Int, base: Int) {
    while targets.count <= pool { targets.append([]) }
    while targets[pool].count <= base { targets[pool].append(nil) }
    targets[pool][base] = target
  }

  private func target(of base: Int, in pool: RequestPool) -> VariantRequest? {
    if pool.number < targets.count, base < targets[pool.number].count,
      let known = targets[pool.number][base]
    {
      return known
    }
    let start = pool.bases[base]
    let made = load(
      start.candidate, as: start.plain, on: { start.documents }, at: start.path, of: pool)
    keep(made, pool: pool.number, base: base)
    return made
  }

  // MARK: Variants

  /// Returns the decision on a pooled request; nil if it cannot be decided.
  func ruling(on request: PooledRequest, of pool: RequestPool) -> VariantDecision? {
    guard let target = target(of: request.base, in: pool) else { return nil }
    let change = request.variation.map { difference(of: $0, from: request.base, in: pool) }
    return evaluator.decide(target, variedBy: change)
      ?? decided(request.base, variedBy: request.variation, in: pool)
  }

  /// Returns the decision on a variant of a base request. The variant stays loaded if there is
  /// room.
  func ruling(
    on base: Int, _ variation: Variation, of pool: RequestPool
  ) -> (ruling: VariantDecision, variant: Variant?)? {
    guard let target = target(of: base, in: pool) else { return nil }
    return evaluator.ruling(on: target, variedBy: difference(of: variation, from: base, in: pool))
      ?? decided(base, variedBy: variation, in: pool).map { ($0, nil) }
  }

  /// Returns the engine's decision on a base request or a variant of it.
  private func decided(_ base: Int, variedBy variation: Variation?, in pool: RequestPool)
    -> VariantDecision?
  {
    let start = pool.bases[base].candidate
    let candidate = variation.map { start.varied(by: $0, from: pool.table) } ?? start
    guard candidate.impossibility == nil, let prepared = candidate.prepared(for: engine) else {
      return nil
    }
    let ruling = evaluator.withRequest(prepared, about: candidate.path) {
      evaluator.decide($0, variedBy: nil)
    }
    return ruling ?? (try? engine.decide(prepared)).map { VariantDecision($0, on: candidate) }
  }

  private func difference(of variation: Variation, from base: Int, in pool: RequestPool)
    -> RequestDifference
  {
    let loaded = loaded(pool.table)
    let value: LoadedValue? =
      switch variation.choice {
      case .value(let number): loaded.values[number]
      case .uid: evaluator.load(.string(pool.bases[base].candidate.uid))
      case .segment: evaluator.load(.string(pool.bases[base].candidate.path.id))
      case .client(let number): loaded.clients[number]
      case .missing: nil
      }
    func name(_ number: Int) -> LoadedName { loaded.names[number] }
    return switch variation.slot {
    case .client: .client(value ?? evaluator.load(.null))
    case .claim(let number): .claim(name(number), value)
    case .before(let number): .before(name(number), value)
    case .after(let number): .after(name(number), value)
    case .both(let number): .both(name(number), value)
    }
  }

  /// Returns the loaded mutation table, with all values it has by now.
  private func loaded(_ table: MutationTable) -> LoadedChoices {
    while loaded.count <= table.number { loaded.append(LoadedChoices()) }
    let known = loaded[table.number]
    if !known.names.isEmpty, known.values.count == table.values.count { return known }
    var more = known
    if more.names.isEmpty {
      more.names = table.names.map { evaluator.load($0) }
      more.clients = table.clients.map { evaluator.load($0?.value ?? .null) }
    }
    while more.values.count < table.values.count {
      more.values.append(evaluator.load(table.values[more.values.count]))
    }
    loaded[table.number] = more
    return more
  }

  // MARK: Claims

  /// The conditions of a claim, resolved once for all requests of a pool.
  struct Conditions {
    /// The scope conditions of the claim.
    fileprivate let limits: [FunctionID]
    /// The claimed condition, if any.
    fileprivate let obligation: FunctionID?
    /// The indices of the compiled conditions; nil unless all of them were compiled.
    fileprivate let places: (limits: [Int], obligation: Int?)?
    fileprivate let path: ClaimPath
    /// The captures and arguments of the conditions.
    fileprivate let frames: Frames
  }

  /// Resolves the conditions of a claim.
  func conditions(
    limits: [FunctionID], obligation: FunctionID?, of claim: CompiledClaim, in pool: RequestPool
  ) -> Conditions {
    let places = limits.compactMap { conditions[$0] }
    let place = obligation.flatMap { conditions[$0] }
    let isKnown = places.count == limits.count && (place == nil) == (obligation == nil)
    return Conditions(
      limits: limits, obligation: obligation, places: isKnown ? (places, place) : nil,
      path: claim.claim.path, frames: frames(of: claim, pool))
  }

  /// Evaluates the scope conditions of a claim and the claimed condition for a pooled request.
  ///
  /// - Requires: The stored variant of the request, if any, is loaded in this evaluator.
  func holds(
    _ conditions: Conditions, for request: PooledRequest, of pool: RequestPool
  ) -> (isInScope: Bool, isMet: Bool) {
    if conditions.path.excepts(pool.paths[pool.bases[request.base].path]) { return (false, false) }
    if conditions.limits.isEmpty, conditions.obligation == nil { return (true, false) }
    if let places = conditions.places,
      let answer = machineAnswer(places, of: conditions, for: request, in: pool)
    {
      return answer
    }
    let candidate = pool.candidate(of: request)
    guard let prepared = candidate.prepared(for: engine),
      var scope = try? ConditionScope(engine, for: candidate.path, in: prepared)
    else { return (false, false) }
    let arguments = conditions.path.arguments(for: candidate)
    guard conditions.limits.allSatisfy({ scope.holds($0, with: arguments) }) else {
      return (false, false)
    }
    return (true, conditions.obligation.map { scope.holds($0, with: arguments) } ?? false)
  }

  private func machineAnswer(
    _ places: (limits: [Int], obligation: Int?), of conditions: Conditions,
    for request: PooledRequest,
    in pool: RequestPool
  ) -> (isInScope: Bool, isMet: Bool)? {
    guard let target = self.target(of: request.base, in: pool) else { return nil }
    let frame = self.frame(for: conditions, path: pool.bases[request.base].path, in: pool)
    let change =
      request.variant == nil
      ? request.variation.map { difference(of: $0, from: request.base, in: pool) } : nil
    return evaluator.holds(
      places.limits, obligation: places.obligation, in: frame, of: target, for: request.variant,
      variedBy: change)
  }

  private func frames(of claim: CompiledClaim, _ pool: RequestPool) -> Frames {
    while frames.count <= pool.number { frames.append([]) }
    let known = frames[pool.number].first {
      $0.owner == claim.owner && $0.claim == claim.claim.path
    }
    if let known { return known }
    let made = Frames(of: claim.owner, on: claim.claim.path)
    frames[pool.number].append(made)
    return made
  }

  private func frame(for conditions: Conditions, path: Int, in pool: RequestPool) -> LoadedFrame {
    let frames = conditions.frames
    while frames.loaded.count <= path { frames.loaded.append(nil) }
    if let known = frames.loaded[path] { return known }
    let document = pool.paths[path]
    let made = evaluator.load(
      frameOf: frames.owner, conditions.path.arguments(for: document), for: document)
    frames.loaded[path] = made
    return made
  }
}

extension CandidateRequest {
  /// The prepared request; nil if impossible.
  func prepared(for engine: Engine) -> PreparedRequest? {
    try? PreparedRequest(request, on: documents, in: engine.rules.database, profile: engine.profile)
  }
}

extension VariantDecision {
  /// Converts an engine's decision. `isAboutDocument` is true if the request is of the intended
  /// kind.
  fileprivate init(_ decision: Decision, on candidate: CandidateRequest) {
    self.init(
      isAllowed: decision.isAllowed, fails: decision.tried.contains { $0.isError },
      isAboutDocument: candidate.isMeant(decision))
  }
}
