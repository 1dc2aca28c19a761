import RulesLang

/// The lint for letting every signed-in user write what looks like somebody's own.
enum AnyUserWrite {
  static let lint = Lint(
    "any-user-write", level: .on(.warning),
    summary: "every signed-in user can write what looks like somebody's own",
    reason: """
      The path names an owner, but the condition checks only that somebody is signed in. Signing in proves
      nothing: in most projects anyone can create an account, or sign in anonymously. This is also
      reported for a statement that lets the owner of a document write it or, behind `||`, everybody while
      a field of the document is a constant, such as `status == 'pending'`.
      """,
    avoid: """
      match /users/{userId} {
        allow write: if request.auth != null;
      }
      """,
    prefer: """
      match /users/{userId} {
        allow write: if request.auth != null && request.auth.uid == userId;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        let methods = subject.signedInMethods(allow).filter { $0.isWrite }
        guard !methods.isEmpty, let owner = Owner.of(subject.rules[allow].match, in: subject) else {
          return besideOwner(allow, in: subject)
        }
        let match = subject.rules[allow].match
        let documents = Owner.documents(of: owner, in: match, subject)
        return Diagnostic.finding(
          "every signed-in user can \(methods.listed) \(documents)",
          at: subject.operations(allow), label: "checks only that somebody is signed in",
          help: Owner.help(for: owner, in: match, subject)
        ).relating(owner.range, as: Owner.reason(of: owner, in: match, subject))
      }
    })

  /// Reports a statement that lets the owner write and, as an alternative, every signed-in user if a stored
  /// field has a constant value.
  private static func besideOwner(_ allow: AllowID, in subject: LintSubject) -> Diagnostic? {
    let (condition, terms) = (subject.conditions[allow.index], subject.terms)
    let methods = subject.possibleMethods(allow).intersection(
      MethodSet(.update).union(MethodSet(.delete))
    ).methods
    let ways = methods.flatMap { subject.ways(of: allow, for: $0) }
    guard !methods.isEmpty, ways.contains(where: { $0.contains { isOwner($0, terms) } }) else {
      return nil
    }
    for way in ways {
      let constants = way.filter { !terms.isSignedIn($0) }
      let fields = constants.compactMap { stored($0, terms) }
      guard let first = constants.first, fields.count == constants.count else { continue }
      let place = condition.place(of: first, in: terms)
      let shown = place.map { subject.quote(subject.rules[$0].range) } ?? ""
      return Diagnostic.finding(
        "every signed-in user can \(methods.listed) the documents in which `\(shown)`",
        at: place.map { subject.rules[$0].range },
        label: "does not check who the client is",
        help: "check the user here, too: because of `||`, the owner check can be skipped"
      )
    }
    return nil
  }

  private static func isOwner(_ part: InlinedTerms.Term, _ terms: InlinedTerms) -> Bool {
    guard case .binary(.equal, let one, let other) = terms[part] else { return false }
    return terms.isClient(one) && terms.storedField(other) != nil
      || terms.isClient(other) && terms.storedField(one) != nil
  }

  /// Returns the stored field that a conjunct compares with constants other than null.
  private static func stored(
    _ part: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> InlinedTerms.Field? {
    func isConstant(_ term: InlinedTerms.Term) -> Bool {
      if case .literal(let literal) = terms[term] { literal != .null } else { false }
    }
    switch terms[part] {
    case .binary(.equal, let one, let other):
      return isConstant(one)
        ? terms.storedField(other) : isConstant(other) ? terms.storedField(one) : nil
    case .binary(.in, let key, let list):
      guard case .list(let elements) = terms[list], elements.allSatisfy({ isConstant($0) })
      else { return nil }
      return terms.storedField(key)
    default: return nil
    }
  }
}
