// The way up: what the uses of a variable have in common, and what two operands have to do with each
// other.

extension BodyTyping {
  /// Joins the uses of variables in the operands of a node.
  mutating func join(_ id: ExprID, node: Expression) {
    var uses = rows[row(id)].uses
    node.forEachCheckedOperand(isFitting: rows[row(id)].isFitting) { operand in
      uses.formIntersection(rows[row(operand)].uses)
    }
    for name in uses.removeContradictions() {
      report(
        .contradictoryUse(name, at: SourceRange(start: rows[row(id)].start, end: node.range.end)))
    }
    rows[row(id)].uses = uses
    switch node.kind {
    case .parenthesized(let inner): rows[row(id)].inferred = rows[row(inner)].inferred
    case .binary(.equal, let left, let right):
      compare(id, node: node, left: left, right: right, isAlways: false)
    case .binary(.notEqual, let left, let right):
      compare(id, node: node, left: left, right: right, isAlways: true)
    case .conditional(_, let whenTrue, let whenFalse):
      if rows[row(whenTrue)].inferred.isDisjoint(with: rows[row(whenFalse)].inferred) {
        report(.differentBranches(at: node.mark))
      }
    case .literal, .variable, .list, .map, .path, .not, .negate, .binary, .isType, .member,
      .index, .slice, .call, .method, .invalid:
      break
    }
  }

  /// Reports a comparison of types that are never equal, unless the expression was reported before.
  private mutating func compare(
    _ id: ExprID, node: Expression, left: ExprID, right: ExprID, isAlways: Bool
  ) {
    let (one, other) = (
      rows[row(left)].inferred.members.asNumbers, rows[row(right)].inferred.members.asNumbers
    )
    if one.isDisjoint(with: other), rows[row(id)].expected.members.contains(.bool) {
      report(.constantComparison(isAlways: isAlways, at: node.mark))
    }
  }
}

extension TypeSet {
  /// The set with both int and float if it has one of them: they compare with each other.
  fileprivate var asNumbers: TypeSet {
    let numbers: TypeSet = [.int, .float]
    return isDisjoint(with: numbers) ? self : union(numbers)
  }
}
