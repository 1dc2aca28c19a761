import RulesLang

/// The lint for an operation that is an error for every request.
enum ImpossibleOperation {
  /// The lint.
  static let lint = Lint(
    "impossible-operation", level: .on(.error),
    summary: "an operation that is an error for every request",
    reason: """
      Values of these types do not support this operation, or the argument is never valid:
      `request.auth.uid` is a string, which has no members and to which no number can be added. The rules
      compile, because Google's compiler takes the types of `request` and `resource` to be unknown, and
      does not check the values of strings and numbers.
      """,
    avoid: """
      match /posts/{postId} {
        allow update: if request.auth != null && request.time < resource.data.sent + duration.value(1, 'days');
        allow delete: if resource.data.author == request.auth.uid.id;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow update: if request.auth != null && request.time < resource.data.sent + duration.value(1, 'd');
        allow delete: if resource.data.author == request.auth.uid;
      }
      """,
    find: { subject in
      subject.allNodes.flatMap { id -> [Diagnostic] in
        types(of: id, in: subject) + literals(of: id, in: subject)
      }
    })

  private static func types(of id: ExprID, in subject: LintSubject) -> [Diagnostic] {
    let node = subject.rules[id]
    guard subject.checked.types[id.index].isEmpty, isOperation(id, in: subject),
      !node.operands.contains(where: { subject.checked.types[$0.index].isEmpty }),
      !ImpossibleComparison.isSaid(of: node, in: subject)
    else { return [] }
    var finding = Diagnostic.finding("this is always an error", at: node.range)
    for operand in node.operands { finding = finding.typing(operand, in: subject) }
    if case .member(_, let name) = node.kind, name.text == "length" {
      finding = finding.suggesting("size()", for: name.range)
    }
    return [finding]
  }

  /// True if no other lint reports the expression.
  private static func isOperation(_ id: ExprID, in subject: LintSubject) -> Bool {
    switch subject.rules[id].kind {
    case .binary(let symbol, _, _):
      ![.less, .lessEqual, .greater, .greaterEqual, .and, .or].contains(symbol)
    case .call:
      if case .builtin = subject.checked.binding(id) { true } else { false }
    case .not, .conditional: false
    case .literal, .variable, .list, .map, .path, .parenthesized, .negate, .isType, .member, .index,
      .slice, .method, .invalid:
      true
    }
  }

  private static func literals(of id: ExprID, in subject: LintSubject) -> [Diagnostic] {
    switch subject.rules[id].kind {
    case .index(_, let key):
      guard case .int(let number)? = subject.rules.literal(key), number < 0 else { return [] }
      return [finding(key, help: "places are counted from 0", in: subject)]
    case .call(_, let arguments):
      guard case .builtin(let builtin) = subject.checked.binding(id) else { return [] }
      return literals([builtin], arguments, in: subject)
    case .method(_, let name, let arguments):
      let builtins = Builtins.methods(named: name.text).map { $0.builtin }
      return literals(builtins, arguments, in: subject)
    case .literal, .variable, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
      .conditional, .member, .slice, .invalid:
      return []
    }
  }

  private static func literals(
    _ builtins: [Builtin], _ arguments: [ExprID], in subject: LintSubject
  ) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for builtin in builtins {
      for (place, argument) in arguments.enumerated() {
        guard let literal = subject.rules.literal(argument),
          let help = LiteralRules.help(for: literal, at: place, of: builtin)
        else { continue }
        findings.append(finding(argument, help: help, in: subject))
      }
    }
    return findings
  }

  private static func finding(
    _ id: ExprID, help: String, in subject: LintSubject
  ) -> Diagnostic {
    let range = subject.rules[id].range
    return .finding("`\(subject.quote(range))` is always an error here", at: range, help: help)
  }
}
