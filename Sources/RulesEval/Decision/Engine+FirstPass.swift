import RulesLang

// A query with several alternatives is allowed if each of them is, so which of them is decided first
// shows only in what a denial says. The emulator goes through all of them once without reading any
// document, and denies if one is refused already; only then it reads documents and decides the rest.

extension Engine {
  /// The plan of a denied request with its accesses in the order in which the emulator comes to a
  /// decision: those that need no document first. Nil if that is the order they have.
  func inOrderOfDecision(_ plan: Plan, services: Services) -> Plan? {
    guard plan.accesses.count > 1, plan.accesses[0].method == .list else { return nil }
    var first: [Access] = []
    var later: [Access] = []
    var isChanged = false
    for access in plan.accesses {
      if isDecidedWithoutReading(access, with: plan.lookups, services: services) {
        isChanged = isChanged || !later.isEmpty
        first.append(access)
      } else {
        later.append(access)
      }
    }
    guard isChanged else { return nil }
    var plan = plan
    plan.accesses = first + later
    return plan
  }

  /// Whether the emulator decides an alternative before it reads documents.
  ///
  /// One that names a document is then only refused if no condition ends in an error, be it for want
  /// of the document or not.
  private func isDecidedWithoutReading(
    _ access: Access, with lookups: Lookups, services: Services
  ) -> Bool {
    var lookups = lookups.withoutReading
    var unread = access
    if access.isNamedByQuery { unread.resource = .failure(.unknown) }
    lookups.begin(unread)
    let decision = decide(unread, with: &lookups, services: services) {
      NoObserver()
    } keeping: { _ in
      nil
    }
    if decision.isGranted || !decision.tried.contains(where: { $0.isError }) { return true }
    return !access.isNamedByQuery && !lookups.wasAsked
  }

  /// The decision about a document whose ID the server draws, if it is settled before that: what rules make
  /// of `request.resource` is then made of one without a name. Nil of other requests.
  func decideUnnamed(
    _ plan: Plan, with lookups: inout Lookups, services: Services, tracing: Bool
  ) throws(RequestProblem) -> Decision? {
    guard let unnamed = plan.unnamed else { return nil }
    var first = plan
    first.unnamed = nil
    first.accesses = [unnamed]
    first.lookups = plan.lookups.withoutReading
    let decision = try decide(first, with: &lookups, services: services, tracing: tracing)
    return decision.isAllowed || !decision.tried.contains { $0.isError } ? decision : nil
  }

  /// The decision about an access before the emulator reads any document, and whether that settles a
  /// denial; if it does not, its message has what is said then before what the documents lead to.
  package func decideUnread(
    _ access: Access, of prepared: PreparedRequest
  ) -> (decision: AccessDecision, isSettled: Bool) {
    var lookups = prepared.plan.lookups.withoutReading
    var unread = prepared.plan.unnamed ?? access
    let isList = access.method == .list
    if !isList || access.isNamedByQuery { unread.resource = .failure(.unknown) }
    lookups.begin(unread)
    let decision = decide(unread, with: &lookups, services: services) {
      NoObserver()
    } keeping: { _ in
      nil
    }
    let hasError = decision.tried.contains { $0.isError }
    let isUnknown = !isList || access.isNamedByQuery || lookups.wasAsked
    return (decision, decision.isGranted || !hasError || !isUnknown)
  }
}

extension Engine {
  /// The decisions about the documents that a request reads, in their order, before the emulator reads any of
  /// them, up to the first that is denied by that.
  ///
  /// - Returns: the decisions that do not grant, and whether the last one settles the denial of the request.
  package func decideUnread(
    _ prepared: PreparedRequest
  ) -> (refused: [AccessDecision], isSettled: Bool) {
    var refused: [AccessDecision] = []
    for access in prepared.plan.accesses {
      let (decision, isSettled) = decideUnread(access, of: prepared)
      if decision.isGranted { continue }
      refused.append(decision)
      if isSettled { return (refused, true) }
    }
    return (refused, false)
  }
}

extension PreparedRequest {
  /// The access to a document; nil if the request has none.
  package func access(to document: DocumentPath) -> Access? {
    plan.accesses.last { $0.document == document }
  }
}
