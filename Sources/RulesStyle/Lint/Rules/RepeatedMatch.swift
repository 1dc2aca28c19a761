import RulesLang

/// The lint for two blocks with the same documents.
enum RepeatedMatch {
  static let lint = Lint(
    "repeated-match", level: .on(.info), summary: "two blocks match the same documents",
    reason: """
      When several blocks match a document, all their statements count: access is granted if any of
      them grants it. A later block does not replace an earlier one.
      """,
    avoid: """
      match /users/{userId} {
        allow read, write: if request.auth != null && request.auth.uid == userId;
      }
      match /users/{id} {
        allow read: if request.auth != null && request.auth.token.admin == true;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow read, write: if request.auth != null && request.auth.uid == userId;
        allow read: if request.auth != null && request.auth.token.admin == true;
      }
      """,
    find: { subject in
      var first: [[PatternStep]: MatchID] = [:]
      return subject.matches.compactMap { match -> Diagnostic? in
        guard !subject.rules[match].allows.isEmpty else { return nil }
        let pattern = subject.checked.matches[match.index].pattern
        guard let earlier = first[pattern] else {
          first[pattern] = match
          return nil
        }
        return Diagnostic.finding(
          "another block matches the same documents", at: subject.rules[match].patternRange,
          help: "put the statements into one block"
        ).relating(subject.rules[earlier].patternRange, as: "the other block")
          .noting("both count: access is granted if either grants it")
      }
    })
}
