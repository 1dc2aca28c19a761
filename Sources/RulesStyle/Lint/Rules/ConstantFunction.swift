public import RulesLang

/// The lint for a function that returns a constant: `return true` or `return false`.
public enum ConstantFunction {
  /// The lint.
  public static let lint = Lint(
    "constant-function", level: .on(.warning),
    summary: "a check with a constant result",
    reason: """
      A function such as `isVerified()` that says `return true` checks nothing, although every condition
      that calls it reads as if it did. Usually it was switched off for a while and forgotten. With
      `return false` it denies, or its negation checks nothing. Functions that nothing calls are not
      reported, nor those that are always a whole condition, as `allow delete: if nobody()`.
      """,
    avoid: """
      function isVerified() {
        return true;
      }
      match /users/{userId} {
        allow read: if isVerified() && request.auth.uid == userId;
      }
      """,
    prefer: """
      function isVerified() {
        return request.auth.token.email_verified == true;
      }
      match /users/{userId} {
        allow read: if isVerified() && request.auth.uid == userId;
      }
      """,
    find: { subject in
      subject.rules.functions.indices.compactMap { index in
        let function = FunctionID(index)
        guard let value = subject.checked.constant(of: function) else { return nil }
        return report(function, value, in: subject)
      }
    })

  private static func report(
    _ function: FunctionID, _ value: Bool, in subject: LintSubject
  ) -> Diagnostic? {
    let (rules, checked) = (subject.rules, subject.checked)
    let callers = subject.allows.filter { allow in
      subject.nodes(of: allow).contains { checked.binding($0) == .function(function) }
    }
    let isDeny =
      !value
      && callers.allSatisfy { allow in
        guard let condition = rules[allow].condition else { return false }
        return checked.binding(rules.unparenthesized(condition.root)) == .function(function)
      }
    guard !callers.isEmpty, !isDeny else { return nil }
    let name = String(rules[function].name.text)
    let count = callers.count == 1 ? "1 condition rests" : "\(callers.count) conditions rest"
    var finding = Diagnostic.finding(
      "`\(name)()` is always \(value): \(count) on it",
      at: rules[rules[function].result.root].range,
      label: value ? "checks nothing" : "is never true",
      help: "check what the name says, or remove the function and its calls")
    for allow in callers.prefix(8) {
      finding = finding.relating(subject.operations(allow), as: "calls it")
    }
    return finding
  }
}

extension Checked {
  /// Returns the bool that a function returns for any arguments and any request, as far as its own text
  /// shows.
  public func constant(of function: FunctionID) -> Bool? {
    guard ruleset[function].lets.isEmpty else { return nil }
    var found: [ExprID: Bool] = [:]
    let body = ruleset[function].result
    for id in body.nodes {
      switch ruleset[id].kind {
      case .literal(.bool(let value)): found[id] = value
      case .parenthesized(let inner): found[id] = found[inner]
      case .not(let operand): found[id] = found[operand].map { !$0 }
      case .binary(.and, let left, let right):
        found[id] = Self.joined(found[left], found[right], deciding: false)
      case .binary(.or, let left, let right):
        found[id] = Self.joined(found[left], found[right], deciding: true)
      case .binary(.equal, let left, let right):
        if case .literal(let one) = ruleset[left].kind,
          case .literal(let other) = ruleset[right].kind, one == other
        {
          found[id] = true
        }
      default: break
      }
    }
    return found[body.root]
  }

  /// Returns the value of a connective with known or unknown operands: an error on one side gives way to a
  /// deciding value on the other.
  private static func joined(_ left: Bool?, _ right: Bool?, deciding: Bool) -> Bool? {
    if left == deciding || right == deciding { return deciding }
    return left == !deciding && right == !deciding ? !deciding : nil
  }

  /// True if an expression only calls a function that returns a constant, or negates such a call.
  public func isCallOfConstant(_ id: ExprID) -> Bool {
    var next = id
    while true {
      switch ruleset[next].kind {
      case .parenthesized(let inner), .not(let inner): next = inner
      case .call:
        guard case .function(let function) = binding(next) else { return false }
        return constant(of: function) != nil
      default: return false
      }
    }
  }
}
