import RulesLang

/// The lint for a parameter that is proved to change nothing.
public enum RedundantParameter {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "redundant-parameter", level: .on(.warning),
    summary: "a parameter that never matters, whatever its argument",
    reason: """
      The function reads the parameter only in parts that never matter, so a caller who passes an
      argument expects a check that is missing.
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
