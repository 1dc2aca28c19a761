package import RulesLang

/// The scope in which conditions of statements, and operands of these, are evaluated by themselves: one
/// access of a request. Evaluation limits do not apply.
package struct StatementScope: ~Copyable {
  private let engine: Engine
  private var reference: Reference<NoObserver>
  private let path: [RequestStep]
  /// The captures of each block that was asked for; nil for a block that does not match.
  private var captures: [MatchID: [Outcome]?] = [:]

  /// The starting value of the budget counter: as far below the limit as conditions may need.
  private static let firstSpent = Limits.expressions - 1_000_000

  /// Prepares to evaluate statements for a request's access to a document; nil if there is no such access.
  package init?(_ engine: Engine, for document: DocumentPath, in prepared: PreparedRequest) {
    let plan = prepared.plan
    guard
      let access = plan.accesses.first(where: { $0.document == nil || $0.document == document })
    else { return nil }
    var lookups = plan.lookups
    lookups.limitForOne = .max
    lookups.limitInAll = .max
    lookups.begin(access)
    self.engine = engine
    path = access.path
    reference = Reference(
      engine.rules, for: access, with: lookups, services: engine.services, watch: NoObserver())
  }

  /// Returns the outcome of an expression in the condition of a statement; nil if the statement's block does
  /// not match, or if the evaluator does not model the expression.
  package mutating func outcome(of part: ExprID, in allow: AllowID) -> Outcome? {
    let block = engine.rules.ruleset[allow].match
    guard let captures = captures(of: block) else { return nil }
    reference.spent = Self.firstSpent
    reference.activations = 0
    let outcome = reference.evaluate(part, in: Reference<NoObserver>.Frame(captures: captures))
    if case .error(let error) = outcome {
      switch error.reason {
      case .patternTooLarge, .valueTooLarge, .budget: return nil
      default: break
      }
    }
    return outcome
  }

  private mutating func captures(of block: MatchID) -> [Outcome]? {
    if let known = captures[block] { return known }
    let facts = engine.rules.matches[block.index]
    let found =
      facts.isReachable
      ? PathMatch.captures(of: facts, for: path, version: engine.rules.ruleset.version) : nil
    captures[block] = .some(found)
    return found
  }
}
