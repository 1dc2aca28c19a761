import RulesLang

/// The lint for a comment that silences nothing.
enum UnusedIgnore {
  static let lint = Lint(
    "unused-ignore", level: .on(.warning), summary: "an `ignore` comment that silences nothing",
    reason: """
      `// rules-check: ignore CODE REASON` silences what is found on the next line under that code.
      When nothing is found there any more, or the code does not exist, the comment should go: it
      would silence the next mistake.
      """,
    avoid: """
      match /users/{userId} {
        // rules-check: ignore open-write only until the launch
        allow write: if request.auth != null && request.auth.uid == userId;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow write: if request.auth != null && request.auth.uid == userId;
      }
      """,
    // The linter itself finds these, when all findings are known.
    find: { _ in [] })
}
