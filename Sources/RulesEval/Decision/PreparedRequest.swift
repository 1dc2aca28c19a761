public import RulesLang

/// A request on stored documents, worked out once so that many rules can be asked about it.
public struct PreparedRequest: Sendable {
  let plan: Plan
  /// What is stored when it is made.
  let documents: Documents
  /// The database that it is a request to.
  let database: DatabaseName

  /// Works a request out. Throws if it needs behaviour that is not modelled.
  public init(
    _ request: Request, on documents: Documents, in database: DatabaseName,
    profile: Profile = .emulator
  ) throws(RequestProblem) {
    plan = try Plan(request, on: documents, in: database, profile: profile)
    self.documents = documents
    self.database = database
  }

  private init(_ plan: Plan, on documents: Documents, in database: DatabaseName) {
    self.plan = plan
    self.documents = documents
    self.database = database
  }

  /// The request as far as it accesses a document, on the same state before and after it; a query as
  /// it is.
  public func only(_ path: DocumentPath) -> PreparedRequest {
    keeping { $0.document == nil || $0.document == path }
  }

  /// The request as far as it accesses other documents; nothing is left of a query.
  public func without(_ path: DocumentPath) -> PreparedRequest {
    keeping { $0.document != nil && $0.document != path }
  }

  private func keeping(_ isKept: (Access) -> Bool) -> PreparedRequest {
    var plan = plan
    plan.accesses.removeAll { !isKept($0) }
    if plan.accesses.isEmpty { plan.unnamed = nil }
    return PreparedRequest(plan, on: documents, in: database)
  }
}

extension Engine {
  /// Decides a request that was worked out for the profile of the engine, with the same decision as
  /// `decide(_:on:)`.
  public func decide(_ prepared: PreparedRequest) throws(RequestProblem) -> Decision {
    try decide(prepared.plan, services: services, tracing: false)
  }

  /// The same, with the documents that the rules looked up to decide it, stored or not.
  public func decideNotingLookups(
    _ prepared: PreparedRequest, tracing: Bool = false
  ) throws(RequestProblem) -> (decision: Decision, lookedUp: [DocumentPath]) {
    var lookups = prepared.plan.lookups
    let decision = try decide(prepared.plan, with: &lookups, services: services, tracing: tracing)
    var found: [DocumentPath] = []
    for path in lookups.documents where !found.contains(path) { found.append(path) }
    // A set has no order.
    if found.count > 1 { found.sort { Text.precedesByCodePoint($0.text, $1.text) } }
    return (decision, found)
  }
}
