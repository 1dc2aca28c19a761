public import RulesLang

/// A request on stored documents, worked out once so that many rules can be asked about it.
public struct PreparedRequest: Sendable {
  let plan: Plan
  /// What is stored when it is made.
  let documents: Documents

  /// Works a request out. Throws if it needs behaviour that is not modelled.
  public init(
    _ request: Request, on documents: Documents, profile: Profile = .emulator
  ) throws(RequestProblem) {
    plan = try Plan(request, documents, limits: Limits.of(profile))
    self.documents = documents
  }
}

extension Engine {
  /// Decides a request that was worked out for the profile of the engine, with the same decision as
  /// `decide(_:on:)`.
  public func decide(_ prepared: PreparedRequest) throws(RequestProblem) -> Decision {
    try decide(prepared.plan, services: services, tracing: false)
  }

  /// The documents that the rules look up to decide a request, stored or not.
  public func lookedUp(by prepared: PreparedRequest) -> [DocumentPath] {
    var found: [DocumentPath] = []
    for access in prepared.plan.accesses {
      var lookups = prepared.plan.lookups
      lookups.begin(access)
      _ = decide(access, &lookups, services) {
        NoObserver()
      } keeping: { _ in
        nil
      }
      for path in lookups.documents where !found.contains(path) { found.append(path) }
    }
    return found.sorted { Text.precedesByCodePoint($0.text, $1.text) }
  }

  /// The same as `outcome(of:arguments:for:in:on:)`.
  public func outcome(
    of function: FunctionID, arguments: [Value], for document: DocumentPath,
    in prepared: PreparedRequest
  ) throws(RequestProblem) -> Outcome {
    try outcome(
      of: function, arguments: arguments, for: document, prepared.plan, on: prepared.documents)
  }
}
