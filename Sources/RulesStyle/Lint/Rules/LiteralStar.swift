import RulesLang

/// The lint for a star in a path that is not a wildcard.
enum LiteralStar {
  static let lint = Lint(
    "literal-star", level: .on(.error), summary: "a `*` outside braces is not a wildcard",
    reason: """
      In the path of a match block only `{name}` and `{name=**}` are wildcards. `/*` and `/**` match
      a collection or document whose ID is `*` or `**`.
      """,
    avoid: """
      match /users/** {
        allow read: if request.auth != null;
      }
      """,
    prefer: """
      match /users/{path=**} {
        allow read: if request.auth != null;
      }
      """,
    find: { subject in
      subject.matches.flatMap { match in
        subject.rules[match].pattern.compactMap { part -> Diagnostic? in
          guard case .literal(let text) = part.kind, text == "*" || text == "**" else { return nil }
          return Diagnostic.finding(
            "this matches only the ID `\(String(text))`", at: part.range,
            help: text == "*" ? "write `/{id}`" : "write `/{path=**}`")
        }
      }
    })
}
