/// A create that may set what an update protects.
enum CreateBypass {
  /// The lint.
  static let lint = Lint(
    "create-bypass", level: .on(.warning),
    summary: "a create can set a field that an update protects",
    reason: """
      An update that keeps its client from changing `role` or `subscription` is worth little if the same
      client may create the document with any value there: a new account does, and so does whoever may
      delete the document and create it again. Reported of fields whose names say what somebody may do or
      has paid for, such as `role`, `isAdmin`, `verified` or `credits`, that every update of such a client
      leaves as they are, and of which a create says nothing.
      """,
    avoid: """
      match /profiles/{userId} {
        allow create: if request.auth != null && request.auth.uid == userId;
        allow update: if request.auth != null && request.auth.uid == userId
          && !request.resource.data.diff(resource.data).affectedKeys().hasAny(['subscription']);
      }
      """,
    prefer: """
      match /profiles/{userId} {
        allow create: if request.auth != null && request.auth.uid == userId
          && !('subscription' in request.resource.data);
        allow update: if request.auth != null && request.auth.uid == userId
          && !request.resource.data.diff(resource.data).affectedKeys().hasAny(['subscription']);
      }
      """,
    find: { subject in
      subject.allows.compactMap { create in
        guard subject.possibleMethods(create).contains(.create) else { return nil }
        return found(of: create, in: subject)
      }
    })

  /// One way to be granted an update.
  private struct Update {
    var allow: AllowID
    var parts: [InlinedTerms.Term]
    var privileges: Set<InlinedTerms.Term>
  }

  /// A field that an update protects, and where.
  private struct Protected: Hashable {
    var field: Text
    var part: InlinedTerms.Term
    var allow: AllowID
  }

  private static func found(of create: AllowID, in subject: LintSubject) -> Diagnostic? {
    let terms = subject.terms
    let updates = subject.allows(covering: subject.rules[create].match).filter {
      subject.possibleMethods($0).contains(.update)
    }.flatMap { allow in
      subject.ways(of: allow, for: .update).map { parts in
        Update(allow: allow, parts: parts, privileges: privileges(of: parts, terms))
      }
    }
    for way in subject.ways(of: create, for: .create) {
      let own = privileges(of: way, terms)
      // Updates that ask for some of the privileges of this way are open to its clients.
      let open = updates.filter { own.isSuperset(of: $0.privileges) }
      guard !open.isEmpty, open.contains(where: { own == $0.privileges }) else { continue }
      let fields = open.flatMap { update in
        update.parts.flatMap { part in
          protected(by: part, terms).map { Protected(field: $0, part: part, allow: update.allow) }
        }
      }
      let free = fields.filter { each in
        PrivilegedName.isOne(each.field)
          && open.allSatisfy { $0.parts.contains { protects(each.field, $0, terms) } }
          && way.allSatisfy { WrittenField.isLeftOpen(each.field, by: $0, in: terms) }
      }
      if !free.isEmpty { return report(create, free, in: subject) }
    }
    return nil
  }

  private static func privileges(
    of parts: [InlinedTerms.Term], _ terms: InlinedTerms
  ) -> Set<InlinedTerms.Term> {
    Set(parts.filter { terms.asksForPrivilege($0) })
  }

  /// The fields that are after an update what they were before where a part of its condition holds.
  private static func protected(
    by part: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> [Text] {
    switch terms[part] {
    case .binary(.equal, let one, let other):
      for (new, old) in [(one, other), (other, one)] {
        if let field = terms.writtenField(new), terms.storedField(old) == field {
          return [field.name]
        }
      }
      return []
    case .not(let inner):
      guard case .method(let keys, "hasAny", let arguments) = terms[inner],
        case .method(let diff, "affectedKeys", _) = terms[keys],
        case .method(let data, "diff", _) = terms[diff],
        terms.isWrittenData(data) || terms.isStoredData(data), arguments.count == 1,
        case .list(let names) = terms[arguments[0]]
      else { return [] }
      return names.compactMap { terms.text($0) }
    default: return []
    }
  }

  /// True if a part keeps an update from changing a field: by its name, or by those that may change.
  private static func protects(
    _ field: Text, _ part: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> Bool {
    if protected(by: part, terms).contains(field) { return true }
    guard case .method(let keys, "hasOnly", let arguments) = terms[part],
      case .method(_, "affectedKeys", _) = terms[keys], arguments.count == 1,
      case .list(let names) = terms[arguments[0]]
    else { return false }
    return !names.contains { terms.text($0) == field }
  }

  private static func report(
    _ create: AllowID, _ free: [Protected], in subject: LintSubject
  ) -> Diagnostic {
    var names: [Text] = []
    for each in free where !names.contains(each.field) { names.append(each.field) }
    let what = names.map { "`\(String($0))`" }.listed
    return Diagnostic.finding(
      "a create can set \(what), which an update protects", at: subject.operations(create),
      label: "says nothing of \(names.count == 1 ? "it" : "them")",
      help: "check it here, too, for example `!('\(String(names[0]))' in request.resource.data)`"
    ).relating(
      free.map { (allow: $0.allow, term: $0.part) }, in: subject, as: "is protected only here")
  }
}
