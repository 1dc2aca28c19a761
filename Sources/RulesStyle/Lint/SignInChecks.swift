public import RulesLang

// Checks that somebody is signed in or that something is there, and what they are good for beside what they
// protect.

extension Checked {
  /// True if an expression only checks that somebody is signed in: `request.auth != null`, or a function that
  /// does.
  public func isSignInCheck(_ id: ExprID) -> Bool {
    asksOnly(id) { left, right, symbol in
      let (isLeftNull, isRightNull) = (isNull(left), isNull(right))
      return symbol == .notEqual && isLeftNull != isRightNull && isClient(isLeftNull ? right : left)
    }
  }

  /// True if an expression only checks that something exists: it compares with null, or searches a name among
  /// the claims or the fields of a document; or a function does.
  public func isPresenceCheck(_ id: ExprID) -> Bool {
    asksOnly(id) { left, right, symbol in
      switch symbol {
      case .equal, .notEqual: isNull(left) != isNull(right)
      case .in: isText(left) && isDocument(right)
      case .and, .or, .less, .lessEqual, .greater, .greaterEqual, .add, .subtract, .multiply,
        .divide, .remainder:
        false
      }
    }
  }

  /// True if an expression consists only of certain comparisons, joined and negated, with functions inlined.
  private func asksOnly(
    _ id: ExprID, _ isAsked: (ExprID, ExprID, BinaryOperator) -> Bool
  ) -> Bool {
    var rest = [id]
    var seen: Set<ExprID> = []
    var isAny = false
    while let next = rest.popLast() {
      guard seen.insert(next).inserted else { continue }
      switch ruleset[next].kind {
      case .parenthesized(let inner), .not(let inner): rest.append(inner)
      case .binary(.and, let left, let right), .binary(.or, let left, let right):
        rest += [left, right]
      case .binary(let symbol, let left, let right):
        if !isAsked(left, right, symbol) { return false }
        isAny = true
      case .conditional(let question, let one, let other): rest += [question, one, other]
      case .call:
        guard case .function(let function) = binding(next), ruleset[function].lets.isEmpty else {
          return false
        }
        rest.append(ruleset[function].result.root)
      case .literal(.bool): continue
      case .literal, .variable, .list, .map, .path, .negate, .isType, .member, .index, .slice,
        .method, .invalid:
        return false
      }
    }
    return isAny
  }

  private func isText(_ id: ExprID) -> Bool {
    if case .literal(.string) = ruleset[ruleset.unparenthesized(id)].kind { true } else { false }
  }

  /// True if an expression is the data of a document, the claims of a client, or the keys of these.
  private func isDocument(_ id: ExprID) -> Bool {
    switch ruleset[ruleset.unparenthesized(id)].kind {
    case .method(let base, let name, let arguments):
      name.text == "keys" && arguments.isEmpty && isDocument(base)
    case .member(let base, let name):
      name.text == "data" || name.text == "token" && isClient(base)
    default: false
    }
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

  /// True if the condition or function around an expression negates or branches on something that is an error
  /// for signed-out clients, as far as its text shows: then the expression may keep that error from deciding.
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
