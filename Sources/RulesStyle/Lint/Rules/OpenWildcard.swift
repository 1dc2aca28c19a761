import RulesLang

/// The lint for opening the whole database with one recursive wildcard.
enum OpenWildcard {
  static let lint = Lint(
    "open-wildcard", level: .on(.error), summary: "a recursive wildcard opens every document",
    reason: """
      `/{document=**}` at the top matches every document of the database, also those of collections
      that come later. Statements only add access, so no other block can take it away.
      """,
    avoid: """
      match /{document=**} {
        allow read, write: if request.auth != null;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow read, write: if request.auth != null && request.auth.uid == userId;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        guard subject.coversEverything(subject.rules[allow].match) else { return nil }
        let open = subject.openMethods(allow)
        let methods = open.isEmpty ? subject.signedInMethods(allow) : open
        guard !methods.isEmpty else { return nil }
        let who = open.isEmpty ? "every signed-in user" : "anyone"
        return Diagnostic.finding(
          "\(who) can \(methods.listed) every document of the database",
          at: subject.operations(allow), label: "always granted",
          help: "match the collections that are meant, each with a condition of its own"
        ).relating(
          subject.rules[subject.rules[allow].match].patternRange, as: "matches every document"
        ).noting("no other block can take this access away again")
      }
    })
}
