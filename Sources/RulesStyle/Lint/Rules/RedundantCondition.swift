import RulesLang

/// The lint for a part of a condition that is proved to change nothing.
public enum RedundantCondition {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "redundant-condition", level: .on(.warning),
    summary: "a part of a condition that never matters",
    reason: """
      Without this part every request is decided as with it, and no other ends in an error. It may repeat
      what another part says, or say what is always so; or it was meant to say something else, and the
      check that it seems to make is not made.
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
