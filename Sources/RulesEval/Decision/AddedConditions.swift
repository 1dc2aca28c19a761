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
    let plan = try Plan(request, on: documents, in: rules.database, profile: profile)
    var scope = try ConditionScope(self, for: document, in: plan, on: documents)
    return scope.outcome(of: function, arguments: arguments)
  }

  /// What the captures around a declaration are for a document: the block's pattern is compared
  /// with as much of the path as it speaks of.
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

/// What conditions that were added to the rules are evaluated in, for one document of a request: worked
/// out once, for as many conditions as one likes.
public struct ConditionScope: ~Copyable {
  private let engine: Engine
  private let document: DocumentPath
  private var reference: Reference<NoObserver>
  /// The captures of the last condition's block: conditions about a document mostly have the same.
  private var captures: (match: MatchID, outcomes: [Outcome])?

  /// Deep enough for any condition, and yet an end to what a condition may cost.
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

  /// What a condition says.
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
