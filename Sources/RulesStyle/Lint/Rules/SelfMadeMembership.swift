import RulesLang

/// The lint for a document that gives its client access, and that the client can create itself.
public enum SelfMadeMembership {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "self-made-membership", level: .on(.error),
    summary: "a document that grants access, and that clients can create themselves",
    reason: """
      A condition checks that a document exists, such as that of a member or a guest, and the rules let a
      client create its own. A client who wants access creates it first. Let only clients who may invite
      create it: members, the owner of the room, or a server; or require an invitation that the client
      cannot write. Found only if the evaluator allows every request of the sequence.
      """,
    avoid: """
      match /rooms/{room} {
        allow get: if exists(/databases/$(database)/documents/rooms/$(room)/members/$(request.auth.uid));
        match /members/{user} {
          allow create: if request.auth.uid == user;
        }
      }
      """,
    prefer: """
      match /rooms/{room} {
        allow get: if exists(/databases/$(database)/documents/rooms/$(room)/members/$(request.auth.uid));
        match /members/{user} {
          allow create: if request.auth.uid == user
            && exists(/databases/$(database)/documents/rooms/$(room)/invitations/$(user));
        }
        match /invitations/{user} {
          allow create: if get(/databases/$(database)/documents/rooms/$(room)).data.owner == request.auth.uid;
        }
      }
      """)
}
