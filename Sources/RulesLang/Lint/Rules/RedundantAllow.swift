/// A statement that adds nothing to a wider one beside it.
enum RedundantAllow {
  static let lint = Lint(
    "redundant-allow", level: .on(.warning),
    summary: "a wider statement beside it makes this one useless",
    reason: """
      Statements are alternatives: what one grants, no other takes away. A statement that asks for the
      same as another of its block, and for more, never decides anything. It may be superfluous; or
      the wider one should not be there, and the restriction that this one seems to make does not
      exist. This compares the texts of the conditions' parts.
      """,
    avoid: """
      match /users/{userId} {
        allow write: if request.auth != null && request.auth.uid == userId;
        allow update: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name']);
      }
      """,
    prefer: """
      match /users/{userId} {
        allow create, delete: if request.auth != null && request.auth.uid == userId;
        allow update: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name']);
      }
      """,
    find: { subject in
      subject.matches.flatMap { match -> [Diagnostic] in
        let allows = subject.rules[match].allows
        let parts = allows.map { subject.parts(of: $0) }
        return allows.indices.compactMap { narrow in
          let wide = allows.indices.first {
            outweighs(wide: parts[$0], narrow: parts[narrow], isBefore: $0 < narrow)
              && $0 != narrow && !shared(by: allows[$0], and: allows[narrow], in: subject).isEmpty
          }
          return wide.map {
            report(
              wide: allows[$0], narrow: allows[narrow],
              isSame: parts[$0].count == parts[narrow].count, in: subject)
          }
        }
      }
    })

  private static func outweighs(
    wide: [[Text]], narrow: [[Text]], isBefore: Bool
  ) -> Bool {
    // What is never true is no narrower form of something, but a lint of its own.
    guard !narrow.contains(["false"]), wide.allSatisfy({ narrow.contains($0) }) else {
      return false
    }
    return wide.count < narrow.count || isBefore
  }

  private static func shared(
    by one: AllowID, and other: AllowID, in subject: LintSubject
  ) -> MethodSet {
    subject.checked.methods[one.index].intersection(subject.checked.methods[other.index])
  }

  private static func report(
    wide: AllowID, narrow: AllowID, isSame: Bool, in subject: LintSubject
  ) -> Diagnostic {
    let methods = shared(by: wide, and: narrow, in: subject)
    let isWhole = methods == subject.checked.methods[narrow.index]
    let what = methods.methods.listed
    return Diagnostic.finding(
      isWhole
        ? "this statement never decides: another one grants \(what) already"
        : "for \(what) this condition restricts nothing: another statement grants it already",
      at: subject.operations(narrow),
      help: "remove this statement, or leave \(what) out of the wider one"
    ).relating(subject.operations(wide), as: isSame ? "asks for the same" : "asks for less")
      .noting("statements are alternatives: one that asks for more takes nothing away")
  }
}

extension LintSubject {
  /// The parts of a condition that all must hold, each as the words of its text; none for a
  /// statement that always grants.
  func parts(of allow: AllowID) -> [[Text]] {
    guard let condition = rules[allow].condition else { return [] }
    var parts: [[Text]] = []
    var rest = [condition.root]
    while let next = rest.popLast() {
      let node = rules.unparenthesized(next)
      if case .binary(.and, let left, let right) = rules[node].kind {
        rest += [right, left]
      } else if rules[node].kind != .literal(.bool(true)) {
        parts.append(words(rules[node].range))
      }
    }
    return parts
  }
}
