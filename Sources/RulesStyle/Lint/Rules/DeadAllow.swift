import RulesLang

/// The lint for a statement that is proved to grant nothing.
public enum DeadAllow {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "dead-allow", level: .on(.warning), summary: "a statement that can never grant",
    reason: """
      Whatever a client sends and whatever is stored, the condition is false or ends in an error. Either
      the statement is superfluous, or it should grant something and locks out the clients who need it.
      Often only some methods are affected: nothing is stored yet when a document is created, so a
      condition that reads `resource.data` never grants `create`. An explicit `if false` is not reported.
      In a block with dozens of statements the last ones may be out of reach: before them, every request
      has already evaluated the 1000 expressions that the limit permits. Proved for all requests, queries
      and batches included.
      """,
    avoid: """
      match /notes/{note} {
        allow get: if request.auth != null;
        allow write: if request.auth.uid == resource.data.owner;
      }
      """,
    prefer: """
      match /notes/{note} {
        allow get: if request.auth != null;
        allow create: if request.auth.uid == request.resource.data.owner;
        allow update: if request.auth.uid == resource.data.owner
                      && request.resource.data.owner == resource.data.owner;
        allow delete: if request.auth.uid == resource.data.owner;
      }
      """)
}
