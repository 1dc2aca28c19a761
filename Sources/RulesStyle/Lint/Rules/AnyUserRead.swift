import RulesLang

/// The lint for letting every signed-in user read what looks like somebody's own.
enum AnyUserRead {
  static let lint = Lint(
    "any-user-read", level: .on(.info),
    summary: "every signed-in user can read what looks like somebody's own",
    reason: """
      The path names an owner, but the condition checks only that somebody is signed in. A read
      returns the whole document, including private fields such as a mail address or a push token.
      Put fields that others need into a document of their own.
      """,
    avoid: """
      match /users/{userId} {
        allow read: if request.auth != null;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow read: if request.auth != null && request.auth.uid == userId;
      }
      match /profiles/{id} {
        allow get: if request.auth != null && resource.data.isPublic;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        let methods = subject.signedInMethods(allow).filter { !$0.isWrite }
        guard !methods.isEmpty, let owner = Owner.of(subject.rules[allow].match, in: subject) else {
          return nil
        }
        let verb = methods == [.get, .list] ? "read" : methods.listed
        let match = subject.rules[allow].match
        let documents = Owner.documents(of: owner, in: match, subject)
        return Diagnostic.finding(
          "every signed-in user can \(verb) \(documents), with all fields",
          at: subject.operations(allow), label: "checks only that somebody is signed in"
        ).relating(owner.range, as: Owner.reason(of: owner, in: match, subject))
      }
    })
}
