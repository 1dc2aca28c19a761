import RulesLang

/// The lint for taking the owner of a document from the data that overwrite it.
enum OwnerFromRequest {
  static let lint = Lint(
    "owner-from-request", level: .on(.warning),
    summary: "an update takes the owner from the data that it writes",
    reason: """
      `request.resource.data` is the document as the client wants it to be. An update that only checks
      that the new owner is the client lets everyone take over every document, by writing their own ID
      into it. So does an update that only checks that the new document is in the client's own
      organization: a claim, or a document that is looked up, is compared with what the client sends. An
      update that also requires a role lets everyone with that role do so; the role of an admin is not
      reported. The stored document is `resource.data`.
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
      subject.allows.flatMap { allow -> [Diagnostic] in
        guard subject.outcomes(of: allow, for: .update, by: .signedIn).contains(.truth) else {
          return []
        }
        let ways = subject.ways(of: allow, for: .update)
        let found = ways.compactMap { ownership($0, among: ways, in: subject.terms) }
        let behindRole = found.first {
          $0.isBehindRole && isOwner($0.field, of: allow, in: subject)
        }
        return [found.first { !$0.isBehindRole }, behindRole].compactMap { $0 }.map {
          finding($0, of: allow, in: subject)
        }
      }
    })

  /// A comparison with a field that the client writes.
  private struct Comparison {
    var term: InlinedTerms.Term
    var field: String
    /// True if the field is compared with the client's ID.
    var isOfClient: Bool
    /// True if a claim or a stored document is demanded of the client, too.
    var isBehindRole = false
  }

  private static func finding(
    _ found: Comparison, of allow: AllowID, in subject: LintSubject
  ) -> Diagnostic {
    let place = subject.conditions[allow.index].place(of: found.term, in: subject.terms)
    let message =
      found.isBehindRole
      ? "anyone who is let in here may overwrite any of these documents by writing their own ID "
        + "into `\(found.field)`"
      : found.isOfClient
        ? "anyone who writes their own ID into `\(found.field)` may overwrite any of these "
          + "documents"
        : "anyone who sends a `\(found.field)` of their own may overwrite any of these documents"
    return Diagnostic.finding(
      message, at: place.map { subject.rules[$0].range }, label: "the data that the client sends",
      help: "for an update, compare the stored data: `resource.data.\(found.field)`")
  }

  /// Returns the comparison of a written field with the client in one alternative of an update, if nothing
  /// else there ties the client to the document, and no other alternative grants the same without it.
  private static func ownership(
    _ way: [InlinedTerms.Term], among ways: [[InlinedTerms.Term]], in terms: InlinedTerms
  ) -> Comparison? {
    var asksMore = false
    for part in way {
      for term in terms.terms(in: part) {
        switch terms[term] {
        case .resource, .opaque: return nil
        case .capture, .run: if terms.namesDocument(term) { return nil }
        case .builtin(let builtin, _): if builtin.isLookup { asksMore = true }
        case .member(let base, let name):
          if name == "path", terms[base] == .request { return nil }
          if terms.isWritten(base), name != "data" { return nil }
          if name == "token", terms.isAuth(base) { asksMore = true }
        case .literal, .request, .list, .map, .path, .not, .negate, .binary, .isType,
          .conditional, .index, .slice, .method:
          continue
        }
      }
    }
    let needed = way.filter { part in
      !ways.contains { other in other.allSatisfy { $0 != part && way.contains($0) } }
    }
    let grounds = needed.flatMap { terms.grounds(of: $0) }
    if !asksMore {
      return grounds.lazy.compactMap { term in
        ownField(term, terms) { terms.isClient($0) }.map {
          Comparison(term: term, field: $0, isOfClient: true)
        }
      }.first
    }
    let ofValue = grounds.lazy.compactMap { term in
      (ownField(term, terms) { terms.isClientValue($0) }
        ?? terms.parentField(term) { terms.writtenField($0) }?.written).map {
          Comparison(term: term, field: $0, isOfClient: false)
        }
    }.first
    if let ofValue { return ofValue }
    guard !asksForLeader(way, terms) else { return nil }
    return grounds.lazy.compactMap { term in
      ownField(term, terms) { terms.isClient($0) }.map {
        Comparison(term: term, field: $0, isOfClient: true, isBehindRole: true)
      }
    }.first
  }

  /// True if a conjunct demands a role whose name is that of those who may do everything, such as `admin`.
  private static func asksForLeader(
    _ way: [InlinedTerms.Term], _ terms: InlinedTerms
  ) -> Bool {
    let roles = way.filter { terms.asksForPrivilege($0) && terms.pinnedField($0) == nil }
    return roles.flatMap { terms.terms(in: $0) }.contains { term in
      switch terms[term] {
      case .literal(.string(let text)): PrivilegedName.isLeading(text)
      case .member(_, let name): PrivilegedName.isLeading(name)
      case .path(let segments):
        segments.contains { segment in
          switch segment {
          case .literal(let text): PrivilegedName.isLeading(text)
          case .value: false
          }
        }
      default: false
      }
    }
  }

  /// Beginnings of names for the last editor of a document, which each update sets.
  private static let editors = ["last", "updat", "modif", "edit", "chang", "review", "approv"]

  /// True if a field is named like the ID of an owner, or some statement for the documents checks that the
  /// stored one is the client's.
  private static func isOwner(
    _ field: String, of allow: AllowID, in subject: LintSubject
  ) -> Bool {
    let lower = field.lowercased()
    if Owner.isUser(Text(field))
      || lower.hasSuffix("id") && !editors.contains(where: { lower.hasPrefix($0) })
    {
      return true
    }
    let terms = subject.terms
    return subject.allows(covering: subject.rules[allow].match).contains { other in
      subject.conditions[other.index].terms.contains { term in
        guard case .binary(.equal, let one, let value) = terms[term] else { return false }
        return terms.isClient(one) && terms.storedField(value)?.written == field
          || terms.isClient(value) && terms.storedField(one)?.written == field
      }
    }
  }

  /// Returns the written field that a term compares with something of the client's.
  private static func ownField(
    _ term: InlinedTerms.Term, _ terms: InlinedTerms, _ isOwn: (InlinedTerms.Term) -> Bool
  ) -> String? {
    switch terms[term] {
    case .binary(.equal, let one, let other):
      (isOwn(one) ? terms.writtenField(other) : isOwn(other) ? terms.writtenField(one) : nil)?
        .written
    case .binary(.in, let key, let list): isOwn(list) ? terms.writtenField(key)?.written : nil
    default: nil
    }
  }
}
