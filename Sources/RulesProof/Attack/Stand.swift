import RulesEval
import RulesLang

/// One version of the rules with the requests of volleys before it, loaded into its machine; for one
/// thread.
///
/// What takes more than a machine is decided by the engine, request by request.
final class Stand {
  /// Decides what the machine does not.
  let engine: Engine
  private let rehearsal: Rehearsal
  /// Which condition of those that were compiled a function is.
  private var conditions: [FunctionID: Int] = [:]
  /// The requests, by volley and base.
  private var targets: [[RehearsedRequest?]] = []
  /// The values, names and clients of arsenals, by their numbers.
  private var loaded: [LoadedArsenal] = []
  /// The paths of documents, by volley.
  private var paths: [[LoadedPath?]] = []
  /// What conditions of claims have for captures and arguments, by volley.
  private var frames: [[Frame]] = []

  private struct LoadedArsenal {
    var values: [LoadedValue] = []
    var names: [LoadedName] = []
    var clients: [LoadedValue] = []
  }

  private struct Frame {
    var owner: ScopeOwner
    var claim: ClaimPath
    /// By path of the volley.
    var frames: [LoadedFrame?] = []
  }

  /// Compiles the rules, and conditions of claims that were added to them.
  init(_ engine: Engine, _ functions: [FunctionID] = []) {
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
    if let variant = rehearsal.vary(target, by: nil), let ruling = said(to: variant, of: target) {
      return (ruling, target, rehearsal.lookedUp)
    }
    guard let prepared = draft.prepared(for: engine),
      let (decision, lookedUp) = try? engine.decideNotingLookups(prepared)
    else { return nil }
    return (Ruling(decision, draft), target, lookedUp)
  }

  private func load(_ draft: Draft, at path: Int, of volley: Volley) -> RehearsedRequest? {
    if let plain = draft.plain {
      return rehearsal.load(
        plain, at: self.path(path, volley), of: draft.path,
        on: rehearsal.looksUp ? draft.documents : nil)
    }
    return draft.prepared(for: engine).flatMap { rehearsal.load($0, about: draft.path) }
  }

  private func path(_ path: Int, _ volley: Volley) -> LoadedPath {
    while paths.count <= volley.number { paths.append([]) }
    while paths[volley.number].count <= path { paths[volley.number].append(nil) }
    if let known = paths[volley.number][path] { return known }
    let made = rehearsal.load(volley.paths[path])
    paths[volley.number][path] = made
    return made
  }

  /// Remembers a request that lies in the machine.
  func keep(_ target: RehearsedRequest?, _ volley: Int, _ base: Int) {
    while targets.count <= volley { targets.append([]) }
    while targets[volley].count <= base { targets[volley].append(nil) }
    targets[volley][base] = target
  }

  private func target(_ base: Int, _ volley: Volley) -> RehearsedRequest? {
    if volley.number < targets.count, base < targets[volley.number].count,
      let known = targets[volley.number][base]
    {
      return known
    }
    let made = load(volley.bases[base].draft, at: volley.bases[base].path, of: volley)
    keep(made, volley.number, base)
    return made
  }

  // MARK: Variants

  /// What the rules say to a shot; nil if they cannot be asked.
  func ruling(on shot: Shot, of volley: Volley) -> Ruling? {
    guard let target = target(shot.base, volley) else { return nil }
    let change = shot.variation.map { difference($0, shot.base, volley) }
    let mark = rehearsal.mark
    if let variant = rehearsal.vary(target, by: change) {
      let ruling = said(to: variant, of: target)
      rehearsal.drop(to: mark)
      if let ruling { return ruling }
    } else {
      rehearsal.drop(to: mark)
    }
    return decided(shot.base, shot.variation, volley)
  }

  /// The same of a variant of a base, which stays here if there is room.
  func ruling(
    on base: Int, _ variation: Variation, of volley: Volley
  ) -> (ruling: Ruling, variant: Variant?)? {
    guard let target = target(base, volley) else { return nil }
    let change = difference(variation, base, volley)
    let mark = rehearsal.mark
    if let variant = rehearsal.vary(target, by: change) {
      if let ruling = said(to: variant, of: target), ruling.isAboutDocument, rehearsal.isRoomy {
        return (ruling, variant)
      }
    }
    rehearsal.drop(to: mark)
    return decided(base, variation, volley).map { ($0, nil) }
  }

  /// What the engine says to a variant of a base, or to the base itself.
  private func decided(_ base: Int, _ variation: Variation?, _ volley: Volley) -> Ruling? {
    let start = volley.bases[base].draft
    let draft = variation.map { start.varied(by: $0, from: volley.arsenal) } ?? start
    guard draft.impossibility == nil, let prepared = draft.prepared(for: engine) else { return nil }
    let ruling = rehearsal.withRequest(prepared, about: draft.path) { target in
      rehearsal.vary(target, by: nil).flatMap { said(to: $0, of: target) }
    }
    return ruling ?? (try? engine.decide(prepared)).map { Ruling($0, draft) }
  }

  private func said(to variant: Variant, of target: RehearsedRequest) -> Ruling? {
    let mark = rehearsal.mark
    defer { rehearsal.drop(to: mark) }
    return rehearsal.ruling(on: variant, of: target)
  }

  private func difference(_ variation: Variation, _ base: Int, _ volley: Volley) -> Difference {
    let arsenal = volley.arsenal
    load(arsenal)
    let value: LoadedValue? =
      switch variation.choice {
      case .value(let number): loaded[arsenal.number].values[number]
      case .uid: rehearsal.load(.string(volley.bases[base].draft.uid))
      case .segment: rehearsal.load(.string(volley.bases[base].draft.path.id))
      case .client(let number): loaded[arsenal.number].clients[number]
      case .missing: nil
      }
    func name(_ number: Int) -> LoadedName { loaded[arsenal.number].names[number] }
    return switch variation.spot {
    case .client: .client(value ?? rehearsal.load(.null))
    case .claim(let number): .claim(name(number), value)
    case .before(let number): .before(name(number), value)
    case .after(let number): .after(name(number), value)
    case .both(let number): .both(name(number), value)
    }
  }

  private func load(_ arsenal: Arsenal) {
    while loaded.count <= arsenal.number { loaded.append(LoadedArsenal()) }
    let number = arsenal.number
    if loaded[number].names.isEmpty {
      loaded[number].names = arsenal.names.map { rehearsal.load($0) }
      loaded[number].clients = arsenal.clients.map { rehearsal.load($0?.value ?? .null) }
    }
    while loaded[number].values.count < arsenal.values.count {
      loaded[number].values.append(
        rehearsal.load(arsenal.values[loaded[number].values.count]))
    }
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
    /// Where what they have for captures and arguments is.
    fileprivate let frame: Int
  }

  /// Looks conditions of a claim up.
  func conditions(
    _ limits: [FunctionID], _ obligation: FunctionID?, of claim: CompiledClaim, _ volley: Volley
  ) -> Conditions {
    let places = limits.compactMap { conditions[$0] }
    let place = obligation.flatMap { conditions[$0] }
    let isKnown = places.count == limits.count && (place == nil) == (obligation == nil)
    return Conditions(
      limits: limits, obligation: obligation, places: isKnown ? (places, place) : nil,
      path: claim.claim.path, frame: frames(of: claim, volley))
  }

  /// Whether the conditions that limit a claim are true of a shot, and the other one, if there is one.
  /// A variant that the shot has must lie here.
  func holds(
    _ conditions: Conditions, _ shot: Shot, of volley: Volley
  ) -> (isInScope: Bool, isMet: Bool) {
    if conditions.limits.isEmpty, conditions.obligation == nil { return (true, false) }
    if let places = conditions.places,
      let answer = rehearsed(places, conditions, shot, volley)
    {
      return answer
    }
    let draft = volley.draft(of: shot)
    guard let prepared = draft.prepared(for: engine),
      var scope = try? ConditionScope(engine, for: draft.path, in: prepared)
    else { return (false, false) }
    let arguments = conditions.path.arguments(for: draft.path)
    guard conditions.limits.allSatisfy({ scope.holds($0, arguments) }) else {
      return (false, false)
    }
    return (true, conditions.obligation.map { scope.holds($0, arguments) } ?? false)
  }

  private func rehearsed(
    _ places: (limits: [Int], obligation: Int?), _ conditions: Conditions, _ shot: Shot,
    _ volley: Volley
  ) -> (isInScope: Bool, isMet: Bool)? {
    guard let target = self.target(shot.base, volley) else { return nil }
    let frame = self.frame(conditions, volley.bases[shot.base].path, volley)
    let isKept = shot.variant != nil
    let change = isKept ? nil : shot.variation.map { difference($0, shot.base, volley) }
    let mark = rehearsal.mark
    defer { rehearsal.drop(to: mark) }
    guard let variant = shot.variant ?? rehearsal.vary(target, by: change) else { return nil }
    for limit in places.limits {
      guard let isTrue = rehearsal.holds(limit, in: frame, for: variant, of: target) else {
        return nil
      }
      if !isTrue { return (false, false) }
    }
    guard let obligation = places.obligation else { return (true, false) }
    guard let isTrue = rehearsal.holds(obligation, in: frame, for: variant, of: target) else {
      return nil
    }
    return (true, isTrue)
  }

  private func frames(of claim: CompiledClaim, _ volley: Volley) -> Int {
    while frames.count <= volley.number { frames.append([]) }
    let known = frames[volley.number].firstIndex {
      $0.owner == claim.owner && $0.claim == claim.claim.path
    }
    if let known { return known }
    frames[volley.number].append(Frame(owner: claim.owner, claim: claim.claim.path))
    return frames[volley.number].count - 1
  }

  private func frame(_ conditions: Conditions, _ path: Int, _ volley: Volley) -> LoadedFrame {
    let place = conditions.frame
    while frames[volley.number][place].frames.count <= path {
      frames[volley.number][place].frames.append(nil)
    }
    if let known = frames[volley.number][place].frames[path] { return known }
    let document = volley.paths[path]
    let made = rehearsal.load(
      frameOf: frames[volley.number][place].owner, conditions.path.arguments(for: document),
      for: document)
    frames[volley.number][place].frames[path] = made
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
  fileprivate init(_ decision: Decision, _ draft: Draft) {
    self.init(
      isAllowed: decision.isAllowed, fails: decision.tried.contains { $0.isError },
      isAboutDocument: draft.isMeant(decision))
  }
}
