import RulesLang

/// The lint for a statement all of whose grants other statements grant, too.
public enum CoveredAllow {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "covered-allow", level: .on(.warning),
    summary: "a statement that never decides, because others allow all of it",
    reason: """
      Statements are alternatives: none can take back what another grants. The named statements grant
      every request that this one grants, so its restriction has no effect. Either it is superfluous, or
      the wider statement should not exist. Unlike `redundant-allow` this does not compare texts: it is
      proved for all requests.
      """,
    avoid: """
      match /users/{userId} {
        allow write: if request.auth.uid == userId;
        allow update: if userId == request.auth.uid
                      && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name']);
      }
      """,
    prefer: """
      match /users/{userId} {
        allow create, delete: if request.auth.uid == userId;
        allow update: if userId == request.auth.uid
                      && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name']);
      }
      """)
}
