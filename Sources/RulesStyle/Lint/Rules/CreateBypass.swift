import RulesLang

/// The lint for a create that can set what an update protects.
enum CreateBypass {
  /// The lint.
  static let lint = Lint(
    "create-bypass", level: .on(.warning),
    summary: "a create can set a field that an update protects",
    reason: """
      An update that keeps its client from changing `role` or `subscription` is worth little if the same
      client may create the document with any value there: a new account can do that, and so can a client
      that may delete the document and create it again. Reported for fields whose names suggest a
      permission, a payment or a status, such as `role`, `isAdmin`, `credits`, `points` or `status`, that
      every update of such a client leaves as they are or can only lower, and that the create does not
      check.
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

  /// One alternative of an update's condition.
  private struct Update {
    var allow: AllowID
    var parts: [InlinedTerms.Term]
    var privileges: Set<InlinedTerms.Term>
  }

  /// A field that an update protects, with the place of the check.
  private struct Protected: Hashable {
    var field: Text
    var part: InlinedTerms.Term
    var allow: AllowID
  }

  private static func found(of create: AllowID, in subject: LintSubject) -> Diagnostic? {
    let terms = subject.terms
    let statements = subject.allows(covering: subject.rules[create].match)
    let updates = statements.filter {
      subject.possibleMethods($0).contains(.update)
    }.flatMap { allow in
      subject.ways(of: allow, for: .update).map { parts in
        Update(allow: allow, parts: parts, privileges: privileges(of: parts, terms))
      }
    }
    var known: [Text]?
    for way in subject.ways(of: create, for: .create) {
      let own = privileges(of: way, terms)
      // Updates that require no other privileges than this way are open to its clients.
      let open = updates.filter { own.isSuperset(of: $0.privileges) }
      guard !open.isEmpty, open.contains(where: { own == $0.privileges }) else { continue }
      let fields = open.flatMap { update in
        update.parts.flatMap { part in
          var names = protected(by: part, terms)
          if changeable(by: part, terms) != nil {
            let mentioned = known ?? mentionedFields(by: statements, in: subject)
            known = mentioned
            names += mentioned.filter { protects($0, part, terms) }
          }
          return names.map { Protected(field: $0, part: part, allow: update.allow) }
        }
      }
      let free = fields.filter { each in
        isEarned(each.field)
          && open.allSatisfy { $0.parts.contains { protects(each.field, $0, terms) } }
          && way.allSatisfy { WrittenField.isLeftOpen(each.field, by: $0, in: terms) }
      }
      if !free.isEmpty { return report(create, free, in: subject) }
    }
    return nil
  }

  /// True if a field's name is that of a privilege, a payment or an achievement.
  private static func isEarned(_ field: Text) -> Bool {
    PrivilegedName.isOne(field) || PrivilegedName.isEarned(field)
  }

  /// Returns the fields of the stored or the written data that statements read, or allow to change.
  private static func mentionedFields(
    by statements: [AllowID], in subject: LintSubject
  ) -> [Text] {
    let terms = subject.terms
    var seen: Set<Text> = []
    return statements.flatMap { subject.conditions[$0.index].terms }.flatMap { term -> [Text] in
      if let field = terms.storedField(term) ?? terms.writtenField(term) { return [field.name] }
      return changeable(by: term, terms) ?? []
    }.filter { seen.insert($0).inserted }
  }

  private static func privileges(
    of parts: [InlinedTerms.Term], _ terms: InlinedTerms
  ) -> Set<InlinedTerms.Term> {
    Set(parts.filter { terms.asksForPrivilege($0) && terms.pinnedField($0) == nil })
  }

  /// Returns the fields that a client cannot raise or set by an update if a conjunct holds.
  private static func protected(
    by part: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> [Text] {
    func isKept(_ new: InlinedTerms.Term, _ old: InlinedTerms.Term) -> Text? {
      guard let field = terms.writtenField(new), terms.storedField(old) == field else {
        return nil
      }
      return field.name
    }
    switch terms[part] {
    case .binary(.equal, let one, let other):
      return [isKept(one, other) ?? isKept(other, one)].compactMap { $0 }
    case .binary(.lessEqual, let new, let old), .binary(.less, let new, let old),
      .binary(.greaterEqual, let old, let new), .binary(.greater, let old, let new):
      return [isKept(new, old)].compactMap { $0 }
    case .not(let inner): return named(by: inner, terms)
    case .method(let keys, "hasAll", let arguments) where arguments.count == 1:
      return terms.isDifference(keys, "unchangedKeys") ? terms.names(in: arguments[0]) ?? [] : []
    default: return []
    }
  }

  /// Returns the fields any one of which makes a term true if it is changed, or if the written document has
  /// it.
  private static func named(by term: InlinedTerms.Term, _ terms: InlinedTerms) -> [Text] {
    func areWritten(_ keys: InlinedTerms.Term) -> Bool {
      if case .method(let data, "keys", _) = terms[keys] { return terms.isWrittenData(data) }
      return terms.isWrittenData(keys) || terms.isDifference(keys, "affectedKeys")
    }
    switch terms[term] {
    case .binary(.in, let key, let keys):
      return areWritten(keys) ? [terms.text(key)].compactMap { $0 } : []
    case .method(let keys, "hasAny", let arguments) where arguments.count == 1:
      return areWritten(keys) ? terms.names(in: arguments[0]) ?? [] : []
    default: return []
    }
  }

  /// True if a conjunct keeps an update from changing a field: by its name, or by listing those that may
  /// change.
  private static func protects(
    _ field: Text, _ part: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> Bool {
    if protected(by: part, terms).contains(field) { return true }
    return changeable(by: part, terms).map { !$0.contains(field) } ?? false
  }

  /// Returns the fields to which changes are limited by a conjunct; nil if it does not limit them.
  private static func changeable(
    by part: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> [Text]? {
    guard case .method(let keys, "hasOnly", let arguments) = terms[part], arguments.count == 1,
      terms.isDifference(keys, "affectedKeys")
    else { return nil }
    return terms.names(in: arguments[0])
  }

  private static func report(
    _ create: AllowID, _ free: [Protected], in subject: LintSubject
  ) -> Diagnostic {
    var names: [Text] = []
    for each in free where !names.contains(each.field) { names.append(each.field) }
    let what = names.map { "`\(String($0))`" }.listed
    return Diagnostic.finding(
      "a create can set \(what), which an update protects", at: subject.operations(create),
      label: "does not check \(names.count == 1 ? "it" : "them")",
      help: "check it here, too, for example `!('\(String(names[0]))' in request.resource.data)`"
    ).relating(
      free.map { (allow: $0.allow, term: $0.part) }, in: subject, as: "is protected only here")
  }
}
