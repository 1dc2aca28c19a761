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
      field is there, has a type or is among the names that may change pins nothing. Functions are looked
      through. Nothing is reported of a statement that looks otherwise at the written document as a whole.
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
          let (comparison, field) = unpinned(by: allow, in: subject)
        else { return nil }
        let place = subject.conditions[allow.index].place(of: comparison, in: subject.terms)
        return Diagnostic.finding(
          "the owner may write another owner into `\(field.written)`",
          at: place.map { subject.rules[$0].range },
          label: "asks only who owns it now",
          help: "add `request.resource.data.\(field.written) == resource.data.\(field.written)`"
        ).noting("the document then stands among those of a user who never wrote it")
      }
    })

  /// The first comparison of a stored field with the client's ID in a statement that leaves open what becomes
  /// of the field.
  private static func unpinned(
    by allow: AllowID, in subject: LintSubject
  ) -> (InlinedTerms.Term, StoredField)? {
    let (condition, terms) = (subject.conditions[allow.index], subject.terms)
    for term in condition.terms.reversed() {
      guard case .binary(.equal, let one, let other) = terms[term],
        let field = terms.isClient(one)
          ? terms.storedField(other) : terms.isClient(other) ? terms.storedField(one) : nil,
        WrittenField.isLeftOpen(field.name, by: condition.root, in: terms)
      else { continue }
      return (term, field)
    }
    return nil
  }
}

/// A field of the stored document.
private struct StoredField {
  /// The field of the document that it is, or is in.
  var name: Text
  /// How it is written behind `data.`.
  var written: String
}

extension InlinedTerms {
  /// The field that a term reads of `resource.data`, in one of the ways there are.
  fileprivate func storedField(_ term: Term) -> StoredField? {
    let named: (Term, Text)? =
      switch self[term] {
      case .member(let base, let name): (base, name)
      case .index(let base, let key): text(key).map { (base, $0) }
      case .method(let base, "get", let arguments):
        arguments.first.flatMap { text($0) }.map { (base, $0) }
      default: nil
      }
    guard let (base, name) = named else { return nil }
    if isStoredData(base) { return StoredField(name: name, written: String(name)) }
    return storedField(base).map {
      StoredField(name: $0.name, written: "\($0.written).\(String(name))")
    }
  }
}
