import RulesEncoding
import RulesEval
import RulesLang

/// One version of the rules with the requests of volleys before it, loaded into its machine; for one
/// thread.
///
/// What takes more than a machine is decided by the engine, request by request. Here, in `Volley` and in
/// `Rehearsal` no method is entered while another one changes something, so that nobody has to check it:
/// checking took a tenth of an attack's time.
final class Stand {
  /// Decides what the machine does not.
  let engine: Engine
  private let rehearsal: Rehearsal
  /// Which condition of those that were compiled a function is.
  @exclusivity(unchecked) private var conditions: [FunctionID: Int] = [:]
  /// The requests, by volley and base.
  @exclusivity(unchecked) private var targets: [[RehearsedRequest?]] = []
  /// The values, names and clients of arsenals, by their numbers.
  @exclusivity(unchecked) private var loaded: [LoadedArsenal] = []
  /// The paths of documents, by volley.
  @exclusivity(unchecked) private var paths: [[LoadedPath?]] = []
  /// What conditions of claims have for captures and arguments, by volley.
  @exclusivity(unchecked) private var frames: [[Frames]] = []

  private struct LoadedArsenal {
    var values: [LoadedValue] = []
    var names: [LoadedName] = []
    var clients: [LoadedValue] = []
  }

  fileprivate final class Frames {
    let owner: ScopeOwner
    let claim: ClaimPath
    /// By path of the volley.
    var loaded: [LoadedFrame?] = []

    init(of owner: ScopeOwner, on claim: ClaimPath) {
      self.owner = owner
      self.claim = claim
    }
  }

  /// Compiles the rules, and conditions of claims that were added to them.
  init(_ engine: Engine, conditions functions: [FunctionID] = []) {
    self.engine = engine
    rehearsal = Rehearsal(engine, adding: functions)
    for (place, function) in functions.enumerated() { conditions[function] = place }
  }

  /// Makes a stand for the same rules and conditions, before which there are no requests yet.
  init(like other: Stand) {
    engine = other.engine
    rehearsal = Rehearsal(like: other.rehearsal)
    conditions = other.conditions
  }

  // MARK: Requests

  /// What the rules say to a request that was made in whole, its path being one of the volley's; nil if
  /// they cannot be asked.
  func ruling(
    on draft: Draft, at path: Int, of volley: Volley
  ) -> (ruling: Ruling, target: RehearsedRequest, lookedUp: [DocumentPath])? {
    guard let target = load(draft, at: path, of: volley), target.method == draft.method
    else { return nil }
    if let (ruling, _) = rehearsal.ruling(on: target, variedBy: nil) {
      return (ruling, target, rehearsal.lookedUp)
    }
    guard let prepared = draft.prepared(for: engine),
      let (decision, lookedUp) = try? engine.decideNotingLookups(prepared)
    else { return nil }
    return (Ruling(decision, on: draft), target, lookedUp)
  }

  private func load(_ draft: Draft, at path: Int, of volley: Volley) -> RehearsedRequest? {
    if let plain = draft.plain {
      return rehearsal.load(
        plain, at: self.path(path, in: volley), of: draft.path,
        on: rehearsal.looksUp ? draft.documents : nil)
    }
    if draft.method == .list, case .list(let query) = draft.request.operation {
      let loaded = rehearsal.load(
        query, by: draft.principal, at: draft.time, of: draft.path,
        path: self.path(path, in: volley),
        storedAs: draft.before)
      if let loaded { return loaded }
    }
    return draft.prepared(for: engine).flatMap { rehearsal.load($0, about: draft.path) }
  }

  private func path(_ path: Int, in volley: Volley) -> LoadedPath {
    while paths.count <= volley.number { paths.append([]) }
    while paths[volley.number].count <= path { paths[volley.number].append(nil) }
    if let known = paths[volley.number][path] { return known }
    let made = rehearsal.load(volley.paths[path], isQueried: volley.scenario.method == .list)
    paths[volley.number][path] = made
    return made
  }

  /// Remembers a request that lies in the machine.
  func keep(_ target: RehearsedRequest?, volley: Int, base: Int) {
    while targets.count <= volley { targets.append([]) }
    while targets[volley].count <= base { targets[volley].append(nil) }
    targets[volley][base] = target
  }

  private func target(of base: Int, in volley: Volley) -> RehearsedRequest? {
    if volley.number < targets.count, base < targets[volley.number].count,
      let known = targets[volley.number][base]
    {
      return known
    }
    let made = load(volley.bases[base].draft, at: volley.bases[base].path, of: volley)
    keep(made, volley: volley.number, base: base)
    return made
  }

  // MARK: Variants

  /// What the rules say to a shot; nil if they cannot be asked.
  func ruling(on shot: Shot, of volley: Volley) -> Ruling? {
    guard let target = target(of: shot.base, in: volley) else { return nil }
    let change = shot.variation.map { difference(of: $0, from: shot.base, in: volley) }
    return rehearsal.ruling(on: target, variedBy: change)?.ruling
      ?? decided(shot.base, variedBy: shot.variation, in: volley)
  }

  /// The same of a variant of a base, which stays here if there is room.
  func ruling(
    on base: Int, _ variation: Variation, of volley: Volley
  ) -> (ruling: Ruling, variant: Variant?)? {
    guard let target = target(of: base, in: volley) else { return nil }
    return rehearsal.ruling(on: target, variedBy: difference(of: variation, from: base, in: volley))
      ?? decided(base, variedBy: variation, in: volley).map { ($0, nil) }
  }

  /// What the engine says to a variant of a base, or to the base itself.
  private func decided(_ base: Int, variedBy variation: Variation?, in volley: Volley) -> Ruling? {
    let start = volley.bases[base].draft
    let draft = variation.map { start.varied(by: $0, from: volley.arsenal) } ?? start
    guard draft.impossibility == nil, let prepared = draft.prepared(for: engine) else { return nil }
    let ruling = rehearsal.withRequest(prepared, about: draft.path) {
      rehearsal.ruling(on: $0, variedBy: nil)?.ruling
    }
    return ruling ?? (try? engine.decide(prepared)).map { Ruling($0, on: draft) }
  }

  private func difference(of variation: Variation, from base: Int, in volley: Volley)
    -> RequestDifference
  {
    let loaded = loaded(volley.arsenal)
    let value: LoadedValue? =
      switch variation.choice {
      case .value(let number): loaded.values[number]
      case .uid: rehearsal.load(.string(volley.bases[base].draft.uid))
      case .segment: rehearsal.load(.string(volley.bases[base].draft.path.id))
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

  /// An arsenal with all values that it has by now.
  private func loaded(_ arsenal: Arsenal) -> LoadedArsenal {
    while loaded.count <= arsenal.number { loaded.append(LoadedArsenal()) }
    let known = loaded[arsenal.number]
    if !known.names.isEmpty, known.values.count == arsenal.values.count { return known }
    var more = known
    if more.names.isEmpty {
      more.names = arsenal.names.map { rehearsal.load($0) }
      more.clients = arsenal.clients.map { rehearsal.load($0?.value ?? .null) }
    }
    while more.values.count < arsenal.values.count {
      more.values.append(rehearsal.load(arsenal.values[more.values.count]))
    }
    loaded[arsenal.number] = more
    return more
  }

  // MARK: Claims

  /// Conditions of a claim, looked up once for all shots of a volley.
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
    limits: [FunctionID], obligation: FunctionID?, of claim: CompiledClaim, in volley: Volley
  ) -> Conditions {
    let places = limits.compactMap { conditions[$0] }
    let place = obligation.flatMap { conditions[$0] }
    let isKnown = places.count == limits.count && (place == nil) == (obligation == nil)
    return Conditions(
      limits: limits, obligation: obligation, places: isKnown ? (places, place) : nil,
      path: claim.claim.path, frames: frames(of: claim, volley))
  }

  /// Whether the conditions that limit a claim are true of a shot, and the other one, if there is one.
  /// A variant that the shot has must lie here.
  func holds(
    _ conditions: Conditions, for shot: Shot, of volley: Volley
  ) -> (isInScope: Bool, isMet: Bool) {
    if conditions.limits.isEmpty, conditions.obligation == nil { return (true, false) }
    if let places = conditions.places,
      let answer = rehearsed(places, of: conditions, for: shot, in: volley)
    {
      return answer
    }
    let draft = volley.draft(of: shot)
    guard let prepared = draft.prepared(for: engine),
      var scope = try? ConditionScope(engine, for: draft.path, in: prepared)
    else { return (false, false) }
    let arguments = conditions.path.arguments(for: draft.path)
    guard conditions.limits.allSatisfy({ scope.holds($0, with: arguments) }) else {
      return (false, false)
    }
    return (true, conditions.obligation.map { scope.holds($0, with: arguments) } ?? false)
  }

  private func rehearsed(
    _ places: (limits: [Int], obligation: Int?), of conditions: Conditions, for shot: Shot,
    in volley: Volley
  ) -> (isInScope: Bool, isMet: Bool)? {
    guard let target = self.target(of: shot.base, in: volley) else { return nil }
    let frame = self.frame(for: conditions, path: volley.bases[shot.base].path, in: volley)
    let change =
      shot.variant == nil
      ? shot.variation.map { difference(of: $0, from: shot.base, in: volley) } : nil
    return rehearsal.holds(
      places.limits, obligation: places.obligation, in: frame, of: target, for: shot.variant,
      variedBy: change)
  }

  private func frames(of claim: CompiledClaim, _ volley: Volley) -> Frames {
    while frames.count <= volley.number { frames.append([]) }
    let known = frames[volley.number].first {
      $0.owner == claim.owner && $0.claim == claim.claim.path
    }
    if let known { return known }
    let made = Frames(of: claim.owner, on: claim.claim.path)
    frames[volley.number].append(made)
    return made
  }

  private func frame(for conditions: Conditions, path: Int, in volley: Volley) -> LoadedFrame {
    let frames = conditions.frames
    while frames.loaded.count <= path { frames.loaded.append(nil) }
    if let known = frames.loaded[path] { return known }
    let document = volley.paths[path]
    let made = rehearsal.load(
      frameOf: frames.owner, conditions.path.arguments(for: document), for: document)
    frames.loaded[path] = made
    return made
  }
}

extension Draft {
  /// The request, worked out.
  fileprivate func prepared(for engine: Engine) -> PreparedRequest? {
    try? PreparedRequest(request, on: documents, profile: engine.profile)
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
