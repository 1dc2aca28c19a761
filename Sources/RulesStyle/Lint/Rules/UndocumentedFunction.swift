import RulesLang

/// The lint for a built-in function or method that the official documentation does not have.
enum UndocumentedFunction {
  /// The lint with its page.
  static let lint = Lint(
    "undocumented-function", level: .on(.info),
    summary: "a built-in function that the official documentation does not have",
    reason: """
      The official emulator has four built-ins that Google does not document: `value(path)`, which is
      `get(path)`, `vector(list)`, `path.segments()` and `math.isInfinity(float)`. It is not known
      whether production has them. If it does not, calling them is an error there, and the condition does
      not grant.
      """,
    avoid: """
      match /posts/{postId} {
        allow get: if request.auth != null && request.path.segments()[4] != 'drafts';
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow get: if request.auth != null && postId != 'drafts';
      }
      """,
    find: { subject in
      subject.allNodes.compactMap { id -> Diagnostic? in
        guard let (name, builtin) = called(id, in: subject), !builtin.isDocumented else {
          return nil
        }
        return Diagnostic.finding(
          "Google does not document `\(Builtins.entry(builtin).fullName)`", at: name.range,
          help: help(for: builtin))
      }
    })

  private static func called(_ id: ExprID, in subject: LintSubject) -> (Name, Builtin)? {
    switch subject.rules[id].kind {
    case .call(.plain(let name), _), .call(.namespaced(_, let name), _):
      guard case .builtin(let builtin) = subject.checked.binding(id) else { return nil }
      return (name, subject.checked.calledName(of: builtin, at: id))
    case .method(_, let name, _):
      return Builtins.methods(named: name.text).first.map { (name, $0.builtin) }
    default: return nil
    }
  }

  private static func help(for builtin: Builtin) -> String? {
    switch builtin {
    case .value: "`get` does the same"
    case .pathSegments:
      "Google's compiler takes the result for a path, so it may warn of its type without reason"
    default: nil
    }
  }
}
