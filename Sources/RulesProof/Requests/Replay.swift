import RulesEval
import RulesLang
import RulesSolver

// The shipping evaluator has the last word on every counterexample.

extension Engine {
  /// The decision as a part of the work on a question; nil if there is none.
  func decide(
    _ request: Request, on documents: Documents, within budget: Budget
  ) -> Decision? {
    let prepared = try? PreparedRequest(
      request, on: documents, in: rules.database, profile: profile)
    return decide(prepared, within: budget)
  }

  /// The same of a request that is worked out; nil if it could not be.
  func decide(_ prepared: PreparedRequest?, within budget: Budget) -> Decision? {
    var decision: Decision?
    if let prepared { decision = try? decide(prepared) }
    budget.charge(for: decision)
    // Each block is looked at.
    budget.charge(4 * rules.matches.count)
    return decision
  }
}

extension ClaimSet {
  /// Whether a request shows that a claim does not hold, and what the rules say to it.
  func refutation(
    by draft: Draft, of claim: CompiledClaim, within budget: Budget = Budget()
  ) -> Counterexample? {
    guard draft.impossibility == nil, !claim.claim.path.excepts(draft.path) else { return nil }
    let (request, documents) = (draft.request, draft.documents)
    guard
      let prepared = try? PreparedRequest(
        request, on: documents, in: engine.rules.database, profile: engine.profile),
      var scope = try? ConditionScope(engine, for: draft.path, in: prepared)
    else {
      budget.charge(for: nil)
      return nil
    }
    // What limits the claim is mostly short, and decided before the rules.
    let arguments = claim.claim.path.arguments(for: draft)
    for limit in claim.limits(for: draft.method) where !scope.holds(limit, with: arguments) {
      budget.charge(for: nil)
      return nil
    }
    guard let decision = engine.decide(prepared, within: budget), draft.isMeant(decision),
      isSurprising(decision, for: claim)
    else { return nil }
    if let obligation = claim.obligation {
      // What nobody can decide is not false.
      guard let holds = scope.truth(of: obligation, arguments), holds != decision.isAllowed else {
        return nil
      }
    }
    return Counterexample(
      request: request, documents: documents, document: draft.path, method: draft.method,
      decision: decision, allow: granting(draft, in: decision),
      failed: failing(in: decision, for: claim),
      fields: draft.changedFields, variables: draft.variables, draft: draft)
  }

  /// Whether the rules do what the claim says they do not.
  private func isSurprising(_ decision: Decision, for claim: CompiledClaim) -> Bool {
    switch claim.claim.obligation {
    case .onlyIf, .never: decision.isAllowed
    case .alwaysIf: !decision.isAllowed
    case .noErrors: decision.tried.contains { $0.isError }
    }
  }

  private func failing(in decision: Decision, for claim: CompiledClaim) -> AllowID? {
    guard case .noErrors = claim.claim.obligation else { return nil }
    return decision.tried.first { $0.isError }?.allow
  }

  private func granting(_ draft: Draft, in decision: Decision) -> AllowID? {
    guard decision.isAllowed else { return nil }
    let access =
      decision.accesses.first { $0.access.document == draft.path } ?? decision.accesses.first
    return access?.tried.last?.allow
  }
}

extension ConditionScope {
  /// Whether a condition of a claim is true of the request.
  mutating func holds(_ function: FunctionID, with arguments: [Value]) -> Bool {
    truth(of: function, arguments) ?? false
  }

  /// The same; nil if the evaluator has no answer.
  mutating func truth(of function: FunctionID, _ arguments: [Value]) -> Bool? {
    switch outcome(of: function, arguments: arguments) {
    case .value(.bool(let isTrue)): isTrue
    case .value: false
    case .error(let error): error.isUnsupported ? nil : false
    }
  }
}

extension ClaimPath {
  /// What the wildcards stand for in a document's path, in their order.
  func arguments(for draft: Draft) -> [Value] {
    let free = draft.variables
    let wildcards = arguments(for: draft.path)
    if free.count != others.count { return wildcards }
    return wildcards.dropLast(others.count) + free.map { .string($0) }
  }

  /// The same where nothing is known of the claim's further variables: they are the document's ID.
  func arguments(for path: DocumentPath) -> [Value] {
    let run = path.segments.count - steps.count + 1
    var values: [Value] = []
    var place = 0
    for step in steps {
      switch step {
      case .literal: place += 1
      case .capture:
        values.append(.string(path.segments[place]))
        place += 1
      case .glob:
        values.append(.path(PathValue(plain: Array(path.segments[place..<(place + run)]))))
        place += run
      }
    }
    return values + others.map { _ in .string(path.segments.last ?? Text()) }
  }
}

extension Draft {
  /// Whether the request is of the kind that it was made for: the evaluator sees the same method on
  /// the same document, and a query returns that document.
  func isMeant(_ decision: Decision) -> Bool {
    if method == .list { return isReturned(before) }
    if !decision.isAllowed {
      return decision.accesses.last?.access.document == path
    }
    return decision.accesses.contains {
      $0.access.document == path && $0.access.method == method
    }
  }

  /// Whether a query returns the document with some data; true of other requests.
  func isReturned(_ data: MapValue?) -> Bool {
    // Of other requests the parts need not be put together.
    guard method == .list, case .list(let query) = request.operation else { return true }
    return data.map { query.returns(path, with: $0, in: database) } ?? false
  }

  /// The fields that a write adds, changes or removes.
  var changedFields: [Text] {
    guard method.isWrite else { return [] }
    let names = SuiteWriter.changedKeys(from: before ?? MapValue(), to: after ?? MapValue())
    return names.sorted(by: Text.precedesByCodePoint)
  }
}
