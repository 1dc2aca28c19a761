// Edits of the syntax tree. For hundreds of small changes of one file this is faster than to print and parse
// each version, where a change inserts nothing new. Nodes that no condition contains any more become the
// literal false, so a walk over all nodes does not take them for parts of conditions.

/// A change of checked rules, applied to their tree instead of their text.
public enum TreeEdit: Hashable, Sendable {
  /// Replaces an expression by a constant.
  case constant(ExprID, Bool)
  /// Replaces `question ? answer : answer` by one of its answers.
  case branch(ExprID, keepsFirst: Bool)
  /// Replaces a statement's condition by a constant.
  case condition(AllowID, Bool)
  /// Replaces the methods of a statement.
  case methods(AllowID, MethodSet)
}

extension Checked {
  /// Returns the rules with changes, none of which lies inside another one.
  ///
  /// Expressions keep their IDs and their source ranges, in the old text. The result equals the checked rules
  /// of a changed text, except that warnings are missing and types are those of the old text.
  public func changed(by edits: [TreeEdit]) -> Checked {
    var tree = ruleset
    var bindings = bindings
    var methods = methods
    var types = types
    for edit in edits {
      switch edit {
      case .constant(let id, let value):
        tree.blank(id, bindings: &bindings)
        tree.expressions[id.index].kind = .literal(.bool(value))
      case .branch(let id, let keepsFirst):
        guard case .conditional(let question, let one, let other) = ruleset[id].kind else {
          continue
        }
        tree.blank(question, bindings: &bindings)
        tree.blank(keepsFirst ? other : one, bindings: &bindings)
        tree.expressions[id.index].kind = .parenthesized(keepsFirst ? one : other)
      case .condition(let allow, let value):
        if let old = ruleset[allow].condition { tree.blank(old.root, bindings: &bindings) }
        let id = ExprID(tree.expressions.count)
        let range = ruleset[allow].range
        tree.expressions.append(Expression(.literal(.bool(value)), range: range, mark: range))
        bindings.append(.none)
        types.append(.bool)
        tree.allows[allow.index].condition = Body(first: id, root: id)
      case .methods(let allow, let left): methods[allow.index] = left
      }
    }
    return Checked(
      ruleset: tree, profile: profile, database: database, bindings: bindings,
      matches: matches,
      blocksInOrder: blocksInOrder, methods: methods, types: types, patterns: patterns,
      warnings: [])
  }
}

extension Ruleset {
  /// Blanks an expression and its operands, so that walks over all nodes find nothing in them.
  fileprivate mutating func blank(_ id: ExprID, bindings: inout [Binding]) {
    // Deep trees are visited without recursion.
    var left = [id]
    while let next = left.popLast() {
      expressions[next.index].forEachOperand { left.append($0) }
      expressions[next.index].kind = .literal(.bool(false))
      bindings[next.index] = .none
    }
  }
}
