public import RulesLang

extension Engine {
  /// Evaluates a condition that was added to the rules (`Checker.extend`) for the access to one document.
  ///
  /// For a query, `resource` is the document that it returns, whereas the rules see only what the filters
  /// promise of it. The condition is not charged to the rules' budgets of expressions and lookups.
  public func outcome(
    of function: FunctionID, arguments: [Value], for document: DocumentPath, in request: Request,
    on documents: Documents
  ) throws(RequestProblem) -> Outcome {
    let plan = try Plan(request, on: documents, in: rules.database, profile: profile)
    var scope = try ConditionScope(self, for: document, in: plan, on: documents)
    return scope.outcome(of: function, arguments: arguments)
  }

  /// Returns the captures of the match block that encloses a declaration, bound to a document: the block's
  /// pattern is compared with the beginning of the path.
  func captures(of owner: ScopeOwner, _ document: DocumentPath) -> [Outcome] {
    guard case .match(let match) = owner else { return [] }
    let pattern = rules.matches[match.index].pattern
    let path = document.fullSegments(in: rules.database).map { RequestStep.segment($0) }
    let hasGlob = pattern.contains { step in
      if case .glob = step { return true }
      return false
    }
    let part = hasGlob ? path : Array(path.prefix(pattern.count))
    return PathMatch.captures(
      of: rules.matches[match.index], for: part, version: rules.ruleset.version)
      ?? rules.matches[match.index].captures.map { _ in
        .error(EvaluationError(.nullValue, at: ExprID(0), site: .none))
      }
  }
}

/// The scope in which added conditions are evaluated, for one document of a request: prepared once, for any
/// number of conditions.
public struct ConditionScope: ~Copyable {
  private let engine: Engine
  private let document: DocumentPath
  private var reference: Reference<NoObserver>
  /// The captures of the last condition's block, cached: conditions about a document mostly share a block.
  private var captures: (match: MatchID, outcomes: [Outcome])?

  /// The starting value of the budget counter, far below 0: more than any sensible condition needs, but an
  /// upper bound.
  private static let firstSpent = Limits.expressions - 1_000_000

  /// Prepares to evaluate conditions about a document for a request.
  public init(
    _ engine: Engine, for document: DocumentPath, in prepared: PreparedRequest
  ) throws(RequestProblem) {
    try self.init(engine, for: document, in: prepared.plan, on: prepared.documents)
  }

  init(
    _ engine: Engine, for document: DocumentPath, in plan: Plan, on documents: Documents
  ) throws(RequestProblem) {
    guard
      var access = plan.accesses.first(where: { $0.document == document })
        ?? plan.accesses.first
    else { throw .unsupported("the request does not access \(String(document.text))") }
    if access.method == .list {
      access.resource = .success(
        documents[document].map {
          Documents.resource(at: document, with: $0, in: engine.rules.database)
        } ?? .null)
      access.document = document
    }
    var lookups = plan.lookups
    lookups.limitForOne = .max
    lookups.limitInAll = .max
    lookups.begin(access)
    self.engine = engine
    self.document = document
    reference = Reference(
      engine.rules, for: access, with: lookups, services: engine.services, watch: NoObserver())
  }

  /// Evaluates a condition.
  public mutating func outcome(of function: FunctionID, arguments: [Value]) -> Outcome {
    let declaration = engine.rules.ruleset[function]
    reference.spent = Self.firstSpent
    let frame = Reference<NoObserver>.Frame(
      captures: captures(of: declaration.owner), locals: arguments.map { .value($0) })
    return reference.evaluate(declaration.result.root, in: frame)
  }

  private mutating func captures(of owner: ScopeOwner) -> [Outcome] {
    guard case .match(let match) = owner else { return [] }
    if let captures, captures.match == match { return captures.outcomes }
    let outcomes = engine.captures(of: owner, document)
    captures = (match, outcomes)
    return outcomes
  }
}
