/// The syntax tree of a version of rules while its edits are applied.
///
/// Nodes that no condition contains any more become the literal false, so a walk over all nodes does not take
/// them for parts of conditions.
struct EditedTree {
  /// The syntax.
  private(set) var ruleset: Ruleset
  /// The meaning of each expression's name, by `ExprID`.
  private(set) var bindings: [Binding]
  /// The possible types of each expression, by `ExprID`.
  private(set) var types: [TypeSet]
  private var methods: [MethodSet]

  /// Begins with the tree of checked rules.
  init(_ rules: Checked) {
    (ruleset, bindings, types, methods) = (
      rules.ruleset, rules.bindings, rules.types, rules.methods
    )
  }

  /// Returns the rules with the tree in place of their own.
  func checked(_ rules: Checked) -> Checked {
    Checked(
      ruleset: ruleset, profile: rules.profile, database: rules.database, bindings: bindings,
      matches: rules.matches, blocksInOrder: rules.blocksInOrder, methods: methods, types: types,
      patterns: rules.patterns, warnings: [])
  }

  /// Applies an edit other than a rewriting.
  mutating func apply(_ edit: RulesEdit) {
    switch edit {
    case .constant(let id, let value):
      blank(id)
      ruleset.expressions[id.index].kind = .literal(.bool(value))
    case .branch(let id, let keepsFirst):
      guard case .conditional(let question, let one, let other) = ruleset[id].kind else { return }
      blank(question)
      blank(keepsFirst ? other : one)
      ruleset.expressions[id.index].kind = .parenthesized(keepsFirst ? one : other)
    case .condition(let allow, let value):
      let range = ruleset[allow].range
      replace(
        ruleset[allow].condition, at: .condition(allow),
        by: NewNodes(
          nodes: [Expression(.literal(.bool(value)), range: range, mark: range)],
          bindings: [.none], types: [.bool]))
    case .unconditional(let allow):
      replace(ruleset[allow].condition, at: .condition(allow), by: nil)
    case .methods(let allow, let left): methods[allow.index] = left
    case .replaced(let place, let formula):
      replace(
        ruleset.body(at: place), at: place, by: BodyCopy(of: self, at: place).made(formula))
    case .rewritten: break
    }
  }

  /// Puts nodes, or nothing, in the place of a body.
  mutating func replace(_ old: Body?, at place: BodyPlace, by new: NewNodes?) {
    if let old { for index in old.first.index...old.root.index { blankNode(index) } }
    guard let new else { return ruleset.setBody(at: place, to: nil) }
    let first = ExprID(ruleset.expressions.count)
    ruleset.expressions += new.nodes
    bindings += new.bindings
    types += new.types
    ruleset.setBody(
      at: place, to: Body(first: first, root: ExprID(ruleset.expressions.count - 1)))
  }

  /// Blanks an expression and its operands.
  private mutating func blank(_ id: ExprID) {
    // Deep trees are visited without recursion.
    var left = [id]
    while let next = left.popLast() {
      ruleset.expressions[next.index].forEachOperand { left.append($0) }
      blankNode(next.index)
    }
  }

  private mutating func blankNode(_ index: Int) {
    ruleset.expressions[index].kind = .literal(.bool(false))
    bindings[index] = .none
  }
}

/// Nodes for the end of a tree, operands before what uses them.
struct NewNodes {
  /// The nodes.
  var nodes: [Expression] = []
  /// The meanings of their names.
  var bindings: [Binding] = []
  /// Their types.
  var types: [TypeSet] = []
}
