/// A statement with `if false` beside one that grants the same.
enum PowerlessDeny {
  static let lint = Lint(
    "powerless-deny", level: .on(.warning), summary: "`if false` takes nothing away",
    reason: """
      A statement can only grant. `allow delete: if false` beside a statement that grants `write`
      denies nothing: the other one still grants the delete.
      """,
    avoid: """
      match /users/{userId} {
        allow write: if request.auth != null && request.auth.uid == userId;
        allow delete: if false;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow create, update: if request.auth != null && request.auth.uid == userId;
      }
      """,
    find: { subject in
      subject.allows.compactMap { deny -> Diagnostic? in
        guard let condition = subject.rules[deny].condition,
          subject.rules[subject.rules.unparenthesized(condition.root)].kind
            == .literal(.bool(false))
        else { return nil }
        let covered = subject.checked.methods[deny.index]
        let denied = covered.methods
        for other in subject.rules[subject.rules[deny].match].allows
        // `allow write: if false` after an `allow create` says "nothing else", which holds.
        where subject.checked.methods[other.index].isSuperset(of: covered) {
          let granted = denied.filter {
            subject.outcomes(of: other, for: $0, by: .signedIn).contains(.truth)
          }
          guard !granted.isEmpty else { continue }
          return Diagnostic.finding(
            "this denies nothing: \(granted.listed) can still be granted",
            at: subject.operations(deny),
            help: "leave \(granted.listed) out of the statement that grants it"
          ).relating(subject.operations(other), as: "grants it")
        }
        return nil
      }
    })
}
