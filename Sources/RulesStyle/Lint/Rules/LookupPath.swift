import RulesLang

/// The lint for a lookup at a path that no document has.
enum LookupPath {
  static let lint = Lint(
    "lookup-path", level: .on(.error), summary: "a lookup at a path that no document has",
    reason: """
      `get()`, `exists()` and the others take the whole path of a document:
      `/databases/$(database)/documents/` and then pairs of collection and document. A shorter one is
      an error, so the condition never grants.
      """,
    avoid: """
      match /posts/{postId} {
        allow create: if request.auth != null && exists(/users/$(request.auth.uid));
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow create: if request.auth != null
                      && exists(/databases/$(database)/documents/users/$(request.auth.uid));
      }
      """,
    find: { subject in
      subject.allNodes.compactMap { id -> Diagnostic? in
        guard case .call(_, let arguments) = subject.rules[id].kind, arguments.count == 1,
          case .builtin(let builtin) = subject.checked.binding(id), builtin.isLookup,
          case .path(let parts) = subject.rules[subject.rules.unparenthesized(arguments[0])].kind
        else { return nil }
        let range = subject.rules[arguments[0]].range
        if case .literal(let first) = parts[0].kind, first != "databases" {
          return Diagnostic.finding(
            "this is not the whole path of a document", at: range,
            help: "begin with `/databases/$(database)/documents`"
          ).noting("the lookup is an error at run time, so the condition does not grant")
        }
        guard !parts.contains(where: { mayBeLonger($0, in: subject) }),
          parts.count < 5 || parts.count.isMultiple(of: 2)
        else { return nil }
        return Diagnostic.finding(
          "this is the path of a collection, not of a document", at: range,
          help: "end with the ID of a document"
        ).noting("the lookup is an error at run time, so the condition does not grant")
      }
    })

  /// True if a part can be more than one segment.
  private static func mayBeLonger(_ part: PathPart, in subject: LintSubject) -> Bool {
    guard case .interpolation(let id) = part.kind else { return false }
    return subject.checked.types[id.index].contains(.path)
  }
}
