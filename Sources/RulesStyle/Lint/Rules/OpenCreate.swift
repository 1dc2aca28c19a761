import RulesLang

/// The lint for letting anybody add documents.
enum OpenCreate {
  static let lint = Lint(
    "open-create", level: .on(.warning), summary: "anyone can create documents",
    reason: """
      The condition of a statement for `create` is true for every client. That may be intended,
      for example for a contact form; still anyone can store any amount of any data. Check at
      least the written data.
      """,
    avoid: """
      match /messages/{id} {
        allow create: if true;
      }
      """,
    prefer: """
      match /messages/{id} {
        allow create: if request.auth != null && request.resource.data.text.size() < 1000;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        let open = subject.openMethods(allow).filter { $0.isWrite }
        guard open == [.create], !subject.coversEverything(subject.rules[allow].match) else {
          return nil
        }
        return Diagnostic.finding(
          "anyone can create documents here", at: subject.operations(allow),
          label: "always granted", help: "check who writes, or at least what is written"
        ).noting("this lets in every client, signed in or not, with any data")
      }
    })
}
