/// Takes the owner of a document from the data that overwrite it.
enum OwnerFromRequest {
  static let lint = Lint(
    "owner-from-request", level: .on(.warning),
    summary: "an update takes the owner from the data that it writes",
    reason: """
      `request.resource.data` is the document as the client wants it to be. An update that only asks
      whether the new owner is the client lets everybody take over every document, by writing their
      own ID into it. What is stored now is `resource.data`.
      """,
    avoid: """
      match /notes/{id} {
        allow create, update: if request.auth != null
                              && request.resource.data.owner == request.auth.uid;
      }
      """,
    prefer: """
      match /notes/{id} {
        allow create: if request.auth != null && request.resource.data.owner == request.auth.uid;
        allow update: if request.auth != null && resource.data.owner == request.auth.uid
                      && request.resource.data.owner == resource.data.owner;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        guard subject.outcomes(of: allow, for: .update, by: .signedIn).contains(.truth),
          let (comparison, field) = ownership(of: allow, in: subject)
        else { return nil }
        let place = subject.conditions[allow.index].place(of: comparison, in: subject.terms)
        return Diagnostic.finding(
          "whoever writes their own ID into `\(field)` may overwrite any of these documents",
          at: place.map { subject.rules[$0].range }, label: "the data that the client sends",
          help: "for an update compare what is stored: `resource.data.\(field)`")
      }
    })

  /// The comparison of a written field with the client's ID, if nothing else ties the client to the
  /// document.
  private static func ownership(
    of allow: AllowID, in subject: LintSubject
  ) -> (InlinedTerms.Term, String)? {
    let terms = subject.terms
    var found: (InlinedTerms.Term, String)?
    for term in subject.conditions[allow.index].terms.reversed() {
      switch terms[term] {
      case .resource, .capture, .run: return nil
      case .builtin(let builtin, _) where builtin.isLookup: return nil
      case .member(let base, let name):
        if name == "token", terms.isAuth(base) { return nil }
        if name == "path", terms[base] == .request { return nil }
      case .binary(.equal, let one, let other) where found == nil:
        let field = terms.isClient(one) ? other : terms.isClient(other) ? one : nil
        if let field, case .member(let data, let name) = terms[field], terms.isWrittenData(data) {
          found = (term, String(name))
        }
      case .literal, .request, .list, .map, .path, .not, .negate, .binary, .isType, .conditional,
        .index, .slice, .method, .builtin, .opaque:
        continue
      }
    }
    return found
  }
}
