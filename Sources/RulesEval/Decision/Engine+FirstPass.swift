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
}
