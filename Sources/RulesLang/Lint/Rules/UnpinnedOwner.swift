/// Lets the owner of a document write another owner into it.
enum UnpinnedOwner {
  /// The lint.
  static let lint = Lint(
    "unpinned-owner", level: .on(.warning),
    summary: "an update by the owner may change who the owner is",
    reason: """
      A statement that asks only for the stored owner lets that owner write somebody else's ID into the
      document. Whatever it says then stands among the documents of a user who never wrote it. Compare
      the owner after the write with the stored one, or allow only the fields that may change. Nothing
      is reported of a statement that looks at the written document as a whole, as `diff()`, `keys()`
      and functions that are given it do.
      """,
    avoid: """
      match /notes/{id} {
        allow update: if request.auth != null && resource.data.owner == request.auth.uid;
      }
      """,
    prefer: """
      match /notes/{id} {
        allow update: if request.auth != null && resource.data.owner == request.auth.uid
                      && request.resource.data.owner == resource.data.owner;
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        guard subject.outcomes(of: allow, for: .update, by: .signedIn).contains(.truth),
          let (comparison, field) = ownership(of: allow, in: subject),
          !constrains(allow, field, in: subject)
        else { return nil }
        let name = String(field)
        return Diagnostic.finding(
          "the owner may write another owner into `\(name)`", at: subject.rules[comparison].range,
          label: "asks only who owns it now",
          help: "add `request.resource.data.\(name) == resource.data.\(name)`"
        ).noting("the document then stands among those of a user who never wrote it")
      }
    })

  /// The comparison of a stored field with the client's ID.
  private static func ownership(
    of allow: AllowID, in subject: LintSubject
  ) -> (ExprID, Text)? {
    for id in subject.nodes(of: allow) {
      guard case .binary(.equal, let left, let right) = subject.rules[id].kind else { continue }
      for (client, field) in [(left, right), (right, left)] {
        if subject.isMember(client, named: "uid", of: .auth),
          case .member(let data, let name) = subject.rules[subject.rules.unparenthesized(field)]
            .kind,
          subject.isStoredData(data)
        {
          return (id, name.text)
        }
      }
    }
    return nil
  }

  /// Whether a statement says anything of a field as it will be, or of the written document as a whole.
  private static func constrains(
    _ allow: AllowID, _ field: Text, in subject: LintSubject
  ) -> Bool {
    let nodes = subject.nodes(of: allow)
    // What a member is read of, each place once.
    var owners: [ExprID: Text] = [:]
    for id in nodes {
      if case .member(let base, let name) = subject.rules[id].kind { owners[base] = name.text }
    }
    return nodes.contains { id in
      // The written document, its data, or `request` itself: harmless only where one other field is read.
      if case .variable = subject.rules[id].kind, case .request = subject.checked.binding(id) {
        return owners[id] == nil
      }
      let isWritten = subject.isMember(id, named: "resource", of: .request)
      if isWritten { return owners[id] != "data" }
      guard subject.isWrittenData(id) else { return false }
      return owners[id].map { $0 == field } ?? true
    }
  }
}

extension LintSubject {
  /// Whether an expression is `resource.data`.
  func isStoredData(_ id: ExprID) -> Bool {
    guard case .member(let base, let name) = rules[rules.unparenthesized(id)].kind,
      name.text == "data", case .variable = rules[rules.unparenthesized(base)].kind
    else { return false }
    return record(base) == .resource
  }

  /// Whether an expression is `request.resource.data`.
  func isWrittenData(_ id: ExprID) -> Bool {
    guard case .member(let base, let name) = rules[rules.unparenthesized(id)].kind,
      name.text == "data"
    else { return false }
    return isMember(base, named: "resource", of: .request)
  }
}
