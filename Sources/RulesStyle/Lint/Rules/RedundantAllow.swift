import RulesLang

/// The lint for a statement that adds nothing to a wider one beside it.
enum RedundantAllow {
  static let lint = Lint(
    "redundant-allow", level: .on(.warning),
    summary: "a wider statement beside it makes this one useless",
    reason: """
      Statements are alternatives: none can take back what another grants. A statement never decides
      anything if another statement for the same documents requires only some of its conditions. Either
      it is superfluous, or the wider one should not exist: beside it, this one restricts nothing. The
      wider one may be in another block for the same documents. The parts of the conditions are compared,
      with functions written out.
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
      subject.allows.compactMap { narrow in
        let parts = subject.parts(of: narrow)
        // A condition that is never true has a lint of its own.
        if subject.isDeny(narrow) { return nil }
        let wide = subject.allows(covering: subject.rules[narrow].match).first { wide in
          wide != narrow && outweighs(wide, narrow, parts, in: subject)
            && !shared(by: wide, and: narrow, in: subject).isEmpty
        }
        return wide.map {
          report(
            wide: $0, narrow: narrow, isSame: subject.parts(of: $0).count == parts.count,
            in: subject)
        }
      }
    })

  /// True if a statement for the same documents has only some of another one's conjuncts, or has all of them
  /// and comes first. Wildcards over other blocks have a lint of their own.
  private static func outweighs(
    _ wide: AllowID, _ narrow: AllowID, _ parts: [InlinedTerms.Term], in subject: LintSubject
  ) -> Bool {
    let (outer, inner) = (subject.rules[wide].match, subject.rules[narrow].match)
    if outer != inner, !subject.areAlike(outer, inner) { return false }
    let all = Set(parts)
    let some = Set(subject.parts(of: wide))
    guard some.isSubset(of: all) else { return false }
    return some.count < all.count || wide.index < narrow.index
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
    ).relating(subject.operations(wide), as: isSame ? "requires the same" : "requires less")
      .noting("statements are alternatives: a stricter one restricts nothing")
  }
}
