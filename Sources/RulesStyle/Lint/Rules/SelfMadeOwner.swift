import RulesLang

/// The lint for a field that names who has access, and in which clients can name themselves.
public enum SelfMadeOwner {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "self-made-owner", level: .on(.error),
    summary: "a field of owners or members in which clients can name themselves",
    reason: """
      A condition checks that a field of the document names the client, as its owner or among its members,
      and the rules let others change that field. A client who is not named writes its own ID there, and
      takes over the document. Check `resource.data`, not only `request.resource.data`, and let only the
      present owner change the field. Found only if the evaluator allows every request of the sequence.
      """,
    avoid: """
      match /posts/{post} {
        allow create: if request.resource.data.author == request.auth.uid;
        allow update: if request.resource.data.author == request.auth.uid;
        allow delete: if resource.data.author == request.auth.uid;
      }
      """,
    prefer: """
      match /posts/{post} {
        allow create: if request.resource.data.author == request.auth.uid;
        allow update: if resource.data.author == request.auth.uid
          && request.resource.data.author == resource.data.author;
        allow delete: if resource.data.author == request.auth.uid;
      }
      """)
}
