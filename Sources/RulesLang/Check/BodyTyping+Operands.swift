// The typing rules of Google's checker for each form of expression.

extension Expression {
  /// True if it is the int literal 9223372036854775808, which is only valid below a minus.
  var isMinimumInt: Bool {
    if case .literal(.int(.min)) = kind { return true }
    return false
  }

  /// True if a report about the expression covers all of it, from the parentheses around it on, and not one
  /// token.
  var isLeaf: Bool {
    switch kind {
    case .literal, .variable, .list, .map, .path: true
    case .parenthesized, .not, .negate, .binary, .isType, .conditional, .member, .index, .slice,
      .call, .method, .invalid:
      false
    }
  }

  /// Calls `body` with each operand in the order in which Google's checker looks at them, which
  /// shows in the order of types: the keys of a map before its values, and the receiver of a
  /// method, also of an index or of `in`, after the arguments if the method fits.
  func forEachCheckedOperand(isFitting: Bool, _ body: (ExprID) -> Void) {
    if case .map(let entries) = kind {
      for entry in entries { body(entry.key) }
      for entry in entries { body(entry.value) }
      return
    }
    var last: ExprID? = receiver
    if case .binary(.in, _, let container) = kind { last = container }
    guard let last else { return forEachOperand(body) }
    if !isFitting { body(last) }
    forEachOperand { if $0 != last { body($0) } }
    if isFitting { body(last) }
  }

  /// True if the first operand is a postfix expression in the grammar.
  var hasBase: Bool {
    switch kind {
    case .negate, .member, .index, .slice, .method: true
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .binary, .isType,
      .conditional, .call, .invalid:
      false
    }
  }

  /// Calls `body` with each operand and its index in a signature; only slices can omit operands.
  func forEachPlacedOperand(_ body: (Int, ExprID) -> Void) {
    if case .slice(let base, let from, let to) = kind {
      body(0, base)
      if let from { body(1, from) }
      if let to { body(2, to) }
    } else {
      var place = 0
      forEachOperand { operand in
        body(place, operand)
        place += 1
      }
    }
  }
}
