import RulesLang

/// The lint for a part of a condition that is proved to change no decision.
public enum RedundantGuard {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "redundant-guard", level: .off,
    summary: "a check that changes no decision, only whether a denial is an error",
    reason: """
      Every request is decided the same without this part: where it is false, what follows is an error,
      which also denies. `request.auth != null &&` before a comparison of the client's ID is such a check,
      and good style: it makes the intent clear, keeps errors out of the logs, and lets `errors: false`
      and `noErrors` hold. All of these in a file are one finding, except those that `signed-out-error`
      recommends. Other checks are listed one by one: a lookup, as here, is paid for and protects nothing.
      `--fix` takes them out only if the level is raised to a warning.
      """,
    avoid: """
      match /reports/{report} {
        allow get: if exists(/databases/$(database)/documents/admins/$(request.auth.uid))
                   && get(/databases/$(database)/documents/admins/$(request.auth.uid)).data.active == true;
      }
      """,
    prefer: """
      match /reports/{report} {
        allow get: if get(/databases/$(database)/documents/admins/$(request.auth.uid)).data.active == true;
      }
      """)
}
