import RulesLang

/// The lint for reading the client's ID without checking first that there is a client.
enum UncheckedAuth {
  static let lint = Lint(
    "unchecked-auth", level: .off,
    summary: "`request.auth` is read without a check that it is not null",
    reason: """
      For signed-out clients `request.auth` is null, and reading a member of it is an error. An error
      denies just as false does, so this is a matter of style: with a check, a denial by this
      condition says what it means, and `"errors": false` in a test can tell it from a mistake.
      """,
    avoid: """
      match /users/{userId} {
        allow write: if request.auth.uid == userId;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow write: if request.auth != null && request.auth.uid == userId;
      }
      """,
    find: { subject in
      subject.allBodies.compactMap { body -> Diagnostic? in
        let found = body.nodes.first { id in
          guard case .member(let base, _) = subject.rules[id].kind else { return false }
          return subject.record(base) == .auth && subject.signedOut[id] == .error
        }
        guard let found else { return nil }
        return Diagnostic.finding(
          "for signed-out clients this is an error", at: subject.rules[found].range,
          label: "`request.auth` is null", help: "check `request.auth != null` first")
      }
    })
}
