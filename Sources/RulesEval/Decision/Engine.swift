public import RulesLang

/// Decides requests by a rules file.
public struct Engine: Sendable {
  /// The rules.
  public let rules: Checked
  /// The profile to follow where engines differ.
  public let profile: Profile

  /// Creates an engine of checked rules.
  public init(_ rules: Checked, profile: Profile = .emulator) {
    self.rules = rules
    self.profile = profile
  }

  /// Decides a request on stored documents.
  ///
  /// With `tracing` every tried statement carries the outcomes of its sub-expressions. Throws if
  /// the request needs behaviour that is not modelled; such a request is neither allowed nor
  /// denied.
  public func decide(
    _ request: Request, on documents: Documents, tracing: Bool = false
  ) throws(RequestProblem) -> Decision {
    let plan = try Plan(request, on: documents, in: rules.database, profile: profile)
    return try decide(plan, services: services, tracing: tracing)
  }

  /// The source of lookup answers in the engine's profile.
  var services: Services { .of(profile) }

  /// Decides a test case of Google's Rules Test API by its own data alone.
  public func decide(
    _ access: Access, mocks: [FunctionMock], tracing: Bool = false
  ) throws(RequestProblem) -> Decision {
    let lookups = Lookups(
      before: Documents(), after: Documents(), written: [], in: rules.database)
    let plan = Plan(accesses: [access], lookups: lookups)
    return try decide(plan, services: .mocks(mocks), tracing: tracing)
  }

  /// The statements that apply to any document of a request, granted or not; none if the request
  /// cannot be decided.
  public func candidates(_ request: Request, on documents: Documents) -> [AllowID] {
    guard
      let plan = try? Plan(
        request, on: documents, in: rules.database, profile: profile)
    else { return [] }
    return plan.accesses.flatMap { access in applicable(access).map { $0.0 } }
  }

  /// True if one access is granted.
  func grants(_ access: Access, with lookups: Lookups) -> Bool {
    decide(access, with: lookups)?.isAllowed ?? true
  }

  /// Returns the statement that grants one access; nil if none does.
  func statement(granting access: Access, _ lookups: Lookups) -> AllowID? {
    guard let decision = decide(access, with: lookups), decision.isAllowed else { return nil }
    return decision.tried.last?.allow
  }

  private func decide(_ access: Access, with lookups: Lookups) -> Decision? {
    let plan = Plan(accesses: [access], lookups: lookups)
    return try? decide(plan, services: services, tracing: false)
  }

  func decide(
    _ plan: Plan, services: Services, tracing: Bool
  ) throws(RequestProblem) -> Decision {
    var lookups = plan.lookups
    return try decide(plan, with: &lookups, services: services, tracing: tracing)
  }

  /// Decides a plan; afterwards `lookups` holds the lookups that were made.
  func decide(
    _ plan: Plan, with lookups: inout Lookups, services: Services, tracing: Bool
  ) throws(RequestProblem) -> Decision {
    if let decision = try decideUnnamed(plan, with: &lookups, services: services, tracing: tracing)
    {
      return decision
    }
    lookups = plan.lookups
    var decided: [AccessDecision] = []
    var isAllowed = true
    for access in plan.accesses {
      lookups.begin(access)
      let decision =
        tracing
        ? decide(access, with: &lookups, services: services) {
          Trace()
        } keeping: {
          $0
        }
        : decide(access, with: &lookups, services: services) {
          NoObserver()
        } keeping: { _ in
          nil
        }
      for tried in decision.tried {
        if let reason = tried.unsupported { throw .unsupported(reason) }
      }
      decided.append(decision)
      guard decision.isGranted else {
        isAllowed = false
        break
      }
    }
    if !isAllowed, let plan = inOrderOfDecision(plan, services: services) {
      return try decide(plan, with: &lookups, services: services, tracing: tracing)
    }
    if lookups.isScarce, let plan = settled(plan, isAllowed: isAllowed, services: services) {
      return try decide(plan, with: &lookups, services: services, tracing: tracing)
    }
    return Decision(
      isAllowed: isAllowed, accesses: decided, lookups: lookups.count, notes: plan.notes,
      isByChance: plan.isByChance, billedReads: lookups.billedReads)
  }

  /// Tries the statements that apply, in order, until one grants.
  func decide<Watch: Observer>(
    _ access: Access, with lookups: inout Lookups, services: Services,
    watching makeWatch: () -> Watch, keeping: (Watch) -> Trace?
  ) -> AccessDecision {
    var reference = Reference(
      rules, for: access, with: lookups, services: services, watch: makeWatch())
    var tried: [Tried] = []
    for (allow, captures) in applicable(access) {
      let result = result(of: allow, captures: captures, by: &reference)
      tried.append(Tried(allow: allow, result: result, trace: keeping(reference.watch)))
      reference.watch = makeWatch()
      if case .granted = result { break }
    }
    lookups = reference.lookups
    var isGranted = false
    if case .granted = tried.last?.result { isGranted = true }
    return AccessDecision(
      access: access, isGranted: isGranted, tried: tried,
      expressions: min(reference.spent, Limits.expressions))
  }

  /// Evaluates a statement's condition.
  func result<Watch: Observer>(
    of allow: AllowID, captures: [Outcome], by reference: inout Reference<Watch>
  ) -> Tried.Result {
    guard let condition = rules.ruleset[allow].condition else {
      // A statement without a condition costs as much as `if true`.
      if reference.pay(1) { return .granted }
      let site = rules.ruleset[allow].keyword
      return .failed(EvaluationError(.budget, at: ExprID(0), site: site))
    }
    switch reference.evaluate(condition: condition, captures: captures) {
    case .value(.bool(let isTrue)): return isTrue ? .granted : .refused
    case .value(let value):
      let root = rules.ruleset.unparenthesized(condition.root)
      return .failed(
        EvaluationError(
          .wrongType(value.type, expected: [.bool]), at: root, site: rules.ruleset[root].mark))
    case .error(let error): return .failed(error)
    }
  }

  /// Returns the statements whose block matches and whose operations include the method, in the order in
  /// which the engine tries them.
  private func applicable(_ access: Access) -> [(AllowID, [Outcome])] {
    var found: [(AllowID, [Outcome])] = []
    for (block, captures) in blocks(fitting: access) {
      for allow in rules.ruleset[block].allows
      where rules.methods[allow.index].contains(access.method) {
        found.append((allow, captures))
      }
    }
    return found
  }

  /// Returns the blocks that match the path of an access, for any method.
  public func blocks(for access: Access) -> [MatchID] { blocks(fitting: access).map { $0.0 } }

  private func blocks(fitting access: Access) -> [(MatchID, [Outcome])] {
    var found: [(MatchID, [Outcome])] = []
    for block in rules.blocksInOrder {
      let match = rules.ruleset[block]
      let facts = rules.matches[block.index]
      guard facts.isReachable, !match.allows.isEmpty,
        let captures = PathMatch.captures(
          of: facts, for: access.path, version: rules.ruleset.version)
      else { continue }
      found.append((block, captures))
    }
    return found
  }
}
