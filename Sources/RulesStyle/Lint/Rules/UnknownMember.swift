import RulesLang

/// The lint for a member that `request` or `resource` does not have.
enum UnknownMember {
  static let lint = Lint(
    "unknown-member", level: .on(.error),
    summary: "a member that `request` or `resource` does not have",
    reason: """
      `request`, `request.auth`, `request.query` and `resource` have fixed members. Reading another is
      an error, so the condition never grants. The fields of a document are members of `data`; the
      claims of a client are members of `token`. What `get()` and `getAfter()` give is a document like
      `resource`: its fields are members of its `data`. There is no `request.app`: App Check is enforced in
      the Firebase console, and rules never see it.
      """,
    avoid: """
      match /posts/{postId} {
        allow delete: if request.auth != null && resource.author == request.auth.uid;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow delete: if request.auth != null && resource.data.author == request.auth.uid;
      }
      """,
    find: { subject in
      subject.allNodes.compactMap { id -> Diagnostic? in
        guard case .member(let base, let name) = subject.rules[id].kind,
          let owner = subject.record(base) ?? (subject.isLookup(base) ? .resource : nil),
          !owner.isOpen, owner.member(name.text) == nil
        else { return nil }
        let written = subject.quote(subject.rules[base].range)
        let whole = subject.rules[base].range.union(name.range)
        let finding = Diagnostic.finding(
          "`\(written)` has no member `\(String(name.text))`", at: name.range
        ).suggesting(meant(name.text, of: owner, written: written), for: whole).noting(
          "reading it is an error at run time, so the condition does not grant")
        guard owner == .request, isAppCheck(name.text) else { return finding }
        return finding.noting(
          "App Check is enforced for all of Firestore in the Firebase console; rules never see it")
      }
    })

  /// True if a name is one by which rules try to check App Check.
  private static func isAppCheck(_ name: Text) -> Bool {
    ["app", "appcheck", "app_check", "appchecktoken"].contains(String(name).lowercased())
  }

  /// Returns the expression that was probably meant.
  private static func meant(_ name: Text, of owner: Record, written: String) -> String? {
    let text = String(name)
    switch owner {
    case .auth where Record.token.member(name) != nil:
      return "\(written).token.\(text)"
    case .request where isAppCheck(name): return nil
    case .request where name == "data": return "request.resource.data"
    case .request where name == "user" || name == "uid": return "request.auth.uid"
    case .request, .auth, .query, .token, .firebase, .resource: break
    }
    if let near = Spelling.nearest(to: text, among: owner.members.map { String($0.name) }) {
      return "\(written).\(near)"
    }
    // A shortened expression cannot be copied.
    if owner == .resource { return (written.hasSuffix("...") ? "" : written) + ".data.\(text)" }
    return nil
  }
}
