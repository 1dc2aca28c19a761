import RulesLang

/// The lint for a value that is never a bool where a condition is required.
enum ImpossibleCondition {
  static let lint = Lint(
    "impossible-condition", level: .on(.error),
    summary: "a condition is never true or false",
    reason: """
      A condition must be true or false; anything else is an error, which denies. `request.auth` is a map
      or null, `request.auth.uid` a string. Unlike in JavaScript, a value does not count as true because
      it exists. Google's compiler does not report this, because it takes the types of `request` and
      `resource` to be unknown.
      """,
    avoid: """
      match /posts/{postId} {
        allow read: if request.auth;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow read: if request.auth != null;
      }
      """,
    find: find)

  private static func find(_ subject: LintSubject) -> [Diagnostic] {
    var wanted: [ExprID] = []
    for allow in subject.allows {
      if let condition = subject.rules[allow].condition { wanted.append(condition.root) }
    }
    for id in subject.allNodes {
      switch subject.rules[id].kind {
      case .binary(let symbol, let left, let right) where symbol == .and || symbol == .or:
        wanted += [left, right]
      case .not(let operand): wanted.append(operand)
      case .conditional(let condition, _, _): wanted.append(condition)
      default: break
      }
    }
    var seen: Set<ExprID> = []
    var findings: [Diagnostic] = []
    for id in wanted {
      let id = subject.rules.unparenthesized(id)
      guard seen.insert(id).inserted, isNeverBool(id, in: subject) else { continue }
      findings.append(finding(id, in: subject))
    }
    return findings
  }

  private static func isNeverBool(_ id: ExprID, in subject: LintSubject) -> Bool {
    if isSaid(of: subject.rules[id], in: subject) { return false }
    if subject.record(id) != nil { return true }
    let types = subject.checked.types[id.index]
    return !types.isEmpty && types.isDisjoint(with: [.bool, .constraint])
  }

  /// True if the compiler has reported it.
  private static func isSaid(of node: Expression, in subject: LintSubject) -> Bool {
    subject.checked.warnings.contains { warning in
      guard warning.code == .conditionType || warning.code == .typeMismatch,
        let range = warning.range
      else { return false }
      return range.start <= node.range.end && node.range.start <= range.end
    }
  }

  private static func finding(_ id: ExprID, in subject: LintSubject) -> Diagnostic {
    let range = subject.rules[id].range
    let text = subject.rules.source.string(range)
    return Diagnostic.finding(
      "this is neither true nor false, so as a condition it is always an error", at: range,
      help: subject.record(id) == nil && text.utf8.count > 60
        ? "compare it with something" : "is `\(text) != null` meant?")
  }
}
