/// Lets writes through without asking who writes.
enum UnauthenticatedWrite {
  static let lint = Lint(
    "unauthenticated-write", level: .on(.warning),
    summary: "the condition of a write does not ask who writes",
    reason: """
      The condition looks at the data, the path or the time, but never at `request.auth`. So it
      holds for everybody alike, signed in or not, who sends what it asks for.
      """,
    avoid: """
      match /posts/{postId} {
        allow update: if request.resource.data.title is string;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow update: if request.auth != null && resource.data.author == request.auth.uid
                      && request.resource.data.author == resource.data.author
                      && request.resource.data.title is string;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        let methods = subject.checked.methods[allow.index].methods.filter {
          let outcomes = subject.outcomes(of: allow, for: $0, by: .signedOut)
          return $0.isWrite && outcomes.contains(.truth) && outcomes != .truth
        }
        guard !methods.isEmpty, let condition = subject.rules[allow].condition,
          !asks(allow, in: subject)
        else { return nil }
        return Diagnostic.finding(
          "nothing here asks who may \(methods.listed)",
          at: subject.rules[condition.root].range, label: "does not depend on `request.auth`",
          help: "add `request.auth != null` and say who may"
        ).noting("this lets in every client, signed in or not, whose request fits")
      }
    })

  /// Whether a condition can depend on who asks, or only on the date (which is a lint of its own).
  private static func asks(_ allow: AllowID, in subject: LintSubject) -> Bool {
    var requests: Set<ExprID> = []
    var plain: Set<ExprID> = []
    var isOnlyTime = true
    for id in subject.nodes(of: allow) {
      let node = subject.rules[id]
      if case .variable = node.kind {
        if case .request = subject.checked.binding(id) {
          requests.insert(id)
        } else {
          isOnlyTime = false
        }
      }
      guard case .member(let base, let name) = node.kind, subject.record(base) == .request else {
        continue
      }
      if name.text == "auth" { return true }
      if name.text != "time" { isOnlyTime = false }
      plain.insert(subject.rules.unparenthesized(base))
    }
    // `request` handed on as a whole takes the client with it.
    return requests != plain || isOnlyTime
  }
}
