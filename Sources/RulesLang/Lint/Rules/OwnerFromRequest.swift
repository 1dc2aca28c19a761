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
        return Diagnostic.finding(
          "whoever writes their own ID into `\(field)` may overwrite any of these documents",
          at: subject.rules[comparison].range, label: "the data that the client sends",
          help: "for an update compare what is stored: `resource.data.\(field)`")
      }
    })

  /// The comparison of a written field with the client's ID, if nothing else ties the client to the
  /// document.
  private static func ownership(
    of allow: AllowID, in subject: LintSubject
  ) -> (ExprID, String)? {
    var found: (ExprID, String)?
    for id in subject.nodes(of: allow) {
      switch subject.rules[id].kind {
      case .variable:
        if case .resource = subject.checked.binding(id) { return nil }
        if case .capture = subject.checked.binding(id) { return nil }
      case .call:
        if case .builtin(let builtin) = subject.checked.binding(id), builtin.isLookup { return nil }
      case .member(let base, let name):
        let owner = subject.record(base)
        if owner == .token || owner == .auth && name.text == "token" { return nil }
        if owner == .request, name.text == "path" { return nil }
      case .binary(.equal, let left, let right):
        for (client, field) in [(left, right), (right, left)] where found == nil {
          guard subject.isMember(client, named: "uid", of: .auth),
            let name = writtenField(field, in: subject)
          else { continue }
          found = (id, name)
        }
      case .literal, .list, .map, .path, .parenthesized, .not, .negate, .binary, .isType,
        .conditional, .index, .slice, .method, .invalid:
        continue
      }
    }
    return found
  }

  /// The name of a field of `request.resource.data`.
  private static func writtenField(_ id: ExprID, in subject: LintSubject) -> String? {
    guard case .member(let data, let field) = subject.rules[subject.rules.unparenthesized(id)].kind,
      case .member(let resource, let word) = subject.rules[subject.rules.unparenthesized(data)].kind,
      word.text == "data", subject.isMember(resource, named: "resource", of: .request)
    else { return nil }
    return String(field.text)
  }
}
