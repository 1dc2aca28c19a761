import RulesLang

/// The lint for letting anybody read documents.
enum OpenRead {
  static let lint = Lint(
    "open-read", level: .on(.info), summary: "anyone can read documents",
    reason: """
      The condition is true for every client, signed in or not. For public content that is
      intended: say so in an `ignore` comment for the next reader.
      """,
    avoid: """
      match /users/{userId} {
        allow read;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow read: if request.auth != null && request.auth.uid == userId;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        let open = subject.openMethods(allow).filter { !$0.isWrite }
        guard !open.isEmpty, !subject.coversEverything(subject.rules[allow].match) else {
          return nil
        }
        return Diagnostic.finding(
          "anyone can \(open == [.get, .list] ? "read" : open.listed) these documents",
          at: subject.operations(allow), label: "always granted"
        ).noting("this lets in every client, signed in or not")
      }
    })
}
