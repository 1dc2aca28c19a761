import RulesLang

/// The lint for a member of `request` that the official documentation does not have.
enum UndocumentedMember {
  static let lint = Lint(
    "undocumented-member", level: .on(.info),
    summary: "a member that the official documentation does not have",
    reason: """
      The engine has members that the documentation does not: `request.headers`,
      `request.writeFields` and others. They may change or go without notice.
      """,
    avoid: """
      match /posts/{postId} {
        allow update: if request.auth != null && !('author' in request.writeFields);
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow update: if request.auth != null
          && !('author' in request.resource.data.diff(resource.data).affectedKeys());
      }
      """,
    find: { subject in
      subject.allNodes.compactMap { id -> Diagnostic? in
        guard case .member(let base, let name) = subject.rules[id].kind,
          let documented = documented(subject.record(base)), !documented.contains(name.text),
          subject.record(base)?.member(name.text) != nil
        else { return nil }
        let written = subject.quote(subject.rules[id].range)
        return Diagnostic.finding(
          "`\(written)` is not documented", at: name.range,
          help: name.text == "writeFields"
            ? "`request.resource.data.diff(resource.data).affectedKeys()` tells what changes" : nil)
      }
    })

  private static func documented(_ owner: Record?) -> [Text]? {
    switch owner {
    case .request: ["auth", "method", "path", "time", "query", "resource"]
    case .query: ["limit", "offset", "orderBy"]
    case .auth, .token, .firebase, .resource, nil: nil
    }
  }
}
