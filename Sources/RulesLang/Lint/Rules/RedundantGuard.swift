/// A part of a condition that is proved to change no decision.
public enum RedundantGuard {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "redundant-guard", level: .on(.info),
    summary: "a check that changes no decision, only whether a denial is an error",
    reason: """
      Without this part every request is decided as with it: where it is false, what comes after it ends in
      an error, and an error denies as well. Such a check may be good style: it keeps errors out of
      the logs, and `errors: false` and `noErrors` out of the way. But it protects nothing, so it is worth
      knowing when a check was meant to. `--fix` leaves it alone unless the level is raised to a warning.
      """,
    avoid: """
      match /users/{userId} {
        allow get: if request.auth != null && request.auth.uid == userId;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow get: if request.auth.uid == userId;
      }
      """)
}
