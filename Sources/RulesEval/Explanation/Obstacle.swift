public import RulesLang

/// A sub-expression that would need another outcome for the condition to grant.
public struct Obstacle: Sendable {
  /// The expression, which may be in a function that the condition calls.
  public var expression: ExprID
  /// The outcome; nil if it was not evaluated, because an earlier operand decided.
  public var outcome: Outcome?
  /// The outcome that it would need.
  public var wanted: Bool
  /// The values that decided, in a few words: `"mallory" vs "alice"`; empty if the expression says
  /// it all.
  public var detail: String
  /// The document that is not stored, if its absence decided.
  public var missing: Text?

  /// True if the part was evaluated.
  public var isEvaluated: Bool { outcome != nil }
}

extension AccessDecision {
  /// Returns the smallest set of sub-expressions of a statement's condition that would need another outcome;
  /// empty if the statement granted, has no trace, or has no condition.
  ///
  /// For `a && b` these are in every operand that is not true, for `a || b` in the operand with fewer. A
  /// function's call leads to the obstacles in its body, a parameter to those in its argument, a `let` to
  /// those in its value.
  public func obstacles(of statement: Tried, in rules: Checked) -> [Obstacle] {
    if case .granted = statement.result { return [] }
    guard let trace = statement.trace,
      let condition = rules.ruleset[statement.allow].condition
    else { return [] }
    if case .failed(let error) = statement.result, !error.isAbsorbable {
      // The place where the budget ran out does not matter: the condition as a whole costs too much.
      let root = rules.ruleset.unparenthesized(condition.root)
      return [
        Obstacle(
          expression: root, outcome: .error(error), wanted: true,
          detail: error.reason.message ?? "")
      ]
    }
    let search = ObstacleSearch(
      rules: rules, trace: TraceIndex(trace), isQuery: access.method == .list)
    return search.obstacles(
      below: TraceIndex.Place(expression: condition.root, activation: 0), wanting: true)
  }

  /// Returns the statement that came nearest to granting: the one with the fewest obstacles, where evaluated
  /// ones count double. Nil if none was tried or one granted.
  public func nearest(in rules: Checked) -> (tried: Tried, obstacles: [Obstacle])? {
    guard !isGranted else { return nil }
    var best: (tried: Tried, obstacles: [Obstacle])?
    for statement in tried {
      let obstacles = obstacles(of: statement, in: rules)
      guard !obstacles.isEmpty else { continue }
      if let known = best, known.obstacles.weight <= obstacles.weight { continue }
      best = (statement, obstacles)
    }
    return best
  }
}

extension [Obstacle] {
  /// The distance from granting: obstacles that were not evaluated may hold already, so they count half.
  fileprivate var weight: Int { reduce(0) { $0 + ($1.isEvaluated ? 2 : 1) } }
}

/// Walks a condition top-down from its wanted outcome to the wanted outcomes of its operands.
private struct ObstacleSearch {
  let rules: Checked
  let trace: TraceIndex
  let isQuery: Bool

  typealias Place = TraceIndex.Place

  /// Returns the obstacles at a place or below it that keep it from being `wanted`.
  func obstacles(below outer: Place, wanting wanted: Bool) -> [Obstacle] {
    let id = rules.ruleset.unparenthesized(outer.expression)
    let place = Place(expression: id, activation: outer.activation)
    guard let outcome = trace.outcome(place) else {
      if case .literal(.bool(wanted)) = rules.ruleset[id].kind { return [] }
      return [Obstacle(expression: id, outcome: nil, wanted: wanted, detail: "")]
    }
    if case .value(.bool(wanted)) = outcome { return [] }
    let below = parts(of: place, wanting: wanted)
    return below.isEmpty ? [obstacle(at: place, with: outcome, wanting: wanted)] : below
  }

  /// Returns the obstacles among the operands of a place; empty if the place itself is the obstacle.
  private func parts(of place: Place, wanting wanted: Bool) -> [Obstacle] {
    func at(_ id: ExprID) -> Place { Place(expression: id, activation: place.activation) }
    switch rules.ruleset[place.expression].kind {
    case .not(let operand): return obstacles(below: at(operand), wanting: !wanted)
    case .binary(.and, let left, let right):
      return junction(of: at(left), and: at(right), wanting: wanted, needsBoth: wanted)
    case .binary(.or, let left, let right):
      return junction(of: at(left), and: at(right), wanting: wanted, needsBoth: !wanted)
    case .conditional(let condition, let whenTrue, let whenFalse):
      guard case .value(.bool(let flag)) = outcome(at(condition)) else {
        return smaller(
          obstacles(below: at(condition), wanting: true)
            + obstacles(below: at(whenTrue), wanting: wanted),
          obstacles(below: at(condition), wanting: false)
            + obstacles(below: at(whenFalse), wanting: wanted))
      }
      let taken = obstacles(below: at(flag ? whenTrue : whenFalse), wanting: wanted)
      let other =
        obstacles(below: at(condition), wanting: !flag)
        + obstacles(below: at(flag ? whenFalse : whenTrue), wanting: wanted)
      return smaller(taken, other)
    case .call:
      guard let entered = trace.activation(of: place),
        case .function(let function) = rules.binding(place.expression)
      else { return [] }
      let body = rules.ruleset[function].result.root
      return obstacles(below: Place(expression: body, activation: entered), wanting: wanted)
    case .variable: return origin(of: place).map { obstacles(below: $0, wanting: wanted) } ?? []
    case .literal, .list, .map, .path, .parenthesized, .negate, .binary, .isType, .member, .index,
      .slice, .method, .invalid:
      return []
    }
  }

  private func junction(
    of left: Place, and right: Place, wanting wanted: Bool, needsBoth: Bool
  ) -> [Obstacle] {
    let one = obstacles(below: left, wanting: wanted)
    let other = obstacles(below: right, wanting: wanted)
    return needsBoth ? one + other : smaller(one, other)
  }

  /// Returns the lighter of two sets of obstacles. An empty set means that no change in the operand would
  /// help, so the other one is taken.
  private func smaller(_ one: [Obstacle], _ other: [Obstacle]) -> [Obstacle] {
    if one.isEmpty { return other }
    if other.isEmpty { return one }
    return other.weight < one.weight ? other : one
  }

  private func outcome(_ place: Place) -> Outcome? {
    let id = rules.ruleset.unparenthesized(place.expression)
    return trace.outcome(Place(expression: id, activation: place.activation))
  }

  /// Returns the argument or value of a parameter or `let`.
  private func origin(of place: Place) -> Place? {
    guard case .local(let slot) = rules.binding(place.expression),
      let call = trace.caller(of: place.activation),
      case .function(let id) = rules.binding(call.expression),
      case .call(_, let arguments) = rules.ruleset[call.expression].kind
    else { return nil }
    let function = rules.ruleset[id]
    if Int(slot) < arguments.count {
      return Place(expression: arguments[Int(slot)], activation: call.activation)
    }
    let binding = Int(slot) - arguments.count
    guard binding < function.lets.count else { return nil }
    return Place(
      expression: function.lets[binding].value.root, activation: place.activation)
  }

  /// Makes the obstacle for the place itself. An error is reported for the sub-expression in which it arose.
  private func obstacle(at place: Place, with outcome: Outcome, wanting wanted: Bool) -> Obstacle {
    let details = ObstacleDetail(
      rules: rules, isQuery: isQuery, outcome: { self.outcome($0) })
    var expression = place.expression
    if case .error(let error) = outcome { expression = named(error, from: place.expression) }
    return Obstacle(
      expression: expression, outcome: outcome, wanted: wanted,
      detail: details.text(for: place, with: outcome),
      missing: wanted ? details.missing(at: place, with: outcome) : nil)
  }

  /// Returns the expression to report for an error: where it arose, if that is inside of `id`; else `id`.
  private func named(_ error: EvaluationError, from id: ExprID) -> ExprID {
    let outer = rules.ruleset[id].range
    let inner = rules.ruleset[error.expression].range
    let isInside = outer.start <= inner.start && inner.end <= outer.end
    return isInside ? error.expression : id
  }
}
