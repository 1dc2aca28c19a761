import RulesLang

/// The lint for an update that is limited by the keys that it changes, but not by those that it adds or
/// removes.
enum ChangedKeys {
  /// The lint.
  static let lint = Lint(
    "changed-keys", level: .on(.warning),
    summary: "`changedKeys()` does not see the fields that an update adds or removes",
    reason: """
      `diff(…).changedKeys()` has the names of the fields that are in both documents with different
      values. A field that the update adds is in `addedKeys()`, a field that it removes is in
      `removedKeys()`. A condition that checks only `changedKeys()` sees neither of them.
      `affectedKeys()` has all of them. Not reported if the condition also checks these sets, or `keys()`
      of the written data.
      """,
    avoid: """
      match /posts/{post} {
        allow update: if request.auth != null && request.auth.uid == resource.data.author
          && request.resource.data.diff(resource.data).changedKeys().hasOnly(['title', 'text']);
      }
      """,
    prefer: """
      match /posts/{post} {
        allow update: if request.auth != null && request.auth.uid == resource.data.author
          && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['title', 'text']);
      }
      """,
    find: { subject in
      subject.allows.compactMap { allow -> Diagnostic? in
        guard subject.possibleMethods(allow).contains(.update),
          let term = onlyChanged(by: allow, in: subject)
        else { return nil }
        let place = subject.conditions[allow.index].place(of: term, in: subject.terms)
        return Diagnostic.finding(
          "an update that adds or removes fields passes `changedKeys()`",
          at: place.map { subject.rules[$0].range },
          label: "has only fields that are there before and after",
          help: "write `affectedKeys()`: it has added and removed fields, too")
      }
    })

  /// Returns the `changedKeys()` of a whole document in a condition that checks no other keys.
  private static func onlyChanged(
    by allow: AllowID, in subject: LintSubject
  ) -> InlinedTerms.Term? {
    let terms = subject.terms
    var found: InlinedTerms.Term?
    for term in subject.conditions[allow.index].terms {
      guard case .method(let base, let name, let arguments) = terms[term], arguments.isEmpty else {
        continue
      }
      switch name {
      case "affectedKeys", "addedKeys", "removedKeys": return nil
      case "keys": if terms.isWrittenData(base) { return nil }
      case "changedKeys": if isOfDocument(base, terms) { found = term }
      default: continue
      }
    }
    return found
  }

  /// True if a term is the diff of the stored and the written data.
  private static func isOfDocument(_ term: InlinedTerms.Term, _ terms: InlinedTerms) -> Bool {
    guard case .method(let one, "diff", let others) = terms[term], let other = others.first else {
      return false
    }
    return terms.isWrittenData(one) && terms.isStoredData(other)
      || terms.isStoredData(one) && terms.isWrittenData(other)
  }
}
