/// Lets the owner of a document write another owner into it.
enum UnpinnedOwner {
  /// The lint.
  static let lint = Lint(
    "unpinned-owner", level: .on(.warning),
    summary: "an update by the owner may change who the owner is",
    reason: """
      A statement that asks only for the stored owner lets that owner write somebody else's ID into the
      document. Whatever it says then stands among the documents of a user who never wrote it. Compare
      the owner after the write with the stored one, or allow only the fields that may change. That the
      field is there, has a type or is among the names that may change pins nothing. Nothing is reported
      of a statement that looks otherwise at the written document as a whole, as functions that are given
      it do.
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
          !constrains(allow, field.name, in: subject)
        else { return nil }
        let name = field.written
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
  ) -> (ExprID, StoredField)? {
    for id in subject.nodes(of: allow) {
      guard case .binary(.equal, let left, let right) = subject.rules[id].kind else { continue }
      for (client, field) in [(left, right), (right, left)] {
        if subject.isMember(client, named: "uid", of: .auth),
          let field = subject.storedField(field)
        {
          return (id, field)
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
    let harmless = subject.unpinned(field, in: nodes)
    return nodes.contains { id in
      if harmless.contains(id) { return false }
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

/// A field of the stored document.
private struct StoredField {
  /// The field of the document that it is, or is in.
  var name: Text
  /// How it is written behind `data.`.
  var written: String
}

extension LintSubject {
  /// The field that an expression reads of `resource.data`, in whichever of the ways there are.
  fileprivate func storedField(_ id: ExprID) -> StoredField? {
    let named: (ExprID, Text)? =
      switch rules[rules.unparenthesized(id)].kind {
      case .member(let base, let name): (base, name.text)
      case .index(let base, let key): text(key).map { (base, $0) }
      case .method(let base, let name, let arguments) where name.text == "get":
        arguments.first.flatMap { text($0) }.map { (base, $0) }
      default: nil
      }
    guard let (base, name) = named else { return nil }
    if isStoredData(base) { return StoredField(name: name, written: String(name)) }
    return storedField(base).map {
      StoredField(name: $0.name, written: "\($0.written).\(String(name))")
    }
  }

  /// The places that read the written document and say nothing of the value of a field.
  fileprivate func unpinned(_ field: Text, in nodes: [ExprID]) -> Set<ExprID> {
    let denied = nodes.compactMap { id -> ExprID? in
      guard case .not(let operand) = rules[id].kind else { return nil }
      return rules.unparenthesized(operand)
    }
    return Set(
      nodes.flatMap { id -> [ExprID] in
        switch rules[id].kind {
        case .isType(let value, _):
          guard case .member(let data, _) = rules[rules.unparenthesized(value)].kind else { break }
          return [rules.unparenthesized(data)]
        case .binary(.in, _, let names) where !denied.contains(id):
          return documents(of: names)
        case .method(let names, let name, let arguments)
        where name.text == "hasAll" && !denied.contains(id):
          return arguments.count == 1 ? documents(of: names) : []
        case .method(let names, let name, let arguments) where name.text == "hasOnly":
          return allows(field, in: arguments) ? documents(of: names) : []
        default: break
        }
        return []
      })
  }

  /// What an expression about the names of fields, as `keys()` and `diff(…).affectedKeys()`, reads them of,
  /// and the parts of `diff` that read it.
  private func documents(of names: ExprID) -> [ExprID] {
    let names = rules.unparenthesized(names)
    switch rules[names].kind {
    case .method(let inner, let name, _)
    where name.text == "keys" || name.text == "affectedKeys" || name.text == "changedKeys"
      || name.text == "diff":
      return documents(of: inner)
    default:
      return isWrittenData(names) ? [names] : []
    }
  }

  /// Whether a field is in a list that is written out.
  private func allows(_ field: Text, in arguments: [ExprID]) -> Bool {
    guard let list = arguments.first,
      case .list(let names) = rules[rules.unparenthesized(list)].kind
    else { return false }
    return names.contains { text($0) == field }
  }

  private func text(_ id: ExprID) -> Text? {
    guard case .literal(.string(let text)) = rules[rules.unparenthesized(id)].kind else {
      return nil
    }
    return text
  }

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
