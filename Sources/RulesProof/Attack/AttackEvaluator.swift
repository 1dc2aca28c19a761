import RulesEncoding
import RulesEval
import RulesLang

/// Evaluates the requests of an attack: one version of the rules with the requests of pools loaded into
/// its machine; for one thread.
///
/// What takes more than a machine is decided by the engine, request by request. Here, in `RequestPool`
/// and in `Rehearsal` no method is entered while another one changes something, so that nobody has to
/// check it: checking took a tenth of an attack's time.
final class AttackEvaluator {
  /// Decides what the machine does not.
  let engine: Engine
  /// The requests that it was made for; nil for any.
  let kind: Kind?
  private let rehearsal: Rehearsal
  /// The version of the rules that decides, if the requests lie in the machine of another evaluator.
  private let version: RehearsedVersion?
  /// That other one; it is not changed as long as the version decides.
  private let home: AttackEvaluator?
  /// Whether another evaluator has the requests.
  var isVersion: Bool { version != nil }
  /// Which condition of those that were compiled a function is.
  @exclusivity(unchecked) private var conditions: [FunctionID: Int] = [:]
  /// The requests, by pool and base.
  @exclusivity(unchecked) private var targets: [[RehearsedRequest?]] = []
  /// The values, names and clients of tables of choices, by their numbers.
  @exclusivity(unchecked) private var loaded: [LoadedChoices] = []
  /// The paths of documents, by pool.
  @exclusivity(unchecked) private var paths: [[LoadedPath?]] = []
  /// What conditions of claims have for captures and arguments, by pool.
  @exclusivity(unchecked) private var frames: [[Frames]] = []

  /// Requests that can meet the same statements.
  struct Kind: Equatable {
    /// The path of their documents.
    var path: [Text?]
    /// Whether they write: most statements are for all methods that do, or for all that read.
    var isWrite: Bool

    /// Whether a statement may be for one of them.
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
    /// By path of the pool.
    var loaded: [LoadedFrame?] = []

    init(of owner: ScopeOwner, on claim: ClaimPath) {
      self.owner = owner
      self.claim = claim
    }
  }

  /// Compiles the statements of rules that are wanted, and conditions of claims that were added to the rules;
  /// other statements cost more time.
  init(
    _ engine: Engine, conditions functions: [FunctionID] = [],
    where isWanted: (AllowID) -> Bool = { _ in true }
  ) {
    self.engine = engine
    kind = nil
    (version, home) = (nil, nil)
    rehearsal = Rehearsal(engine, adding: functions, where: isWanted)
    for (place, function) in functions.enumerated() { conditions[function] = place }
  }

  /// Compiles only the statements that may be for requests of a kind; others cost more time. The rules are
  /// much like those of another one.
  init(_ engine: Engine, for kind: Kind, like other: AttackEvaluator) {
    self.engine = engine
    self.kind = kind
    (version, home) = (nil, nil)
    rehearsal = Rehearsal(engine, like: other.rehearsal) { kind.mayMeet($0, of: engine.rules) }
  }

  /// The same for a version of the rules of another one (`Checked.changed(by:)`), which keeps the requests;
  /// nil if the version takes a machine of its own.
  init?(_ engine: Engine, for kind: Kind, versionOf home: AttackEvaluator) {
    let made = home.rehearsal.version(engine) { kind.mayMeet($0, of: engine.rules) }
    guard let made else { return nil }
    self.engine = engine
    self.kind = kind
    self.home = home
    version = made
    rehearsal = home.rehearsal
  }

  /// Makes an evaluator for the same rules and conditions, into which no requests are loaded yet.
  init(like other: AttackEvaluator) {
    engine = other.engine
    kind = other.kind
    (version, home) = (nil, nil)
    rehearsal = Rehearsal(like: other.rehearsal)
    conditions = other.conditions
  }

  // MARK: Requests

  /// What the rules say to a request that was made in whole, its path being one of the pool's; nil if
  /// they cannot be asked.
  func ruling(
    on draft: Draft, at path: Int, of pool: RequestPool
  ) -> (ruling: Ruling, target: RehearsedRequest, lookedUp: [DocumentPath])? {
    let loaded = load(
      draft, as: draft.plain, on: { draft.documents }, at: path, of: pool)
    guard let target = loaded, target.method == draft.method
    else { return nil }
    if let (ruling, _) = rehearsal.ruling(on: target, variedBy: nil) {
      return (ruling, target, rehearsal.lookedUp)
    }
    guard let prepared = draft.prepared(for: engine),
      let (decision, lookedUp) = try? engine.decideNotingLookups(prepared)
    else { return nil }
    return (Ruling(decision, on: draft), target, lookedUp)
  }

  private func load(
    _ draft: Draft, as plain: PlainRequest?, on documents: () -> Documents, at path: Int,
    of pool: RequestPool
  ) -> RehearsedRequest? {
    if let plain {
      return rehearsal.load(
        plain, at: self.path(path, in: pool), of: draft.path,
        on: rehearsal.looksUp ? documents() : nil)
    }
    if draft.method == .list, case .list(let query) = draft.request.operation {
      let loaded = rehearsal.load(
        query, by: draft.principal, at: draft.time, of: draft.path,
        path: self.path(path, in: pool),
        storedAs: draft.before)
      if let loaded { return loaded }
    }
    return draft.prepared(for: engine).flatMap { rehearsal.load($0, about: draft.path) }
  }

  private func path(_ path: Int, in pool: RequestPool) -> LoadedPath {
    while paths.count <= pool.number { paths.append([]) }
    while paths[pool.number].count <= path { paths[pool.number].append(nil) }
    if let known = paths[pool.number][path] { return known }
    let made = rehearsal.load(pool.paths[path], isQueried: pool.scenario.method == .list)
    paths[pool.number][path] = made
    return made
  }

  /// Remembers a request that lies in the machine.
  func keep(_ target: RehearsedRequest?, pool: Int, base: Int) {
    while targets.count <= pool { targets.append([]) }
    while targets[pool].count <= base { targets[pool].append(nil) }
    targets[pool][base] = target
  }

  private func target(of base: Int, in pool: RequestPool) -> RehearsedRequest? {
    if pool.number < targets.count, base < targets[pool.number].count,
      let known = targets[pool.number][base]
    {
      return known
    }
    let start = pool.bases[base]
    let made = load(
      start.draft, as: start.plain, on: { start.documents }, at: start.path, of: pool)
    keep(made, pool: pool.number, base: base)
    return made
  }

  // MARK: Variants

  /// Has these rules decide during some work, in which nothing else is asked of the evaluator of which they
  /// are a version, and no request is made.
  func deciding<Answer>(about pool: RequestPool, _ work: () -> Answer) -> Answer {
    guard let home, let version else { return work() }
    // What is loaded while the version decides is dropped after it.
    home.loadAll(of: pool)
    return rehearsal.deciding(by: version, work)
  }

  private func loadAll(of pool: RequestPool) {
    for base in pool.bases.indices { _ = target(of: base, in: pool) }
    _ = loaded(pool.table)
  }

  /// What the rules say to a pooled request; nil if they cannot be asked. Those of a version are asked while
  /// they decide.
  func ruling(on request: PooledRequest, of pool: RequestPool) -> Ruling? {
    let holder = home ?? self
    guard let target = holder.target(of: request.base, in: pool) else { return nil }
    // What stayed of a variant is where the pool's own rules decided it.
    let variant = home == nil ? nil : request.variant
    let change =
      variant == nil
      ? request.variation.map { holder.difference(of: $0, from: request.base, in: pool) } : nil
    return rehearsal.ruling(on: target, for: variant, variedBy: change)
      ?? decided(request.base, variedBy: request.variation, in: pool)
  }

  /// The same of a variant of a base, which stays here if there is room.
  func ruling(
    on base: Int, _ variation: Variation, of pool: RequestPool
  ) -> (ruling: Ruling, variant: Variant?)? {
    guard let target = target(of: base, in: pool) else { return nil }
    return rehearsal.ruling(on: target, variedBy: difference(of: variation, from: base, in: pool))
      ?? decided(base, variedBy: variation, in: pool).map { ($0, nil) }
  }

  /// What the engine says to a variant of a base, or to the base itself.
  private func decided(_ base: Int, variedBy variation: Variation?, in pool: RequestPool) -> Ruling?
  {
    let start = pool.bases[base].draft
    let draft = variation.map { start.varied(by: $0, from: pool.table) } ?? start
    guard draft.impossibility == nil, let prepared = draft.prepared(for: engine) else { return nil }
    let ruling = rehearsal.withRequest(prepared, about: draft.path) {
      rehearsal.ruling(on: $0, for: nil, variedBy: nil)
    }
    return ruling ?? (try? engine.decide(prepared)).map { Ruling($0, on: draft) }
  }

  private func difference(of variation: Variation, from base: Int, in pool: RequestPool)
    -> RequestDifference
  {
    let loaded = loaded(pool.table)
    let value: LoadedValue? =
      switch variation.choice {
      case .value(let number): loaded.values[number]
      case .uid: rehearsal.load(.string(pool.bases[base].draft.uid))
      case .segment: rehearsal.load(.string(pool.bases[base].draft.path.id))
      case .client(let number): loaded.clients[number]
      case .missing: nil
      }
    func name(_ number: Int) -> LoadedName { loaded.names[number] }
    return switch variation.spot {
    case .client: .client(value ?? rehearsal.load(.null))
    case .claim(let number): .claim(name(number), value)
    case .before(let number): .before(name(number), value)
    case .after(let number): .after(name(number), value)
    case .both(let number): .both(name(number), value)
    }
  }

  /// A table with all values that it has by now.
  private func loaded(_ table: ChoiceTable) -> LoadedChoices {
    while loaded.count <= table.number { loaded.append(LoadedChoices()) }
    let known = loaded[table.number]
    if !known.names.isEmpty, known.values.count == table.values.count { return known }
    var more = known
    if more.names.isEmpty {
      more.names = table.names.map { rehearsal.load($0) }
      more.clients = table.clients.map { rehearsal.load($0?.value ?? .null) }
    }
    while more.values.count < table.values.count {
      more.values.append(rehearsal.load(table.values[more.values.count]))
    }
    loaded[table.number] = more
    return more
  }

  // MARK: Claims

  /// Conditions of a claim, looked up once for all requests of a pool.
  struct Conditions {
    /// Those that limit the claim.
    fileprivate let limits: [FunctionID]
    /// Another one, if there is one.
    fileprivate let obligation: FunctionID?
    /// Which of those that were compiled they are; nil unless all were.
    fileprivate let places: (limits: [Int], obligation: Int?)?
    fileprivate let path: ClaimPath
    /// What they have for captures and arguments.
    fileprivate let frames: Frames
  }

  /// Looks conditions of a claim up.
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

  /// Whether the conditions that limit a claim are true of a pooled request, and the other one, if there
  /// is one. A variant that the request has must lie here.
  func holds(
    _ conditions: Conditions, for request: PooledRequest, of pool: RequestPool
  ) -> (isInScope: Bool, isMet: Bool) {
    if conditions.path.excepts(pool.paths[pool.bases[request.base].path]) { return (false, false) }
    if conditions.limits.isEmpty, conditions.obligation == nil { return (true, false) }
    if let places = conditions.places,
      let answer = rehearsed(places, of: conditions, for: request, in: pool)
    {
      return answer
    }
    let draft = pool.draft(of: request)
    guard let prepared = draft.prepared(for: engine),
      var scope = try? ConditionScope(engine, for: draft.path, in: prepared)
    else { return (false, false) }
    let arguments = conditions.path.arguments(for: draft)
    guard conditions.limits.allSatisfy({ scope.holds($0, with: arguments) }) else {
      return (false, false)
    }
    return (true, conditions.obligation.map { scope.holds($0, with: arguments) } ?? false)
  }

  private func rehearsed(
    _ places: (limits: [Int], obligation: Int?), of conditions: Conditions,
    for request: PooledRequest,
    in pool: RequestPool
  ) -> (isInScope: Bool, isMet: Bool)? {
    guard let target = self.target(of: request.base, in: pool) else { return nil }
    let frame = self.frame(for: conditions, path: pool.bases[request.base].path, in: pool)
    let change =
      request.variant == nil
      ? request.variation.map { difference(of: $0, from: request.base, in: pool) } : nil
    return rehearsal.holds(
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
    let made = rehearsal.load(
      frameOf: frames.owner, conditions.path.arguments(for: document), for: document)
    frames.loaded[path] = made
    return made
  }
}

extension Draft {
  /// The request, worked out.
  fileprivate func prepared(for engine: Engine) -> PreparedRequest? {
    try? PreparedRequest(request, on: documents, in: engine.rules.database, profile: engine.profile)
  }
}

extension Ruling {
  /// What an engine says to a request that is of the kind that it was made for.
  fileprivate init(_ decision: Decision, on draft: Draft) {
    self.init(
      isAllowed: decision.isAllowed, fails: decision.tried.contains { $0.isError },
      isAboutDocument: draft.isMeant(decision))
  }
}
