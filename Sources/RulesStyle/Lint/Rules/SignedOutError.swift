import RulesLang

/// The lint for negating or branching on something that is an error for signed-out clients.
enum SignedOutError {
  static let lint = Lint(
    "signed-out-error", level: .on(.info),
    summary: "an error for signed-out clients decides in place of a value",
    reason: """
      For signed-out clients `request.auth` is null, and reading a member of it is an error. By itself
      such an error denies, as false would. But the negation of an error is an error, and so is `c ? a :
      b` if `c` is one: signed-out clients are denied even where the condition seems to let them in.
      """,
    avoid: """
      match /posts/{postId} {
        allow get: if request.auth.uid == resource.data.author ? true : resource.data.isPublic;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow get: if resource.data.isPublic
                   || request.auth != null && request.auth.uid == resource.data.author;
      }
      """,
    find: { subject in
      let misread = subject.allNodes.compactMap { MisreadNegation.negation(in: $0, subject) }
      return subject.allNodes.compactMap { id -> Diagnostic? in
        guard !misread.contains(id), let operand = deciding(id, in: subject),
          subject.signedOut[operand] == .error,
          subject.checked.readsClient(operand)
        else { return nil }
        return Diagnostic.finding(
          "for signed-out clients this is an error, neither true nor false",
          at: subject.rules[subject.rules.unparenthesized(operand)].range,
          label: "`request.auth` is null",
          help: "check `request.auth != null` first")
      }
    })

  /// Returns the operand of a negation or the condition of a ternary, where an error and false have different
  /// effects; nil for other expressions, and for a negated comparison with null.
  private static func deciding(_ id: ExprID, in subject: LintSubject) -> ExprID? {
    switch subject.rules[id].kind {
    case .not(let operand): comparesNull(operand, in: subject) ? nil : operand
    case .conditional(let condition, _, _): condition
    case .literal, .variable, .list, .map, .path, .parenthesized, .negate, .binary, .isType,
      .member, .index, .slice, .call, .method, .invalid:
      nil
    }
  }

  private static func comparesNull(_ id: ExprID, in subject: LintSubject) -> Bool {
    guard
      case .binary(.equal, let left, let right) = subject.rules[subject.rules.unparenthesized(id)]
        .kind
    else { return false }
    return subject.rules[left].kind == .literal(.null)
      || subject.rules[right].kind == .literal(.null)
  }
}
