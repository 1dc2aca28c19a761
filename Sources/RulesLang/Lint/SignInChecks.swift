// Checks that somebody is signed in, and what they are good for beside what they protect.

extension Checked {
  /// True if an expression asks only whether somebody is signed in: `request.auth != null`, or a function
  /// that does.
  public func isSignInCheck(_ id: ExprID) -> Bool {
    var rest = [id]
    while let next = rest.popLast() {
      switch ruleset[next].kind {
      case .parenthesized(let inner): rest.append(inner)
      case .binary(.and, let left, let right): rest += [left, right]
      case .binary(.notEqual, let left, let right):
        let (isLeftNull, isRightNull) = (isNull(left), isNull(right))
        guard isLeftNull != isRightNull, isClient(isLeftNull ? right : left) else { return false }
      case .call:
        guard case .function(let function) = binding(next), ruleset[function].lets.isEmpty else {
          return false
        }
        rest.append(ruleset[function].result.root)
      case .literal, .variable, .list, .map, .path, .not, .negate, .binary, .isType, .conditional,
        .member, .index, .slice, .method, .invalid:
        return false
      }
    }
    return true
  }

  private func isNull(_ id: ExprID) -> Bool {
    ruleset[ruleset.unparenthesized(id)].kind == .literal(.null)
  }

  /// True if an expression is `request.auth` or `request.auth.uid`.
  private func isClient(_ id: ExprID) -> Bool {
    guard case .member(let base, let name) = ruleset[ruleset.unparenthesized(id)].kind else {
      return false
    }
    if name.text == "uid" { return isClient(base) }
    return name.text == "auth" && binding(ruleset.unparenthesized(base)) == .request
  }

  /// True if the condition or function around an expression negates or branches on something that is an
  /// error for signed-out clients, as far as its text says so: then the expression may keep that error
  /// from deciding in place of a value.
  public func keepsErrorFromDeciding(_ id: ExprID) -> Bool {
    let bodies =
      ruleset.allows.compactMap { $0.condition } + ruleset.functions.flatMap { $0.bodies }
    guard let body = bodies.first(where: { $0.first <= id && id <= $0.root }) else { return false }
    return body.nodes.contains { node in
      switch ruleset[node].kind {
      case .not(let operand), .conditional(let operand, _, _): readsClient(operand)
      case .literal, .variable, .list, .map, .path, .parenthesized, .negate, .binary, .isType,
        .member, .index, .slice, .call, .method, .invalid:
        false
      }
    }
  }

  /// True if an expression, or a function that it calls, reads a member of `request.auth`.
  func readsClient(_ id: ExprID) -> Bool {
    var operands = [id]
    var functions: [Body] = []
    while let next = operands.popLast() {
      if readsClientItself(next) { return true }
      if case .function(let function) = binding(next) { functions += ruleset[function].bodies }
      operands += ruleset[next].operands
    }
    return bodies(reachedFrom: functions).contains { $0.nodes.contains { readsClientItself($0) } }
  }

  private func readsClientItself(_ id: ExprID) -> Bool {
    guard case .member(let base, _) = ruleset[id].kind else { return false }
    return isClient(base)
  }
}
