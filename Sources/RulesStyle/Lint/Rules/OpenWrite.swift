import RulesLang

/// The lint for letting anybody change or delete documents.
enum OpenWrite {
  static let lint = Lint(
    "open-write", level: .on(.error), summary: "anyone can change or delete documents",
    reason: """
      The condition is true for every client, signed in or not. Anyone who knows the project's
      ID, which every app contains, can overwrite and delete these documents.
      """,
    avoid: """
      match /posts/{postId} {
        allow read, write: if true;
      }
      """,
    prefer: """
      match /posts/{postId} {
        allow create: if request.auth != null && request.resource.data.author == request.auth.uid;
        allow update: if request.auth != null && resource.data.author == request.auth.uid
                      && request.resource.data.author == resource.data.author;
        allow delete: if request.auth != null && resource.data.author == request.auth.uid;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        let open = subject.openMethods(allow).filter { $0.isWrite }
        guard open.contains(where: { $0 != .create }),
          !subject.coversEverything(subject.rules[allow].match)
        else {
          return nil
        }
        return Diagnostic.finding(
          "anyone can \(open.listed) these documents", at: subject.operations(allow),
          label: "always granted",
          help: "say in the condition who may, for example by `request.auth.uid`"
        ).noting("this lets in every client, signed in or not")
      }
    })
}
