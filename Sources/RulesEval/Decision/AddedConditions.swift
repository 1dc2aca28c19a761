public import RulesLang

extension Engine {
  /// What a condition that was added to the rules (`Checker.extend`) says about the access to one
  /// document.
  ///
  /// For a query, `resource` is the document that it returns, where the rules see only what the
  /// filters promise of it. The budget of expressions and of lookups is the rules' own: a claim
  /// about them pays for nothing.
  public func outcome(
    of function: FunctionID, arguments: [Value], for document: DocumentPath, in request: Request,
    on documents: Documents
  ) throws(RequestProblem) -> Outcome {
    try outcome(
      of: function, arguments: arguments, for: document,
      try Plan(request, documents, limits: Limits.of(profile)), on: documents)
  }

  /// The same for a request that is worked out.
  func outcome(
    of function: FunctionID, arguments: [Value], for document: DocumentPath, _ plan: Plan,
    on documents: Documents
  ) throws(RequestProblem) -> Outcome {
    var lookups = plan.lookups
    guard
      var access = plan.accesses.first(where: { $0.document == document })
        ?? plan.accesses.first
    else { throw .unsupported("the request does not access \(String(document.text))") }
    if access.method == .list {
      access.resource = .success(
        documents[document].map { Documents.resource(document, $0) } ?? .null)
      access.document = document
    }
    lookups.limitForOne = .max
    lookups.limitInAll = .max
    lookups.begin(access)
    var reference = Reference(rules, access, lookups, watch: NoObserver())
    // Deep enough for any condition, and yet an end to what a condition may cost.
    reference.spent = Limits.expressions - 1_000_000
    let declaration = rules.ruleset[function]
    let frame = Reference<NoObserver>.Frame(
      captures: captures(of: declaration.owner, document),
      locals: arguments.map { .value($0) })
    return reference.evaluate(declaration.result.root, frame)
  }

  /// What the captures around a declaration are for a document: the block's pattern is compared
  /// with as much of the path as it speaks of.
  private func captures(of owner: ScopeOwner, _ document: DocumentPath) -> [Outcome] {
    guard case .match(let match) = owner else { return [] }
    let pattern = rules.matches[match.index].pattern
    let path = document.fullSegments.map { RequestStep.segment($0) }
    let hasGlob = pattern.contains { step in
      if case .glob = step { return true }
      return false
    }
    let part = hasGlob ? path : Array(path.prefix(pattern.count))
    return PathMatch.captures(rules.matches[match.index], part, version: rules.ruleset.version)
      ?? rules.matches[match.index].captures.map { _ in
        .error(EvaluationError(.nullValue, at: ExprID(0), site: .none))
      }
  }
}
