import RulesLang

/// The lint for a capture that no condition reads, though conditions decide.
enum UnusedCapture {
  static let lint = Lint(
    "unused-capture", level: .on(.info),
    summary: "a path variable that names an owner is never read",
    reason: """
      The path binds the ID of an owner, and conditions below it decide, but none of them looks at
      it. Either it should be compared with `request.auth.uid`, or the documents are not the owner's
      alone; then begin the name with `_` to say so. Only variables whose names look like a
      user's ID are reported: most others need no reading.
      """,
    avoid: """
      match /users/{userId}/notes/{noteId} {
        allow create: if request.auth != null && request.resource.data.text is string;
      }
      """,
    prefer: """
      match /users/{userId}/notes/{noteId} {
        allow create: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.text is string;
      }
      """,
    find: { subject in
      subject.matches.flatMap { match -> [Diagnostic] in
        let facts = subject.checked.matches[match.index]
        let own = subject.rules[match].pattern.filter { $0.binding != nil }.count
        let first = facts.captures.count - own
        guard decides(match, in: subject) else { return [] }
        return facts.captures.indices.dropFirst(first).compactMap { slot -> Diagnostic? in
          let name = facts.captures[slot]
          guard Owner.isUser(name.text), !name.text.bytes.starts(with: [UInt8(ascii: "_")]),
            !isRead(UInt8(slot), below: match, in: subject)
          else { return nil }
          return Diagnostic.finding(
            "no condition reads `\(String(name.text))`", at: name.range,
            help: "compare it with `request.auth.uid`, or call it `_\(String(name.text))`")
        }
      }
    })

  /// True if a block or one inside it has a condition that depends on the request, and that no other lint
  /// reports as demanding only a signed-in user.
  private static func decides(_ match: MatchID, in subject: LintSubject) -> Bool {
    subject.allows(inside: match).contains { allow in
      guard subject.takesPart(allow) else { return false }
      return subject.checked.methods[allow.index].methods.contains {
        let outcomes = subject.outcomes(of: allow, for: $0, by: .signedIn)
        return outcomes.contains(.truth) && outcomes != .truth
      }
    }
  }

  private static func isRead(_ slot: UInt8, below match: MatchID, in subject: LintSubject) -> Bool {
    let conditions = subject.allows(inside: match).compactMap { subject.rules[$0].condition }
    let functions = subject.rules.functions.flatMap { function -> [Body] in
      guard case .match(let owner) = function.owner, isBlock(owner, inside: match, in: subject)
      else {
        return []
      }
      return function.bodies
    }
    return (conditions + functions).contains { body in
      body.nodes.contains { subject.checked.binding($0) == .capture(slot) }
        // The path of the request holds the ID too.
        || body.nodes.contains { subject.isMember($0, named: "path", of: .request) }
    }
  }

  private static func isBlock(_ inner: MatchID, inside outer: MatchID, in subject: LintSubject)
    -> Bool
  {
    var match: MatchID? = inner
    while let here = match {
      if here == outer { return true }
      match = subject.rules[here].parent
    }
    return false
  }
}
