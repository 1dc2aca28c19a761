import RulesLang

/// The lint for a statement all of whose grants other statements grant, too.
public enum CoveredAllow {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "covered-allow", level: .on(.warning),
    summary: "a statement that never decides, since others allow all of it",
    reason: """
      Statements are alternatives: what one grants, no other takes away. Every request that this one
      grants is granted by the others that are named, so the restriction that it seems to make does not
      exist. It may be superfluous; or the wider statement should not be there. Unlike `redundant-allow`
      this does not compare texts: it is proved for all requests.
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
