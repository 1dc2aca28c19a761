import RulesLang

// Requests in, decisions out.

extension Machine {
  /// Decides a request on stored documents, with the same decision as `Engine.decide`.
  public mutating func decide(
    _ request: Request, on documents: Documents
  ) throws(RequestProblem) -> Decision {
    let plan = try Plan(request, documents, limits: Limits.of(engine.profile))
    return try decide(plan, services: engine.profile == .strict ? .production : .documents)
  }

  /// Decides a test case of Google's Rules Test API, with the same decision as `Engine.decide`.
  public mutating func decide(
    _ access: Access, mocks: [FunctionMock]
  ) throws(RequestProblem) -> Decision {
    let lookups = Lookups(before: Documents(), after: Documents(), written: [])
    return try decide(Plan(accesses: [access], lookups: lookups), services: .mocks(mocks))
  }

  private mutating func decide(
    _ plan: Plan, services: Services
  ) throws(RequestProblem) -> Decision {
    self.services = services
    lookups = plan.lookups
    var decided: [AccessDecision] = []
    for access in plan.accesses {
      lookups.begin(access)
      clear()
      let decision = decide(access)
      for tried in decision.tried {
        if let reason = tried.unsupported { throw .unsupported(reason) }
      }
      decided.append(decision)
      if !decision.isGranted { break }
    }
    let isAllowed = decided.allSatisfy { $0.isGranted }
    if !isAllowed, let plan = engine.inOrderOfDecision(plan, services: services) {
      return try decide(plan, services: services)
    }
    return Decision(
      isAllowed: isAllowed, accesses: decided, lookups: lookups.count, notes: plan.notes)
  }

  private mutating func decide(_ access: Access) -> AccessDecision {
    let blocks = begin(load(access, unpacking: false))
    var tried: [Tried] = []
    var isGranted = false
    search: for place in blocks {
      for candidate in enter(place) {
        let statement = candidates[candidate]
        guard statement.methods.contains(access.method) else { continue }
        let result = result(of: statement.allow, access)
        tried.append(Tried(allow: statement.allow, result: result))
        if case .granted = result {
          isGranted = true
          break search
        }
      }
    }
    return AccessDecision(
      access: access, isGranted: isGranted, tried: tried,
      expressions: min(spent, Limits.expressions))
  }

  private mutating func result(of allow: AllowID, _ access: Access) -> Tried.Result {
    let paid = spent
    // Copied only where it may change.
    let before = hasLookups ? lookups : nil
    if let cell = evaluate(allow), cell.kind == .bool {
      return cell.bits == 1 ? .granted : .refused
    }
    spent = paid
    if let before { lookups = before }
    return askReference(allow, access)
  }

  /// Evaluates a condition by the reference, in the place of the machine.
  @inline(never)
  mutating func askReference(_ allow: AllowID, _ access: Access) -> Tried.Result {
    var reference = Reference(
      program.rules, access, lookups, services: services, watch: NoObserver())
    reference.spent = spent
    let facts = program.rules.matches[program.dispatch.blocks[block].match.index]
    let captures =
      PathMatch.captures(facts, access.path, version: program.rules.ruleset.version) ?? []
    let result = engine.result(of: allow, captures, &reference)
    spent = reference.spent
    lookups = reference.lookups
    return result
  }
}

/// A request that lies in a machine, to be decided as often as one likes.
public struct LoadedRequest: Sendable {
  var accesses: [Access]
  var loaded: [Machine.Loaded] = []
  var lookups: Lookups
}

extension Machine {
  /// Takes a request in, its documents unpacked. Valid until `forget`.
  public mutating func load(
    _ request: Request, on documents: Documents
  ) throws(RequestProblem) -> LoadedRequest {
    let plan = try Plan(request, documents, limits: Limits.of(engine.profile))
    var request = LoadedRequest(accesses: plan.accesses, lookups: plan.lookups)
    for access in plan.accesses { request.loaded.append(load(access, unpacking: true)) }
    return request
  }

  /// Takes a request in once more, after everything was dropped.
  public mutating func reload(_ request: inout LoadedRequest) {
    // Held once, and not part by part.
    let accesses = request.accesses
    for place in accesses.indices {
      request.loaded[place] = load(accesses[place], unpacking: false)
    }
  }

  /// Drops every loaded request.
  public mutating func forget() { clear() }

  /// Whether a loaded request is allowed.
  public mutating func isAllowed(_ request: inout LoadedRequest) -> Bool {
    let mark = arena.mark
    if hasLookups { swap(&lookups, &request.lookups) }
    var isAllowed = true
    for place in 0..<request.loaded.count where isAllowed {
      isAllowed = isGranted(request, place)
    }
    if hasLookups { swap(&lookups, &request.lookups) }
    arena.reset(to: mark)
    return isAllowed
  }

  private mutating func isGranted(_ request: borrowing LoadedRequest, _ number: Int) -> Bool {
    let loaded = request.loaded[number]
    if hasLookups { lookups.begin(request.accesses[number]) }
    for place in begin(loaded) {
      for candidate in enter(place) {
        let statement = candidates[candidate]
        guard statement.methods.rawValue & loaded.method != 0 else { continue }
        if let cell = evaluate(statement.allow) {
          if cell.isBool(true) { return true }
        } else if case .granted = askReference(
          statement.allow, request.accesses[number])
        {
          return true
        }
      }
    }
    return false
  }
}
