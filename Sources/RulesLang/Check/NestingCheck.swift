/// Finds expressions that are nested deeper than the engine accepts (Docs/Language.md §11).
///
/// A node's level is its distance from the root of its body; a postfix chain is one level, also with a minus
/// before it, and its indices and arguments are one below it. Users of a node have larger IDs, so going down
/// the IDs meets every node after the one that uses it, without recursion.
enum NestingCheck {
  /// Returns a diagnostic for each node on the first level that is too deep, skipping the first `first`
  /// nodes, whose users are among them.
  static func run(_ ruleset: Ruleset, after first: Int = 0) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let count = ruleset.expressions.count - first
    var levels: [Int32] = Array(repeating: 1, count: count)
    var isBase = Array(repeating: false, count: count)
    for place in (0..<count).reversed() {
      let node = ruleset.expressions[first + place]
      let level = levels[place]
      if level == Limits.nesting + 1, !isBase[place] {
        diagnostics.append(.nestedTooDeep(at: node.range))
      }
      let base = node.base
      if let base { isBase[base.index - first] = true }
      node.forEachOperand { operand in
        levels[operand.index - first] = operand == base ? level : level &+ 1
      }
    }
    return diagnostics
  }
}

extension Expression {
  /// The receiver of a postfix form; nil for other forms.
  public var receiver: ExprID? {
    switch kind {
    case .member(let base, _), .index(let base, _), .slice(let base, _, _),
      .method(let base, _, _):
      base
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .call, .invalid:
      nil
    }
  }

  /// The operand that is on the same level as the node.
  fileprivate var base: ExprID? {
    if case .negate(let operand) = kind { return operand }
    return receiver
  }
}
