/// Lets every signed-in user write what looks like somebody's own.
enum AnyUserWrite {
  static let lint = Lint(
    "any-user-write", level: .on(.warning),
    summary: "every signed-in user can write what looks like somebody's own",
    reason: """
      The path names an owner, but the condition asks only that somebody is signed in. Signing in
      proves nothing: in most projects anybody can make an account, or sign in anonymously.
      """,
    avoid: """
      match /users/{userId} {
        allow write: if request.auth != null;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow write: if request.auth != null && request.auth.uid == userId;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        let methods = subject.signedInMethods(allow).filter { $0.isWrite }
        guard !methods.isEmpty, let owner = Owner.of(subject.rules[allow].match, in: subject) else {
          return nil
        }
        return Diagnostic.finding(
          "every signed-in user can \(methods.listed) the documents of every `\(String(owner.text))`",
          at: subject.operations(allow), label: "asks only that somebody is signed in",
          help: "compare the owner: `request.auth.uid == \(String(owner.text))`"
        ).relating(owner.range, as: "looks like an owner")
      }
    })
}
