import RulesLang

// A query with several alternatives is allowed if each of them is, so which of them is decided first
// shows only in what a denial says. The emulator goes through all of them once without reading any
// document, and denies if one is refused already; only then it reads documents and decides the rest.

extension Engine {
  /// Reorders the accesses of a denied query as the emulator decides them: first those that it decides
  /// without reading documents. Nil if they are in that order already.
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

  /// True if the emulator decides an alternative of a query before it reads documents.
  ///
  /// An alternative that names a document is refused at that point only if no condition ends in an error,
  /// whether because the document is not read yet or for another reason.
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

  /// Decides a write to a document whose ID the server draws, if that is settled before the ID is drawn:
  /// `request.resource` then has no name. Nil for other requests, and if it is not settled.
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

  /// Decides an access without reading documents, as the emulator does first.
  ///
  /// - Returns: The decision, and true if it is final; if it is a denial that is not, the emulator's message
  ///   gives its errors before those of the decision with documents.
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
  /// Decides the accesses of a request in order without reading documents, as the emulator does first, up to
  /// the first denial that is final.
  ///
  /// - Returns: The decisions that do not grant, and true if the last one is a final denial.
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
