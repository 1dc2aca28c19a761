public import RulesLang

/// A request on stored documents, planned once so that many rules can decide it.
public struct PreparedRequest: Sendable {
  let plan: Plan
  /// The documents stored before the request.
  let documents: Documents
  /// The database that the request is sent to.
  let database: DatabaseName

  /// Plans a request. Throws if it needs behaviour that is not modelled.
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

  /// Returns the request reduced to its access to one document, with the whole request's state before and
  /// after; a query unchanged.
  public func only(_ path: DocumentPath) -> PreparedRequest {
    keeping { $0.document == nil || $0.document == path }
  }

  /// Returns the request reduced to its accesses to other documents; for a query, none.
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
  /// Decides the request, with the same decision as `decide(_:on:)`.
  ///
  /// - Requires: The request was prepared for the engine's profile.
  public func decide(_ prepared: PreparedRequest) throws(RequestProblem) -> Decision {
    try decide(prepared.plan, services: services, tracing: false)
  }

  /// Decides the request like `decide(_:)`, and returns the documents that the rules looked up, stored or
  /// not.
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
