/// Finds expressions that are nested deeper than the engine accepts (Docs/Language.md §11).
///
/// A node's level is its distance from the root of its body; a postfix chain is one level, also
/// with a minus before it, and its indices and arguments are one below it. Users of a node have
/// larger IDs, so going down the IDs meets every node after the one that uses it: no recursion,
/// whatever the depth.
enum NestingCheck {
  /// One report for each node on the first level that is too deep.
  static func run(_ ruleset: Ruleset) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    var levels: [Int32] = Array(repeating: 1, count: ruleset.expressions.count)
    var isBase = Array(repeating: false, count: ruleset.expressions.count)
    for index in ruleset.expressions.indices.reversed() {
      let node = ruleset.expressions[index]
      let level = levels[index]
      if level == Limits.nesting + 1, !isBase[index] {
        diagnostics.append(.nestedTooDeep(at: node.range))
      }
      let base = node.base
      if let base { isBase[base.index] = true }
      node.forEachOperand { operand in
        levels[operand.index] = operand == base ? level : level &+ 1
      }
    }
    return diagnostics
  }
}

extension Expression {
  /// What a postfix form is applied to; nil for other forms.
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
