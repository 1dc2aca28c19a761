import RulesLang

// Requests in, decisions out.

extension Machine {
  /// Decides a request on stored documents, with the same decision as `Engine.decide`.
  ///
  /// With `tracing` every tried statement carries the outcomes of its sub-expressions; the machine records
  /// them if its program is marked, else the reference does.
  public mutating func decide(
    _ request: Request, on documents: Documents, tracing: Bool = false
  ) throws(RequestProblem) -> Decision {
    let plan = try Plan(
      request, on: documents, in: engine.rules.database, profile: engine.profile)
    if tracing, !program.isMarked {
      return try engine.decide(request, on: documents, tracing: true)
    }
    return try decide(plan, services: .of(engine.profile), tracing: tracing)
  }

  /// Decides a test case of Google's Rules Test API, with the same decision as `Engine.decide`.
  public mutating func decide(
    _ access: Access, mocks: [FunctionMock], tracing: Bool = false
  ) throws(RequestProblem) -> Decision {
    let lookups = Lookups(
      before: Documents(), after: Documents(), written: [], in: engine.rules.database)
    let plan = Plan(accesses: [access], lookups: lookups)
    if tracing, !program.isMarked {
      return try engine.decide(access, mocks: mocks, tracing: true)
    }
    return try decide(plan, services: .mocks(mocks), tracing: tracing)
  }

  private mutating func decide(
    _ plan: Plan, services: Services, tracing: Bool
  ) throws(RequestProblem) -> Decision {
    // Only servers draw document IDs.
    if plan.unnamed != nil {
      return try engine.decide(plan, services: services, tracing: tracing)
    }
    guard tracing else {
      return try decide(plan, services: services, watching: { NoObserver() }, keeping: { _ in nil })
    }
    return try decide(plan, services: services, watching: { Trace() }, keeping: { $0 })
  }

  private mutating func decide<Watch: Observer>(
    _ plan: Plan, services: Services, watching makeWatch: () -> Watch,
    keeping: (Watch) -> Trace?
  ) throws(RequestProblem) -> Decision {
    self.services = services
    lookups = plan.lookups
    var decided: [AccessDecision] = []
    for access in plan.accesses {
      lookups.begin(access)
      clear()
      let decision = decide(access, watching: makeWatch, keeping: keeping)
      for tried in decision.tried {
        if let reason = tried.unsupported { throw .unsupported(reason) }
      }
      decided.append(decision)
      if !decision.isGranted { break }
    }
    let isAllowed = decided.allSatisfy { $0.isGranted }
    if !isAllowed, let plan = engine.inOrderOfDecision(plan, services: services) {
      return try decide(plan, services: services, watching: makeWatch, keeping: keeping)
    }
    if lookups.isScarce,
      let plan = engine.settled(plan, isAllowed: isAllowed, services: services)
    {
      return try decide(plan, services: services, watching: makeWatch, keeping: keeping)
    }
    return Decision(
      isAllowed: isAllowed, accesses: decided, lookups: lookups.count, notes: plan.notes,
      isByChance: plan.isByChance, billedReads: lookups.billedReads)
  }

  private mutating func decide<Watch: Observer>(
    _ access: Access, watching makeWatch: () -> Watch, keeping: (Watch) -> Trace?
  ) -> AccessDecision {
    let blocks = begin(load(access, unpacking: false))
    var tried: [Tried] = []
    var isGranted = false
    search: for place in blocks {
      for candidate in enter(place) {
        let statement = candidates[candidate]
        guard statement.methods.contains(access.method) else { continue }
        let (result, watch) = result(of: statement.allow, access, watching: makeWatch)
        tried.append(Tried(allow: statement.allow, result: result, trace: keeping(watch)))
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

  private mutating func result<Watch: Observer>(
    of allow: AllowID, _ access: Access, watching makeWatch: () -> Watch
  ) -> (Tried.Result, Watch) {
    let paid = spent
    // Copied only if it may change.
    let before = hasLookups ? lookups : nil
    var watch = makeWatch()
    if let cell = evaluate(allow, watchedBy: &watch), cell.kind == .bool {
      return (cell.bits == 1 ? .granted : .refused, watch)
    }
    spent = paid
    if let before { lookups = before }
    watch = makeWatch()
    return (askReference(about: allow, for: access, watchedBy: &watch), watch)
  }

  /// Evaluates a condition by the reference instead of the machine: that of the version which a
  /// revision has switched to, if any, whose blocks are those of the program.
  @inline(never)
  mutating func askReference<Watch: Observer>(
    about allow: AllowID, for access: Access, watchedBy watch: inout Watch
  ) -> Tried.Result {
    var reference = Reference(
      engine.rules, for: access, with: lookups, services: services, watch: watch)
    reference.spent = spent
    let facts = engine.rules.matches[program.dispatch.blocks[block].match.index]
    let captures =
      PathMatch.captures(of: facts, for: access.path, version: engine.rules.ruleset.version) ?? []
    let result = engine.result(of: allow, captures: captures, by: &reference)
    spent = reference.spent
    lookups = reference.lookups
    watch = reference.watch
    return result
  }
}

/// A request in the memory of a machine, to be decided any number of times.
public struct LoadedRequest: Sendable {
  var accesses: [Access]
  var loaded: [Machine.Loaded] = []
  var lookups: Lookups
}

extension Machine {
  /// Loads a request, with its documents unpacked. Valid until `forget`.
  public mutating func load(
    _ request: Request, on documents: Documents
  ) throws(RequestProblem) -> LoadedRequest {
    let plan = try Plan(
      request, on: documents, in: engine.rules.database, profile: engine.profile)
    if plan.unnamed != nil {
      throw .unsupported("a document whose ID the server draws is decided by `decide` alone")
    }
    var request = LoadedRequest(accesses: plan.accesses, lookups: plan.lookups)
    for access in plan.accesses { request.loaded.append(load(access, unpacking: true)) }
    return request
  }

  /// Loads a request again after `forget`.
  public mutating func reload(_ request: inout LoadedRequest) {
    // Retained once rather than part by part.
    let accesses = request.accesses
    for place in accesses.indices {
      request.loaded[place] = load(accesses[place], unpacking: false)
    }
  }

  /// Drops every loaded request.
  public mutating func forget() { clear() }

  /// True if a loaded request is allowed.
  public mutating func isAllowed(_ request: inout LoadedRequest) -> Bool {
    let mark = arena.mark
    if hasLookups {
      swap(&lookups, &request.lookups)
      lookups.restart()
    }
    var isAllowed = true
    for place in 0..<request.loaded.count where isAllowed {
      isAllowed = isGranted(request, at: place)
    }
    if hasLookups { swap(&lookups, &request.lookups) }
    arena.reset(to: mark)
    if isAllowed, request.lookups.isScarce { return !isDeniedInAnyOrder(request) }
    return isAllowed
  }

  /// True if a commit that is allowed in the order of its documents is denied in another order.
  @inline(never)
  private func isDeniedInAnyOrder(_ request: LoadedRequest) -> Bool {
    var plan = Plan(accesses: request.accesses, lookups: request.lookups)
    plan.lookups.restart()
    return engine.settled(plan, isAllowed: true, services: services) != nil
  }

  private mutating func isGranted(_ request: borrowing LoadedRequest, at number: Int) -> Bool {
    let loaded = request.loaded[number]
    if hasLookups { lookups.begin(request.accesses[number]) }
    var nobody = NoObserver()
    for place in begin(loaded) {
      for candidate in enter(place) {
        let statement = candidates[candidate]
        guard statement.methods.rawValue & loaded.method != 0 else { continue }
        if let cell = evaluate(statement.allow, watchedBy: &nobody) {
          if cell.isBool(true) { return true }
        } else if case .granted = askReference(
          about: statement.allow, for: request.accesses[number], watchedBy: &nobody)
        {
          return true
        }
      }
    }
    return false
  }
}
