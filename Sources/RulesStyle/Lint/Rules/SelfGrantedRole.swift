import RulesLang

/// The lint for a condition on stored data that clients for whom it is false can make true themselves.
public enum SelfGrantedRole {
  /// The lint; its findings are proved elsewhere.
  public static let lint = Lint(
    proved: "self-granted-role", level: .on(.error),
    summary: "a condition on stored data that clients can make true themselves",
    reason: """
      A condition checks a role, a membership or an owner that is stored in a document, and the rules let
      a client who does not satisfy it write that document. The client first writes the role and then
      uses it: each request by itself is allowed by the rules. Keep roles where clients cannot write: in
      custom claims of the token, or in documents that no statement lets them write. If a client must
      write the document, pin the field: `request.resource.data.role == resource.data.role`, or list the
      fields that may change with `hasOnly`, and forbid the field on create. Found only if the evaluator
      allows every request of the sequence.
      """,
    avoid: """
      match /users/{user} {
        allow read, write: if request.auth.uid == user;
      }
      match /reports/{report} {
        allow get: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
      }
      """,
    prefer: """
      match /users/{user} {
        allow read: if request.auth.uid == user;
        allow create: if request.auth.uid == user && !('role' in request.resource.data);
        allow update: if request.auth.uid == user
          && request.resource.data.get('role', '') == resource.data.get('role', '');
      }
      match /reports/{report} {
        allow get: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
      }
      """)
}
