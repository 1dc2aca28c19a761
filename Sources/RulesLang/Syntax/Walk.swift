extension Body {
  /// The nodes of the body, operands before the nodes that use them.
  public var nodes: [ExprID] { (first.index...root.index).map { ExprID($0) } }
}

extension Function {
  /// The bodies of the function's lets, in order, and its result.
  public var bodies: [Body] { lets.map { $0.value } + [result] }
}

extension Expression {
  /// The operands of the node, in source order.
  public var operands: [ExprID] {
    var operands: [ExprID] = []
    forEachOperand { operands.append($0) }
    return operands
  }

  /// Calls `body` with each operand, in source order.
  public func forEachOperand(_ body: (ExprID) -> Void) {
    switch kind {
    case .literal, .variable, .invalid:
      break
    case .list(let elements), .call(_, let elements):
      elements.forEach(body)
    case .map(let entries):
      for entry in entries {
        body(entry.key)
        body(entry.value)
      }
    case .path(let parts):
      for part in parts {
        if case .interpolation(let inner) = part.kind { body(inner) }
      }
    case .parenthesized(let inner), .not(let inner), .negate(let inner), .isType(let inner, _),
      .member(let inner, _):
      body(inner)
    case .binary(_, let left, let right), .index(let left, let right):
      body(left)
      body(right)
    case .conditional(let condition, let whenTrue, let whenFalse):
      body(condition)
      body(whenTrue)
      body(whenFalse)
    case .slice(let base, let from, let to):
      body(base)
      if let from { body(from) }
      if let to { body(to) }
    case .method(let receiver, _, let arguments):
      body(receiver)
      arguments.forEach(body)
    }
  }
}
