import RulesEval
package import RulesLang

/// Upper bounds of the cost of conditions (Docs/Language.md §11).
package struct Cost {
  /// The greatest number of evaluated expressions.
  package private(set) var expressions = 0
  /// The greatest number of document lookups.
  package private(set) var lookups = 0
  /// The greatest number of lookups that read a document rather than test its existence.
  package private(set) var reads = 0
  private let rules: Checked
  private var known: [FunctionID: Sum] = [:]

  /// A sum of expressions and lookups, saturating at `greatest`.
  private struct Sum {
    static let greatest = 1 << 20
    var expressions = 0
    var lookups = 0
    var reads = 0

    static func + (left: Sum, right: Sum) -> Sum {
      Sum(
        expressions: min(left.expressions + right.expressions, greatest),
        lookups: min(left.lookups + right.lookups, greatest),
        reads: min(left.reads + right.reads, greatest))
    }
  }

  /// Creates a sum of 0.
  package init(_ rules: Checked) { self.rules = rules }

  /// Resets the sums and keeps the known costs of functions.
  mutating func begin() { (expressions, lookups, reads) = (0, 0, 0) }

  /// Adds the cost of all of a statement's condition; a missing condition costs as much as `if true`.
  package mutating func add(_ allow: AllowID) {
    let condition = rules.ruleset[allow].condition
    let paid = Sum(expressions: expressions, lookups: lookups, reads: reads)
    let sum = paid + (condition.map { cost(of: $0.root) } ?? Sum(expressions: 1))
    (expressions, lookups, reads) = (sum.expressions, sum.lookups, sum.reads)
  }

  /// Returns the greatest numbers of expressions and lookups that an expression evaluates.
  mutating func greatest(of id: ExprID) -> (expressions: Int, lookups: Int) {
    let sum = cost(of: id)
    return (sum.expressions, sum.lookups)
  }

  private mutating func cost(of id: ExprID) -> Sum {
    let operands = rules.ruleset[id].operands.map { cost(of: $0) }
    if case .conditional = rules.ruleset[id].kind {
      let (one, other) = (operands[1], operands[2] + Sum(expressions: 2))
      let worst = Sum(
        expressions: max(one.expressions, other.expressions),
        lookups: max(one.lookups, other.lookups), reads: max(one.reads, other.reads))
      return operands[0] + worst + Sum(expressions: 2)
    }
    return operands.reduce(own(id)) { $0 + $1 }
  }

  /// Returns the expressions charged for an expression itself, without operands and called functions.
  static func ownExpressions(of expression: Expression) -> Int {
    switch expression.kind {
    case .parenthesized: return 0
    case .isType, .binary(.and, _, _), .binary(.or, _, _): return 2
    case .slice(_, let start, let end): return 1 + (start == nil ? 1 : 0) + (end == nil ? 1 : 0)
    case .path(let parts):
      let literals = parts.filter { part in
        if case .literal = part.kind { return true }
        return false
      }
      return 1 + literals.count
    case .literal, .variable, .list, .map, .not, .negate, .binary, .conditional, .member, .index,
      .call, .method, .invalid:
      return 1
    }
  }

  /// Returns the cost of an expression without its operands.
  private mutating func own(_ id: ExprID) -> Sum {
    let paid = Self.ownExpressions(of: rules.ruleset[id])
    guard case .call = rules.ruleset[id].kind else { return Sum(expressions: paid) }
    switch rules.binding(id) {
    case .function(let function): return Sum(expressions: paid) + cost(of: function)
    case .builtin(.get), .builtin(.getAfter): return Sum(expressions: paid, lookups: 1, reads: 1)
    case .builtin(.exists), .builtin(.existsAfter): return Sum(expressions: paid, lookups: 1)
    default: return Sum(expressions: paid)
    }
  }

  private mutating func cost(of function: FunctionID) -> Sum {
    if let known = known[function] { return known }
    let declaration = rules.ruleset[function]
    var sum = cost(of: declaration.result.root)
    for binding in declaration.lets {
      sum = sum + cost(of: binding.value.root) + Sum(expressions: 1)
    }
    known[function] = sum
    return sum
  }
}
