// Copies of single bodies. A rewritten condition, `let` or result is copied to the end of the tree and takes
// the place of the old one, so that no other node changes its number.

/// Copies a body, some of its nodes changed, to the end of a tree.
struct BodyCopy {
  private let tree: EditedTree
  private let place: BodyPlace
  private let body: Body
  /// The number of nodes of the tree; nodes that are in no text have IDs from it on.
  private let count: Int
  /// The changed nodes, with operands that are nodes of the body or new.
  private var kinds: [ExprID: Expression.Kind] = [:]
  /// The number of new nodes in `kinds`.
  private var added = 0
  /// The outermost node.
  private var root: ExprID
  /// The source ranges of nodes that got other operands.
  private var ranges: [ExprID: SourceRange] = [:]
  /// The meanings of changed names.
  private var meanings: [ExprID: Binding] = [:]
  /// The copied nodes.
  private var new = NewNodes()

  /// Prepares to copy the body at a place.
  init(of tree: EditedTree, at place: BodyPlace) {
    (self.tree, self.place) = (tree, place)
    body = tree.ruleset.body(at: place)
    count = tree.ruleset.expressions.count
    root = body.root
  }

  /// Returns the copy with expressions rewritten; `rules` has the meanings of names.
  consuming func made(_ rewritings: [(ExprID, Rewriting)], in rules: Checked) -> NewNodes {
    for (id, rewriting) in rewritings { rewrite(id, to: rewriting, in: rules) }
    copy(root)
    return new
  }

  /// Returns the nodes of a formula.
  consuming func made(_ formula: Formula) -> NewNodes {
    add(formula)
    return new
  }

  private mutating func rewrite(_ id: ExprID, to rewriting: Rewriting, in rules: Checked) {
    switch (rewriting, tree.ruleset[id].kind) {
    case (.operand(let operand), _): replace(id, by: operand)
    case (.symbol(let symbol), .binary(_, let left, let right)):
      change(id, left, right, to: symbol)
    case (.int(let number), _): kinds[id] = .literal(.int(number))
    case (.method(let name), .method(let base, let old, let arguments)):
      kinds[id] = .method(base, Name(name, at: old.range), arguments)
    case (.without(let position), .list(var elements)):
      elements.remove(at: position)
      kinds[id] = .list(elements)
    case (.otherResource, _): changeResource(id, in: rules)
    case (.strict, .binary(.or, let left, let right)):
      let second = newNode(.binary(.and, right, newNode(.literal(.bool(true)))))
      kinds[id] = .conditional(left, newNode(.literal(.bool(true))), second)
    case (.symbol, _), (.method, _), (.without, _), (.strict, _): break
    }
  }

  /// Adds a node that is in no text.
  private mutating func newNode(_ kind: Expression.Kind) -> ExprID {
    let id = ExprID(count + added)
    added += 1
    kinds[id] = kind
    return id
  }

  private func kind(of id: ExprID) -> Expression.Kind { kinds[id] ?? tree.ruleset[id].kind }

  /// Replaces a node by another one.
  private mutating func replace(_ id: ExprID, by other: ExprID) {
    if id == other { return }
    if id == root { return root = other }
    for index in (id.index + 1)...body.root.index {
      let outer = tree.ruleset.expressions[index]
      guard outer.operands.contains(id) else { continue }
      kinds[ExprID(index)] = kind(of: ExprID(index)).mapOperands { $0 == id ? other : $0 }
      return
    }
  }

  // MARK: Changes

  /// Changes `resource` to `request.resource`, or the other way round.
  private mutating func changeResource(_ id: ExprID, in rules: Checked) {
    let name = Name("resource", at: range(of: id))
    if case .variable = kind(of: id) {
      let request = newNode(.variable(Name("request", at: name.range)))
      ranges[request] = name.range
      meanings[request] = rules.meaning(of: "request", at: place)
      kinds[id] = .member(request, name)
      meanings[id] = Binding.none
    } else {
      kinds[id] = .variable(name)
      meanings[id] = rules.meaning(of: "resource", at: place)
    }
  }

  /// Changes the operator of a node with its operands.
  private mutating func change(
    _ id: ExprID, _ left: ExprID, _ right: ExprID, to symbol: BinaryOperator
  ) {
    guard symbol == .and || symbol == .or else { return kinds[id] = .binary(symbol, left, right) }
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

  /// Returns the source range of a node; for one that is in no text, that of the body.
  private func range(of id: ExprID) -> SourceRange {
    ranges[id] ?? tree.ruleset[id.index < count ? id : body.root].range
  }

  /// Returns the operator of a node if it is `&&` or `||`; else nil.
  private func symbol(of id: ExprID) -> BinaryOperator? {
    guard case .binary(let symbol, _, _) = tree.ruleset[id].kind, symbol == .and || symbol == .or
    else { return nil }
    return symbol
  }

  /// Returns the root of the chain of `&&` and `||`, without parentheses, that a node is part of.
  private func top(of id: ExprID) -> ExprID {
    var top = id
    for index in id.index...body.root.index {
      let node = ExprID(index)
      guard symbol(of: node) != nil, case .binary(_, let left, let right) = tree.ruleset[node].kind
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
        case .binary(_, let left, let right) = tree.ruleset[next].kind
      {
        open += [(right, false), (next, true), (left, false)]
      } else {
        operands.append(next)
      }
    }
    return (operands, symbols)
  }

  // MARK: Copying

  /// Copies an expression and returns its copy. Iterative, so that deep trees do not exhaust the stack.
  @discardableResult
  private mutating func copy(_ root: ExprID) -> ExprID {
    var numbers: [ExprID: ExprID] = [:]
    var open: [(id: ExprID, isReady: Bool)] = [(root, false)]
    while let (id, isReady) = open.popLast() {
      let kind = kind(of: id)
      if isReady {
        numbers[id] = add(id, kind.mapOperands { numbers[$0] ?? $0 })
        continue
      }
      open.append((id, true))
      let node = Expression(kind, range: range(of: id), mark: range(of: id))
      open += node.operands.reversed().map { ($0, false) }
    }
    return numbers[root] ?? root
  }

  private mutating func add(_ id: ExprID, _ kind: Expression.Kind) -> ExprID {
    let isNew = id.index >= count
    return add(
      Expression(
        kind, range: range(of: id), mark: isNew ? range(of: id) : tree.ruleset[id].mark),
      meanings[id] ?? (isNew ? .none : tree.bindings[id.index]),
      isNew ? .any : tree.types[id.index])
  }

  private mutating func add(
    _ node: Expression, _ binding: Binding, _ types: TypeSet
  ) -> ExprID {
    new.nodes.append(node)
    new.bindings.append(binding)
    new.types.append(types)
    return ExprID(count + new.nodes.count - 1)
  }

  /// Adds the nodes of a formula and returns the outermost one.
  @discardableResult
  private mutating func add(_ formula: Formula) -> ExprID {
    let range = tree.ruleset[body.root].range
    let kind: Expression.Kind
    switch formula {
    case .expression(let id): return copy(id)
    case .constant(let value): kind = .literal(.bool(value))
    case .not(let inner): kind = .not(add(inner))
    case .and(let left, let right): kind = .binary(.and, add(left), add(right))
    case .or(let left, let right): kind = .binary(.or, add(left), add(right))
    }
    return add(Expression(kind, range: range, mark: range), .none, .bool)
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
