import RulesLang

/// The lint for a wildcard that also matches documents of other blocks, and voids their statements.
enum OverridingWildcard {
  /// The lint.
  static let lint = Lint(
    "overriding-wildcard", level: .on(.warning),
    summary: "a wildcard also matches documents of other blocks, and bypasses their conditions",
    reason: """
      `/{name=**}` and `/{collection}/{id}` match every document that fits, including those with a block
      of their own. Statements only add access, so a client that satisfies the wildcard's statement
      bypasses the other blocks. Reported for a statement that has some of the conditions of the others,
      and for `/{name=**}` inside a block if its statement does not check the written data that the others
      check. Name the collections that the wildcard is meant for, or check there, too. If it is for the
      document around it, `zero-segments` says both.
      """,
    avoid: """
      match /users/{userId} {
        match /notes/{noteId} {
          allow create: if request.auth.uid == userId && request.resource.data.text.size() < 1000;
        }
        match /{rest=**} {
          allow read, write: if request.auth.uid == userId;
        }
      }
      """,
    prefer: """
      match /users/{userId} {
        match /notes/{noteId} {
          allow create: if request.auth.uid == userId && request.resource.data.text.size() < 1000;
        }
        match /drafts/{draftId} {
          allow read, write: if request.auth.uid == userId;
        }
      }
      """,
    find: { subject in
      subject.allows.compactMap { wide in
        guard ZeroSegments.voided(by: wide, in: subject) == nil else { return nil }
        let voided = voided(by: wide, in: subject)
        guard let first = voided.first else { return nil }
        let line = subject.line(wide)
        let method =
          subject.possibleMethods(wide)
          .intersection(subject.checked.methods[first.index]).methods.last ?? .get
        let finding = Diagnostic.finding(
          "clients that line \(line) lets in bypass \(subject.lines(voided))",
          at: subject.rules[subject.rules[wide].match].patternRange,
          help: "name the collections that this is for, or add the same checks to line \(line)"
        ).noting(
          "for example `\(method.word) \(subject.sample(subject.rules[first].match))`: "
            + "statements of all blocks that match a document count")
        return adding(to: finding, wide, in: subject)
      }
    })

  /// Maximum statements that are quoted, about 24 lines of a terminal; machine-readable formats have all of
  /// them.
  private static let greatestPictures = 6

  /// Adds to a finding about a wildcard the statements of other blocks that it voids.
  static func adding(
    to finding: Diagnostic, _ wide: AllowID, in subject: LintSubject
  ) -> Diagnostic {
    var finding = finding
    for narrow in voided(by: wide, in: subject)
    where !finding.related.contains(where: { $0.range == subject.operations(narrow) }) {
      finding = finding.relating(
        subject.operations(narrow),
        as: "does not restrict clients that line \(subject.line(wide)) lets in",
        isPictured: finding.related.count < greatestPictures)
    }
    return finding
  }

  /// Returns the statements of other blocks that a client need not satisfy if a wildcard's statement grants
  /// access.
  private static func voided(by wide: AllowID, in subject: LintSubject) -> [AllowID] {
    let match = subject.rules[wide].match
    guard subject.hasWildcard(match) else { return [] }
    let granted = subject.possibleMethods(wide)
    let isInner = subject.isInnerWildcard(match)
    return subject.allows(coveredBy: match).filter { narrow in
      let own = subject.rules[narrow].match
      let shared = subject.possibleMethods(narrow).intersection(granted)
      guard own != match, !shared.isEmpty, subject.covers(match, own), !subject.covers(own, match),
        let some = subject.parts(of: wide, in: own)
      else { return false }
      let parts = Set(subject.parts(of: narrow))
      if some.isStrictSubset(of: parts) { return true }
      return isInner
        && shared.methods.contains { method in
          (method == .create || method == .update)
            && !subject.implies(wide, narrow, for: method)
        } && checks(narrow, beyond: wide, in: subject)
    }
  }

  /// True if a statement checks a field of the written data that another one does not check.
  private static func checks(
    _ narrow: AllowID, beyond wide: AllowID, in subject: LintSubject
  ) -> Bool {
    let (root, terms) = (subject.conditions[wide.index].root, subject.terms)
    let parts = subject.parts(of: narrow).filter { !subject.parts(of: wide).contains($0) }
    return parts.contains { part in
      let fields = terms.writtenFields(in: part)
      return fields.areRead
        && (fields.names.isEmpty ? [nil] : fields.names.map { Optional($0) }).allSatisfy {
          WrittenField.isLeftOpen($0, by: root, in: terms)
        }
    }
  }
}
