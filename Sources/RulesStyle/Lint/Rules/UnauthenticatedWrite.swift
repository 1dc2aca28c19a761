import RulesLang

/// The lint for letting writes through without checking who writes.
enum UnauthenticatedWrite {
  static let lint = Lint(
    "unauthenticated-write", level: .on(.warning),
    summary: "the condition of a write does not check who writes",
    reason: """
      The condition looks at the data, the path or the time, but never at `request.auth`. So it holds
      for everyone, signed in or not, who sends matching data. An update or delete that requires a
      signed-out client, `request.auth == null`, is no different: anyone can sign out.
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
        guard !methods.isEmpty, let condition = subject.rules[allow].condition else { return nil }
        if asks(allow, in: subject) { return signedOut(allow, methods, in: subject) }
        return Diagnostic.finding(
          "nothing here checks who may \(methods.listed)",
          at: subject.rules[condition.root].range, label: "does not depend on `request.auth`",
          help: "add `request.auth != null` and say who may"
        ).noting("this lets in every client, signed in or not, whose request fits")
      }
    })

  /// Reports an alternative that grants update or delete to clients because they are signed out.
  private static func signedOut(
    _ allow: AllowID, _ methods: [Method], in subject: LintSubject
  ) -> Diagnostic? {
    let terms = subject.terms
    for method in methods where method != .create {
      for part in subject.ways(of: allow, for: method).joined() where terms.isSignedOut(part) {
        let place = subject.conditions[allow.index].place(of: part, in: terms)
        return Diagnostic.finding(
          "signed-out clients can \(method.word) these documents",
          at: place.map { subject.rules[$0].range }, label: "anyone can sign out",
          help: "require something that only the right client has")
      }
    }
    return nil
  }

  /// True if a condition can depend on the client; false if only on the date, which has a lint of its own.
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
