import RulesLang

/// The lint for a negation that binds more tightly than it looks.
enum MisreadNegation {
  static let lint = Lint(
    "misread-negation", level: .on(.error), summary: "`!` applies to less than it seems to",
    reason: """
      `!` binds more tightly than every operator between two operands: `!x in y` means `(!x) in y`, `!x
      is T` means `(!x) is T`, and `!x == y` means `(!x) == y`. If `x` is not a bool, `!x` is an error,
      so the condition never grants.
      """,
    avoid: """
      match /posts/{postId} {
        allow create: if request.auth != null && !'admin' in request.resource.data;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow create: if request.auth != null && !('admin' in request.resource.data);
      }
      """,
    find: { subject in
      subject.allNodes.compactMap { id -> Diagnostic? in
        guard let operand = misread(id, in: subject) else { return nil }
        let node = subject.rules[id]
        let negated = subject.rules[operand]
        let end = node.range.end
        let meant = SourceRange(start: negated.range.start, end: end)
        let taken = subject.quote(SourceRange(start: node.range.start, end: negated.range.end))
        return Diagnostic.finding(
          "`!` binds more tightly than `\(word(node))`: the left side is `\(taken)`",
          at: node.range, label: "`(\(taken))` is taken first",
          help: "write `!(\(subject.quote(meant)))`")
      }
    })

  /// Returns the negation on the left of an operator, if it cannot be meant.
  static func negation(in id: ExprID, _ subject: LintSubject) -> ExprID? {
    guard misread(id, in: subject) != nil else { return nil }
    switch subject.rules[id].kind {
    case .binary(_, let left, _), .isType(let left, _): return left
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .conditional,
      .member, .index, .slice, .call, .method, .invalid:
      return nil
    }
  }

  /// Returns the negated expression on the left of an operator, if negating it cannot be meant.
  private static func misread(_ id: ExprID, in subject: LintSubject) -> ExprID? {
    switch subject.rules[id].kind {
    case .binary(.in, let left, _), .isType(let left, _):
      guard case .not(let operand) = subject.rules[left].kind else { return nil }
      return operand
    case .binary(.equal, let left, let right), .binary(.notEqual, let left, let right):
      // Between two bools it makes no difference where the negation is.
      guard case .not(let operand) = subject.rules[left].kind,
        !subject.checked.types[right.index].contains(.bool)
      else { return nil }
      return operand
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary,
      .conditional, .member, .index, .slice, .call, .method, .invalid:
      return nil
    }
  }

  private static func word(_ node: Expression) -> String {
    if case .binary(let symbol, _, _) = node.kind { return symbol.symbol }
    return "is"
  }
}
