import RulesLang

/// The lint for a statement that grants only because an error is ignored.
public enum AbsorbedError {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "absorbed-error", level: .on(.warning),
    summary: "a statement that grants only because `||` ignores an error",
    reason: """
      `a || b` is true if `b` is, even if `a` ends in an error. Here every request that is granted with
      these methods runs into such an error first. This works by accident: the left side cannot be true
      for these methods. Swapping the sides, or using `?` instead, changes who has access.
      """,
    avoid: """
      match /notes/{note} {
        allow create, update: if resource.data.open == true || request.auth.token.admin == true;
      }
      """,
    prefer: """
      match /notes/{note} {
        allow create: if request.auth.token.admin == true;
        allow update: if resource.data.open == true || request.auth.token.admin == true;
      }
      """)
}
