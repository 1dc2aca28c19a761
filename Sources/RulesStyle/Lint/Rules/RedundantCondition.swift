import RulesLang

/// The lint for a part of a condition that is proved to change nothing.
public enum RedundantCondition {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "redundant-condition", level: .on(.warning),
    summary: "a part of a condition that never matters",
    reason: """
      Every request is decided the same without this part, and no other request ends in an error. The
      part may repeat another one or be always true; or it should check something else, and that check is
      missing.
      """,
    avoid: """
      match /posts/{post} {
        allow delete: if request.auth != null
                      && request.auth.uid == resource.data.author
                      && (request.auth.uid == resource.data.author || request.auth.token.admin == true);
      }
      """,
    prefer: """
      match /posts/{post} {
        allow delete: if request.auth != null
                      && (request.auth.uid == resource.data.author || request.auth.token.admin == true);
      }
      """)
}
