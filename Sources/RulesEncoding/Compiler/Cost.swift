import RulesEval
package import RulesLang

/// The greatest cost that conditions can have (Docs/Language.md §11).
package struct Cost {
  /// The expressions that are evaluated.
  package private(set) var expressions = 0
  /// The calls that look a document up.
  package private(set) var lookups = 0
  /// The lookups that read a document, and do not only ask whether it is there.
  package private(set) var reads = 0
  private let rules: Checked
  private var known: [FunctionID: Sum] = [:]

  /// Expressions and lookups; no more of either than `greatest`.
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

  /// Nothing is added yet.
  package init(_ rules: Checked) { self.rules = rules }

  /// Begins anew, with what is known of functions.
  mutating func begin() { (expressions, lookups, reads) = (0, 0, 0) }

  /// Adds what a statement costs if all of it is evaluated; one without a condition costs what `if true`
  /// does.
  package mutating func add(_ allow: AllowID) {
    let condition = rules.ruleset[allow].condition
    let paid = Sum(expressions: expressions, lookups: lookups, reads: reads)
    let sum = paid + (condition.map { cost(of: $0.root) } ?? Sum(expressions: 1))
    (expressions, lookups, reads) = (sum.expressions, sum.lookups, sum.reads)
  }

  /// The expressions that an expression evaluates at most, and the calls that look documents up.
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

  /// The expressions that are paid for with an expression beside its operands and what it calls.
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

  /// What an expression costs beside its operands.
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
