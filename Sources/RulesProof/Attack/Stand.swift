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

  // MARK: Requests

  /// What the rules say to a request that was made in whole; nil if they cannot be asked.
  func ruling(
    on prepared: PreparedRequest, _ draft: Draft
  ) -> (ruling: Ruling, target: RehearsedRequest?, lookedUp: [DocumentPath])? {
    guard let target = rehearsal.load(prepared, about: draft.path), target.method == draft.method
    else { return nil }
    if let ruling = said(to: target, nil) {
      return (ruling, target, rehearsal.lookedUp)
    }
    guard let (decision, lookedUp) = try? engine.decideNotingLookups(prepared) else { return nil }
    return (Ruling(decision, draft), target, lookedUp)
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
    let made = rehearsal.load(volley.bases[base].prepared, about: volley.bases[base].draft.path)
    keep(made, volley.number, base)
    return made
  }

  // MARK: Variants

  /// What the rules say to a shot; nil if they cannot be asked.
  func ruling(on shot: Shot, of volley: Volley) -> Ruling? {
    ruling(on: shot.base, shot.variation, of: volley)
  }

  /// The same of a variant of a base, or of the base itself.
  func ruling(on base: Int, _ variation: Variation?, of volley: Volley) -> Ruling? {
    guard let target = target(base, volley) else { return nil }
    if let ruling = said(to: target, variation.map { difference($0, base, volley) }) {
      return ruling
    }
    let start = volley.bases[base].draft
    let draft = variation.map { start.varied(by: $0, from: volley.arsenal) } ?? start
    guard draft.impossibility == nil,
      let prepared = try? PreparedRequest(
        draft.request, on: draft.documents, profile: engine.profile)
    else { return nil }
    let ruling = rehearsal.withRequest(prepared, about: draft.path) { said(to: $0, nil) }
    return ruling ?? (try? engine.decide(prepared)).map { Ruling($0, draft) }
  }

  private func said(to target: RehearsedRequest, _ difference: Difference?) -> Ruling? {
    guard let variant = rehearsal.vary(target, by: difference) else { return nil }
    defer { rehearsal.drop(variant) }
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

  /// Whether some conditions of a claim are true of a shot, and another one, if there is one.
  func holds(
    _ limits: [FunctionID], _ obligation: FunctionID?, _ shot: Shot, _ claim: CompiledClaim,
    of volley: Volley
  ) -> (isInScope: Bool, isMet: Bool) {
    let base = volley.bases[shot.base]
    if let answer = rehearsed(limits, obligation, shot, claim, base, volley) { return answer }
    let draft = volley.draft(of: shot)
    guard
      let prepared = shot.variation == nil
        ? base.prepared
        : try? PreparedRequest(draft.request, on: draft.documents, profile: engine.profile),
      var scope = try? ConditionScope(engine, for: draft.path, in: prepared)
    else { return (false, false) }
    let arguments = claim.claim.path.arguments(for: draft.path)
    guard limits.allSatisfy({ scope.holds($0, arguments) }) else { return (false, false) }
    return (true, obligation.map { scope.holds($0, arguments) } ?? false)
  }

  private func rehearsed(
    _ limits: [FunctionID], _ obligation: FunctionID?, _ shot: Shot, _ claim: CompiledClaim,
    _ base: Base, _ volley: Volley
  ) -> (isInScope: Bool, isMet: Bool)? {
    if limits.isEmpty, obligation == nil { return (true, false) }
    guard let target = self.target(shot.base, volley) else { return nil }
    let frame = self.frame(claim, base.path, volley)
    let change = shot.variation.map { difference($0, shot.base, volley) }
    guard let variant = rehearsal.vary(target, by: change) else { return nil }
    defer { rehearsal.drop(variant) }
    for limit in limits {
      guard let place = conditions[limit],
        let isTrue = rehearsal.holds(place, frame, variant, of: target)
      else { return nil }
      if !isTrue { return (false, false) }
    }
    guard let obligation else { return (true, false) }
    guard let place = conditions[obligation],
      let isTrue = rehearsal.holds(place, frame, variant, of: target)
    else { return nil }
    return (true, isTrue)
  }

  private func frame(_ claim: CompiledClaim, _ path: Int, _ volley: Volley) -> LoadedFrame {
    while frames.count <= volley.number { frames.append([]) }
    let known = frames[volley.number].firstIndex {
      $0.owner == claim.owner && $0.claim == claim.claim.path
    }
    let place = known ?? frames[volley.number].count
    if known == nil {
      frames[volley.number].append(Frame(owner: claim.owner, claim: claim.claim.path))
    }
    while frames[volley.number][place].frames.count <= path {
      frames[volley.number][place].frames.append(nil)
    }
    if let known = frames[volley.number][place].frames[path] { return known }
    let document = volley.paths[path]
    let made = rehearsal.load(
      frameOf: claim.owner, claim.claim.path.arguments(for: document), for: document)
    frames[volley.number][place].frames[path] = made
    return made
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
