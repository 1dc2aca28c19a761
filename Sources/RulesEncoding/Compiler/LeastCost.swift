import RulesEval
package import RulesLang

// Lower bounds of the cost of conditions. Of dozens of statements for the same documents, the last ones may
// be unreachable, because those before them evaluate more expressions than any request may. Which expressions
// are evaluated depends only on the direction of `&&`, `||` and `?:` (Docs/Language.md §11.2); an error
// shortens nothing else. So the first operand of each is always evaluated, and more of it if the condition is
// to be true.

/// Lower bounds of the cost of conditions.
package struct LeastCost {
  private let rules: Checked
  private var known: [Call: Int] = [:]

  /// A function with the result that its body must have; nil for any result.
  private struct Call: Hashable {
    var function: FunctionID
    var outcome: Bool?
  }

  /// The bound at which costs saturate.
  private static let greatest = 1 << 20

  /// Creates an empty cache of costs.
  package init(_ rules: Checked) { self.rules = rules }

  /// Returns the least number of expressions that a statement evaluates, or evaluates if it grants. A missing
  /// condition costs as much as `if true`.
  package mutating func expressions(of allow: AllowID, granting: Bool) -> Int {
    rules.ruleset[allow].condition.map { least(of: $0.root, as: granting ? true : nil) } ?? 1
  }

  /// Returns the least number of evaluated expressions for a result; nil for any, including an error.
  private mutating func least(of id: ExprID, as outcome: Bool?) -> Int {
    let expression = rules.ruleset[id]
    var sum = Cost.ownExpressions(of: expression)
    switch expression.kind {
    case .parenthesized(let inner): return least(of: inner, as: outcome)
    case .not(let operand): return 1 + least(of: operand, as: outcome.map { !$0 })
    case .binary(.and, let left, let right):
      return junction(of: left, right, decidedBy: false, as: outcome)
    case .binary(.or, let left, let right):
      return junction(of: left, right, decidedBy: true, as: outcome)
    case .conditional(let question, let one, let other):
      // If the condition fails, neither branch is evaluated.
      if outcome == nil { return 2 + least(of: question, as: nil) }
      let first = least(of: question, as: true) + least(of: one, as: outcome)
      return 2 + min(first, 2 + least(of: question, as: false) + least(of: other, as: outcome))
    default: break
    }
    for operand in expression.operands { sum += least(of: operand, as: nil) }
    if case .call(_, let arguments) = expression.kind,
      case .function(let function) = rules.binding(id),
      rules.ruleset[function].parameters.count == arguments.count
    {
      sum += least(of: function, as: outcome)
    }
    return min(sum, Self.greatest)
  }

  private mutating func junction(
    of left: ExprID, _ right: ExprID, decidedBy deciding: Bool, as outcome: Bool?
  ) -> Int {
    guard let outcome else { return 1 + least(of: left, as: nil) }
    if outcome != deciding {
      return 2 + least(of: left, as: outcome) + least(of: right, as: outcome)
    }
    let second = 2 + least(of: left, as: nil) + least(of: right, as: outcome)
    return min(1 + least(of: left, as: outcome), second)
  }

  private mutating func least(of function: FunctionID, as outcome: Bool?) -> Int {
    let call = Call(function: function, outcome: outcome)
    if let least = known[call] { return least }
    let declaration = rules.ruleset[function]
    var sum = least(of: declaration.result.root, as: outcome)
    for binding in declaration.lets { sum += 1 + least(of: binding.value.root, as: nil) }
    known[call] = min(sum, Self.greatest)
    return min(sum, Self.greatest)
  }
}

extension LeastCost {
  /// Returns the statements that can grant nothing, because those before them in the same block cost too
  /// much. Each has the least number of expressions that a grant by it would take.
  package mutating func beyondLimit() -> [(allow: AllowID, expressions: Int)] {
    var found: [(allow: AllowID, expressions: Int)] = []
    for match in rules.ruleset.matches.indices {
      let allows = rules.ruleset[MatchID(match)].allows
      var sums: [Method: Int] = [:]
      for allow in allows {
        let methods = rules.methods[allow.index].methods
        let before = methods.map { sums[$0, default: 0] }.min() ?? 0
        let least = before + expressions(of: allow, granting: true)
        if least > Limits.expressions { found.append((allow, least)) }
        let own = expressions(of: allow, granting: false)
        for method in methods { sums[method, default: 0] += own }
      }
    }
    return found
  }

  /// Returns the statements of one kind of request up to the last one that can grant anything. The later ones
  /// can only deny.
  package mutating func withinLimit(_ statements: [Compiler.Statement]) -> [Compiler.Statement] {
    var sums: [MatchID: Int] = [:]
    var end = 0
    for (place, statement) in statements.enumerated() {
      let match = rules.ruleset[statement.allow].match
      let before = sums[match, default: 0]
      if before + expressions(of: statement.allow, granting: true) <= Limits.expressions {
        end = place + 1
      }
      sums[match] = before + expressions(of: statement.allow, granting: false)
    }
    return Array(statements.prefix(end))
  }
}
