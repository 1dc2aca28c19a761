// Replacement of one body in a checked tree. For thousands of small changes of one file this is faster than
// to print and parse each version: the changed condition, `let` or result is copied to the end of the tree
// and takes the place of the old one. Nothing else is touched.

/// The place of a whole expression, not an operand, in the rules.
public enum BodyPlace: Hashable, Sendable {
  /// The condition of a statement.
  case condition(AllowID)
  /// The value of one of the lets of a function.
  case binding(FunctionID, Int)
  /// The result of a function.
  case result(FunctionID)
}

/// The replacement of an expression.
public enum Rewriting: Hashable, Sendable {
  /// An operand of the expression.
  case operand(ExprID)
  /// The operation with another operator of the same kind. `&&` and `||` are regrouped by precedence with the
  /// operators beside them, as in a changed text.
  case symbol(BinaryOperator)
  /// A literal.
  case literal(Literal)
  /// A call of another method.
  case method(Text)
  /// The list literal without the element at an index.
  case without(Int)
  /// `resource` for `request.resource`, or the other way round.
  case otherResource
}

extension Checked {
  /// Returns the rules with one expression rewritten; nil if the changed text could have another meaning, or
  /// exceed a limit.
  ///
  /// Other expressions keep their IDs. New nodes have the source ranges (in the old text) and the types of
  /// those that they were made of. There are no warnings.
  public func rewritten(_ id: ExprID, to rewriting: Rewriting, in place: BodyPlace) -> Checked? {
    let body = ruleset.body(at: place)
    var copy = BodyCopy(of: self, body: body)
    switch rewriting {
    case .operand(let operand): copy.replace(id, by: operand)
    case .symbol(let symbol): if !copy.change(id, to: symbol) { return nil }
    case .literal(let literal):
      // As text, a negative number is a minus and another number.
      if case .int(let number) = literal, number < 0 { return nil }
      copy.kinds[id] = .literal(literal)
    case .method(let name):
      guard case .method(let base, let old, let arguments) = ruleset[id].kind else { return nil }
      copy.kinds[id] = .method(base, Name(name, at: old.range), arguments)
    case .without(let position):
      guard case .list(var elements) = ruleset[id].kind else { return nil }
      elements.remove(at: position)
      copy.kinds[id] = .list(elements)
    case .otherResource:
      if body.root.index - body.first.index > Self.greatestBody || hidesVariables { return nil }
      copy.changeResource(id)
    }
    copy.run()
    return replacing(body, at: place, by: copy)
  }

  /// Returns the rules with a statement's condition removed.
  public func withoutCondition(_ allow: AllowID) -> Checked {
    guard let condition = ruleset[allow].condition else { return self }
    return replacing(condition, at: .condition(allow), by: nil)
  }

  /// True if a capture, parameter or let anywhere is named `request` or `resource`.
  private var hidesVariables: Bool {
    func hides(_ name: Name) -> Bool { name.text == "request" || name.text == "resource" }
    return matches.contains { $0.captures.contains(where: hides) }
      || ruleset.functions.contains { function in
        function.parameters.contains(where: hides) || function.lets.contains { hides($0.name) }
      }
  }

  /// Maximum nodes of a body for a change that may nest it deeper: with so few it stays below the nesting
  /// limit.
  fileprivate static let greatestBody = Limits.nesting - 2

  /// Returns the rules with a copy, or nothing, in the place of a body.
  private func replacing(_ old: Body, at place: BodyPlace, by copy: BodyCopy?) -> Checked {
    var tree = ruleset
    var bindings = bindings
    var types = types
    // A walk over all nodes must not mistake the old ones for parts of a condition.
    for index in old.first.index...old.root.index {
      tree.expressions[index].kind = .literal(.bool(false))
      bindings[index] = .none
    }
    var body: Body?
    if let copy {
      let first = ExprID(tree.expressions.count)
      tree.expressions += copy.nodes
      bindings += copy.bindings
      types += copy.types
      body = Body(first: first, root: ExprID(tree.expressions.count - 1))
    }
    tree.setBody(at: place, to: body)
    return Checked(
      ruleset: tree, profile: profile, database: database, bindings: bindings,
      matches: matches,
      blocksInOrder: blocksInOrder, methods: methods, types: types, patterns: patterns,
      warnings: [])
  }
}

extension Ruleset {
  /// Returns the expression at a place.
  ///
  /// - Requires: There is one.
  public func body(at place: BodyPlace) -> Body {
    switch place {
    case .condition(let allow):
      guard let condition = self[allow].condition else {
        preconditionFailure("the statement has no condition")
      }
      return condition
    case .binding(let function, let position): return self[function].lets[position].value
    case .result(let function): return self[function].result
    }
  }

  /// Sets the expression at a place; only a condition can be nil.
  fileprivate mutating func setBody(at place: BodyPlace, to body: Body?) {
    switch (place, body) {
    case (.condition(let allow), _): allows[allow.index].condition = body
    case (.binding(let function, let position), let body?):
      functions[function.index].lets[position].value = body
    case (.result(let function), let body?): functions[function.index].result = body
    case (.binding, nil), (.result, nil): preconditionFailure("a function needs its expressions")
    }
  }
}

/// Copies a body, some of its nodes changed, to the end of the tree.
private struct BodyCopy {
  private let rules: Checked
  private let body: Body
  /// The changed nodes, with operands that are nodes of the body.
  var kinds: [ExprID: Expression.Kind] = [:]
  /// The outermost node.
  private var root: ExprID
  /// The source ranges of nodes that got other operands.
  private var ranges: [ExprID: SourceRange] = [:]
  /// The meanings of changed names.
  private var meanings: [ExprID: Binding] = [:]

  /// The copied nodes, operands before what uses them.
  private(set) var nodes: [Expression] = []
  /// The meanings of their names.
  private(set) var bindings: [Binding] = []
  /// The types of the copied nodes.
  private(set) var types: [TypeSet] = []

  init(of rules: Checked, body: Body) {
    (self.rules, self.body, root) = (rules, body, body.root)
  }

  /// The ID for the one new node, which is in no text.
  private var added: ExprID { ExprID(rules.ruleset.expressions.count) }

  /// Replaces a node by another one.
  mutating func replace(_ id: ExprID, by other: ExprID) {
    if id == other { return }
    if id == root { return root = other }
    for index in (id.index + 1)...body.root.index {
      let outer = rules.ruleset.expressions[index]
      guard outer.operands.contains(id) else { continue }
      kinds[ExprID(index)] = outer.kind.mapOperands { $0 == id ? other : $0 }
      return
    }
  }

  private func kind(of id: ExprID) -> Expression.Kind { kinds[id] ?? rules.ruleset[id].kind }

  // MARK: Changes

  /// Changes `resource` to `request.resource`, or the other way round.
  mutating func changeResource(_ id: ExprID) {
    let name = Name("resource", at: rules.ruleset[id].range)
    if case .variable = rules.ruleset[id].kind {
      kinds[added] = .variable(Name("request", at: name.range))
      meanings[added] = .request
      kinds[id] = .member(added, name)
      meanings[id] = Binding.none
    } else {
      kinds[id] = .variable(name)
      meanings[id] = .resource
    }
  }

  /// Changes the operator of a node. False if the changed text could exceed the nesting limit.
  mutating func change(_ id: ExprID, to symbol: BinaryOperator) -> Bool {
    guard case .binary(_, let left, let right) = rules.ruleset[id].kind else { return false }
    guard symbol == .and || symbol == .or else {
      kinds[id] = .binary(symbol, left, right)
      return true
    }
    if body.root.index - body.first.index > Checked.greatestBody { return false }
    let (operands, symbols) = chain(around: id)
    // First what `&&` joins, then what `||` does.
    var sides = [operands[0]]
    var joints: [ExprID] = []
    for (place, node) in symbols.enumerated() {
      if (node == id ? symbol : self.symbol(of: node)) == .and {
        join(&sides, with: operands[place + 1], at: node, by: .and)
      } else {
        sides.append(operands[place + 1])
        joints.append(node)
      }
    }
    var whole = [sides[0]]
    for (place, node) in joints.enumerated() {
      join(&whole, with: sides[place + 1], at: node, by: .or)
    }
    replace(top(of: id), by: whole[0])
    return true
  }

  /// Joins the last of some sides with an operand.
  private mutating func join(
    _ sides: inout [ExprID], with operand: ExprID, at node: ExprID, by symbol: BinaryOperator
  ) {
    let left = sides[sides.count - 1]
    kinds[node] = .binary(symbol, left, operand)
    ranges[node] = SourceRange(start: range(of: left).start, end: range(of: operand).end)
    sides[sides.count - 1] = node
  }

  private func range(of id: ExprID) -> SourceRange {
    ranges[id] ?? rules.ruleset.expressions[min(id.index, added.index - 1)].range
  }

  /// Returns the operator of a node if it is `&&` or `||`; else nil.
  private func symbol(of id: ExprID) -> BinaryOperator? {
    guard case .binary(let symbol, _, _) = rules.ruleset[id].kind, symbol == .and || symbol == .or
    else { return nil }
    return symbol
  }

  /// Returns the root of the chain of `&&` and `||`, without parentheses, that a node is part of.
  private func top(of id: ExprID) -> ExprID {
    var top = id
    for index in id.index...body.root.index {
      let node = ExprID(index)
      guard symbol(of: node) != nil, case .binary(_, let left, let right) = rules.ruleset[node].kind
      else { continue }
      if left == top || right == top { top = node }
    }
    return top
  }

  /// Returns the chain of `&&` and `||`, without parentheses, around a node: its operands from left to right,
  /// and the nodes of the operators between.
  private func chain(around id: ExprID) -> (operands: [ExprID], symbols: [ExprID]) {
    var operands: [ExprID] = []
    var symbols: [ExprID] = []
    // A node is visited after its left side and before its right side.
    var open: [(id: ExprID, isOperator: Bool)] = [(top(of: id), false)]
    while let (next, isOperator) = open.popLast() {
      if isOperator {
        symbols.append(next)
      } else if symbol(of: next) != nil,
        case .binary(_, let left, let right) = rules.ruleset[next].kind
      {
        open += [(right, false), (next, true), (left, false)]
      } else {
        operands.append(next)
      }
    }
    return (operands, symbols)
  }

  // MARK: Copying

  /// Copies the body. Iterative, so that deep trees do not exhaust the stack.
  mutating func run() {
    var numbers: [ExprID: ExprID] = [:]
    var open: [(id: ExprID, isReady: Bool)] = [(root, false)]
    while let (id, isReady) = open.popLast() {
      let kind = kind(of: id)
      if isReady {
        numbers[id] = ExprID(added.index + nodes.count)
        add(id, kind.mapOperands { numbers[$0] ?? $0 })
        continue
      }
      open.append((id, true))
      let node = Expression(kind, range: range(of: id), mark: range(of: id))
      open += node.operands.reversed().map { ($0, false) }
    }
  }

  private mutating func add(_ id: ExprID, _ kind: Expression.Kind) {
    let isNew = id == added
    let mark = isNew ? range(of: id) : rules.ruleset[id].mark
    nodes.append(Expression(kind, range: range(of: id), mark: mark))
    bindings.append(meanings[id] ?? (isNew ? .none : rules.binding(id)))
    types.append(isNew ? .any : rules.types[id.index])
  }
}

extension Expression.Kind {
  /// Returns the kind with other operands.
  fileprivate func mapOperands(_ map: (ExprID) -> ExprID) -> Self {
    switch self {
    case .literal, .variable, .invalid: self
    case .list(let elements): .list(elements.map(map))
    case .map(let entries): .map(entries.map { .init(key: map($0.key), value: map($0.value)) })
    case .path(let parts): .path(parts.map { $0.mapOperand(map) })
    case .parenthesized(let inner): .parenthesized(map(inner))
    case .not(let inner): .not(map(inner))
    case .negate(let inner): .negate(map(inner))
    case .binary(let symbol, let left, let right): .binary(symbol, map(left), map(right))
    case .isType(let inner, let word): .isType(map(inner), word)
    case .conditional(let question, let one, let other):
      .conditional(map(question), map(one), map(other))
    case .member(let base, let name): .member(map(base), name)
    case .index(let base, let index): .index(map(base), map(index))
    case .slice(let base, let from, let to): .slice(map(base), from.map(map), to.map(map))
    case .call(let callee, let arguments): .call(callee, arguments.map(map))
    case .method(let base, let name, let arguments): .method(map(base), name, arguments.map(map))
    }
  }
}

extension PathPart {
  fileprivate func mapOperand(_ map: (ExprID) -> ExprID) -> PathPart {
    guard case .interpolation(let inner) = kind else { return self }
    return PathPart(.interpolation(map(inner)), at: range)
  }
}
