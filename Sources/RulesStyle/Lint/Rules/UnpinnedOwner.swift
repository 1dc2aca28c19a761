import RulesLang

/// The lint for letting the owner of a document write another owner into it.
enum UnpinnedOwner {
  /// The lint.
  static let lint = Lint(
    "unpinned-owner", level: .on(.warning),
    summary: "an update by the owner may change who the owner is",
    reason: """
      A statement that checks only the stored owner lets that owner write somebody else's ID into the
      document. The document then belongs to a user who never wrote it. Compare the owner after the write
      with the stored one, or allow only the fields that may change. A check that the field exists, has a
      type or is among the fields that may change does not pin its value. The bodies of functions count,
      too. Also reported for a field that is compared with a claim, or with a field of a document of the
      client's own, such as a tenant; for a field that names the document in which the client is looked
      up; and for a list of members that must contain the client's ID. Not reported if the statement
      checks the written document as a whole in another way.
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
          let found = unpinned(by: allow, in: subject)
        else { return nil }
        let place = subject.conditions[allow.index].place(of: found.comparison, in: subject.terms)
        let field = found.field.written
        let range = place.map { subject.rules[$0].range }
        let help = "add `request.resource.data.\(field) == resource.data.\(field)`"
        switch found.kind {
        case .owner:
          return Diagnostic.finding(
            "the owner may write another owner into `\(field)`", at: range,
            label: "checks only the stored owner", help: help
          ).noting("the document then belongs to a user who never wrote it")
        case .value:
          return Diagnostic.finding(
            "anyone who may update this may write another value into `\(field)`", at: range,
            label: "checks only the stored value", help: help
          ).noting("the document then belongs to others, who never wrote it")
        case .members:
          return Diagnostic.finding(
            "every member may change `\(field)`", at: range,
            label: "checks only the stored members",
            help: help + ", or let members change other fields only"
          ).noting("a member can remove all others, and let anyone in")
        }
      }
    })

  /// A comparison of the client with a stored field whose new value a statement leaves open.
  private struct Comparison {
    /// The meaning of the field for the client.
    enum Kind {
      case owner, value, members
    }
    var kind: Kind
    var comparison: InlinedTerms.Term
    var field: InlinedTerms.Field
  }

  /// Returns the first such comparison of a statement; those with an owner come first.
  private static func unpinned(by allow: AllowID, in subject: LintSubject) -> Comparison? {
    let (condition, terms) = (subject.conditions[allow.index], subject.terms)
    let owners = condition.terms.reversed().compactMap { owner($0, terms) }
    let others = terms.grounds(of: condition.root).compactMap { other($0, terms) }
    return (owners + others).first {
      WrittenField.isLeftOpen($0.field.name, by: condition.root, in: terms)
        && ($0.kind != .members || isEnough($0.comparison, for: allow, in: subject))
    }
  }

  /// True if some alternative of an update has a comparison and looks up no other document.
  private static func isEnough(
    _ comparison: InlinedTerms.Term, for allow: AllowID, in subject: LintSubject
  ) -> Bool {
    subject.ways(of: allow, for: .update).contains { way in
      way.contains(comparison)
        && way.allSatisfy { part in
          !subject.terms.terms(in: part).contains {
            if case .builtin(let builtin, _) = subject.terms[$0] { builtin.isLookup } else { false }
          }
        }
    }
  }

  private static func owner(
    _ term: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> Comparison? {
    guard case .binary(.equal, let one, let other) = terms[term],
      let field = terms.isClient(one)
        ? terms.storedField(other) : terms.isClient(other) ? terms.storedField(one) : nil
    else { return nil }
    return Comparison(kind: .owner, comparison: term, field: field)
  }

  /// Returns a comparison in another form than the client's ID with a field.
  private static func other(
    _ term: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> Comparison? {
    if let parent = terms.parentField(term, { terms.storedField($0) }) {
      return Comparison(kind: .value, comparison: term, field: parent)
    }
    func found(_ kind: Comparison.Kind, _ field: InlinedTerms.Field?) -> Comparison? {
      field.map { Comparison(kind: kind, comparison: term, field: $0) }
    }
    switch terms[term] {
    case .binary(.equal, let one, let other):
      for (client, stored) in [(one, other), (other, one)] {
        if terms.isClientPath(client) { return found(.owner, terms.storedField(stored)) }
        if terms.isClientValue(client) { return found(.value, terms.storedField(stored)) }
        if terms.isClient(client), case .conditional(_, let yes, let no) = terms[stored] {
          return found(.owner, terms.storedField(yes) ?? terms.storedField(no))
        }
      }
      return nil
    case .binary(.in, let key, let list):
      if terms.isClientValue(list) { return found(.value, terms.storedField(key)) }
      guard terms.isClient(key) else { return nil }
      if case .list(let elements) = terms[list] {
        return found(.owner, elements.compactMap { terms.storedField($0) }.first)
      }
      return members(terms.storedField(list)).flatMap { found(.members, $0) }
    case .method(let list, let name, let arguments) where name == "hasAny" || name == "hasAll":
      guard arguments.count == 1, case .list(let elements) = terms[arguments[0]],
        elements.contains(where: { terms.isClient($0) })
      else { return nil }
      return members(terms.storedField(list)).flatMap { found(.members, $0) }
    default: return nil
    }
  }

  /// Returns a field that lists those who share a document; nil for one that lists those who decide who may.
  private static func members(_ field: InlinedTerms.Field?) -> InlinedTerms.Field? {
    field.flatMap { PrivilegedName.isLeading($0.name) ? nil : $0 }
  }
}
