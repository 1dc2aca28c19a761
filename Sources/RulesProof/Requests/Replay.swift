import RulesEval
import RulesLang
import RulesSolver

// The shipping evaluator confirms every counterexample.

extension Engine {
  /// Decides a request and charges the budget; nil if it cannot be decided.
  func decide(
    _ request: Request, on documents: Documents, within budget: Budget
  ) -> Decision? {
    let prepared = try? PreparedRequest(
      request, on: documents, in: rules.database, profile: profile)
    return decide(prepared, within: budget)
  }

  /// Decides a prepared request and charges the budget; nil if it cannot be decided.
  func decide(_ prepared: PreparedRequest?, within budget: Budget) -> Decision? {
    var decision: Decision?
    if let prepared { decision = try? decide(prepared) }
    budget.charge(for: decision)
    // Matching visits each block.
    budget.charge(4 * rules.matches.count)
    return decision
  }
}

extension ClaimSet {
  /// Returns a counterexample if the request refutes the claim, as decided by the evaluator; else
  /// nil.
  func refutation(
    by candidate: CandidateRequest, of claim: CompiledClaim, within budget: Budget = Budget()
  ) -> Counterexample? {
    guard candidate.impossibility == nil, !claim.claim.path.excepts(candidate.path) else {
      return nil
    }
    let (request, documents) = (candidate.request, candidate.documents)
    guard
      let prepared = try? PreparedRequest(
        request, on: documents, in: engine.rules.database, profile: engine.profile),
      var scope = try? ConditionScope(engine, for: candidate.path, in: prepared)
    else {
      budget.charge(for: nil)
      return nil
    }
    // Scope conditions are usually short, so they are evaluated before the rules.
    let arguments = claim.claim.path.arguments(for: candidate)
    for limit in claim.limits(for: candidate.method) where !scope.holds(limit, with: arguments) {
      budget.charge(for: nil)
      return nil
    }
    guard let decision = engine.decide(prepared, within: budget), candidate.isMeant(decision),
      isSurprising(decision, for: claim)
    else { return nil }
    if let obligation = claim.obligation {
      // A condition that the evaluator does not model is not false.
      guard let holds = scope.truth(of: obligation, arguments), holds != decision.isAllowed else {
        return nil
      }
    }
    return Counterexample(
      request: request, documents: documents, document: candidate.path, method: candidate.method,
      decision: decision, allow: granting(candidate, in: decision),
      failed: failing(in: decision, for: claim),
      fields: candidate.changedFields, variables: candidate.variables, candidate: candidate)
  }

  /// True if the decision violates the claim.
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

  private func granting(_ candidate: CandidateRequest, in decision: Decision) -> AllowID? {
    guard decision.isAllowed else { return nil }
    let access =
      decision.accesses.first { $0.access.document == candidate.path } ?? decision.accesses.first
    return access?.tried.last?.allow
  }
}

extension ConditionScope {
  /// True if a condition of a claim is true of the request.
  mutating func holds(_ function: FunctionID, with arguments: [Value]) -> Bool {
    truth(of: function, arguments) ?? false
  }

  /// Returns the truth of a condition; nil if the evaluator does not model it.
  mutating func truth(of function: FunctionID, _ arguments: [Value]) -> Bool? {
    switch outcome(of: function, arguments: arguments) {
    case .value(.bool(let isTrue)): isTrue
    case .value: false
    case .error(let error): error.isUnsupported ? nil : false
    }
  }
}

extension ClaimPath {
  /// Returns the values of the wildcards and further variables, in order.
  func arguments(for candidate: CandidateRequest) -> [Value] {
    let free = candidate.variables
    let wildcards = arguments(for: candidate.path)
    if free.count != others.count { return wildcards }
    return wildcards.dropLast(others.count) + free.map { .string($0) }
  }

  /// Returns the values of the wildcards for a path. Further variables default to the document ID.
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

extension CandidateRequest {
  /// True if the request is of the intended kind: the evaluator sees the same method on the same
  /// document or, if it denies, denies that document's access; for a query, it returns the document.
  func isMeant(_ decision: Decision) -> Bool {
    if method == .list { return isReturned(before) }
    if !decision.isAllowed {
      return decision.accesses.last?.access.document == path
    }
    return decision.accesses.contains {
      $0.access.document == path && $0.access.method == method
    }
  }

  /// True if a query returns the document with some data; true for other requests.
  func isReturned(_ data: MapValue?) -> Bool {
    // Cheap for other requests: their parts are not assembled.
    guard method == .list, case .list(let query) = request.operation else { return true }
    return data.map { query.returns(path, with: $0, in: database) } ?? false
  }

  /// The fields that a write adds, changes or removes, sorted.
  var changedFields: [Text] {
    guard method.isWrite else { return [] }
    let names = SuiteWriter.changedKeys(from: before ?? MapValue(), to: after ?? MapValue())
    return names.sorted(by: Text.precedesByCodePoint)
  }
}
