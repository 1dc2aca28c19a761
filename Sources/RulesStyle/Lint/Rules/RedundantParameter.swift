import RulesLang

/// The lint for a parameter that is proved to change nothing.
public enum RedundantParameter {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "redundant-parameter", level: .on(.warning),
    summary: "a parameter that never matters, whatever is passed for it",
    reason: """
      The function reads the parameter only in parts that never matter, so who calls it with an argument
      expects a check that is not made.
      """,
    avoid: """
      function owns(userId) {
        return request.auth.uid != null && (request.auth.uid == userId || request.auth.uid != userId);
      }
      match /users/{userId} {
        allow get: if owns(userId);
      }
      """,
    prefer: """
      function owns(userId) {
        return request.auth.uid == userId;
      }
      match /users/{userId} {
        allow get: if owns(userId);
      }
      """)
}
