import RulesLang

/// The lint for an update that can break what a create checks.
enum UpdateBypass {
  /// The lint.
  static let lint = Lint(
    "update-bypass", level: .on(.warning),
    summary: "an update can write what a create refuses",
    reason: """
      A create that checks its data is worth nothing if the same clients may then update the document to
      anything: they create valid data, and change it. Reported for an update that does not check what
      the create checks: the type, size or values of a field, its comparison with the client
      (`request.resource.data.email == request.auth.token.email`), or which fields there are. The update
      must require no claim and no stored document that the create does not require. A value with which
      documents merely begin, such as `status == 'draft'`, is named only beside others, unless the field
      is called `role`, `isAdmin`, `verified`, `credits` or the like. Not reported if the update leaves
      the field alone, through `affectedKeys().hasOnly` or a comparison with the stored value. Put the
      checks into a function that both call. `check --deep` proves each of these findings or leaves it
      out, and finds updates that check a field less than the create does.
      """,
    avoid: """
      match /posts/{postId} {
        allow create: if request.resource.data.author == request.auth.uid
                      && request.resource.data.title is string
                      && request.resource.data.title.size() < 100;
        allow update: if resource.data.author == request.auth.uid
                      && request.resource.data.author == resource.data.author;
      }
      """,
    prefer: """
      match /posts/{postId} {
        function isValid(post) {
          return post.title is string && post.title.size() < 100;
        }
        allow create: if request.resource.data.author == request.auth.uid
                      && isValid(request.resource.data);
        allow update: if resource.data.author == request.auth.uid
                      && request.resource.data.author == resource.data.author
                      && isValid(request.resource.data);
      }
      """,
    find: { subject in
      subject.allows.compactMap { update in
        guard subject.possibleMethods(update).contains(.update) else { return nil }
        let broken = broken(by: update, in: subject)
        guard broken.contains(where: { !isFirstValue($0.term, subject.terms) }) else { return nil }
        return report(update, broken, in: subject)
      }
    })

  /// A check of a create, with its place.
  private struct Check {
    var term: InlinedTerms.Term
    var create: AllowID
    /// True if the update checks the field, but less strictly.
    var isWeak = false
  }

  /// One alternative of a create's or an update's condition.
  private struct Alternative {
    var allow: AllowID
    var parts: [InlinedTerms.Term]
    /// The conjuncts that demand something of the client.
    var privileges: Set<InlinedTerms.Term>
  }

  private static func alternatives(
    of allow: AllowID, for method: Method, in subject: LintSubject
  ) -> [Alternative] {
    subject.ways(of: allow, for: method).map { parts in
      Alternative(
        allow: allow, parts: parts,
        privileges: Set(
          parts.filter {
            subject.terms.asksForPrivilege($0) && subject.terms.pinnedField($0) == nil
          }))
    }
  }

  /// Returns the checks of creates that an update by the same client may break.
  private static func broken(by update: AllowID, in subject: LintSubject) -> [Check] {
    let creates = creates(covering: subject.rules[update].match, in: subject)
    var found: [Check] = []
    for (place, way) in alternatives(of: update, for: .update, in: subject).enumerated() {
      for check in checks(of: creates, for: way, in: subject)
      where !found.contains(where: { $0.term == check.term }) {
        let key = LintGuess.Key.breaks(update, way: place, check: check.term.index)
        let isOpen = isLeftOpen(check.term, by: way.parts, subject.terms)
        if isOpen ? !subject.facts.refuted.contains(key) : subject.facts.shown.contains(key) {
          found.append(Check(term: check.term, create: check.create, isWeak: !isOpen))
        }
      }
    }
    return found
  }

  /// Returns guesses that an update can write what a check of a create refuses, for updates without a check
  /// of the field and for those with another one.
  static func guesses(in subject: LintSubject) -> [LintGuess] {
    subject.allows.filter { subject.possibleMethods($0).contains(.update) }.flatMap { update in
      let match = subject.rules[update].match
      let pattern = subject.checked.matches[match.index].pattern
      let creates = creates(covering: match, in: subject)
      return alternatives(of: update, for: .update, in: subject).enumerated().flatMap {
        place, way in
        checks(of: creates, for: way, in: subject).compactMap { check -> LintGuess? in
          let isOpen = isLeftOpen(check.term, by: way.parts, subject.terms)
          guard isOpen || isGuessed(check.term, way.parts, subject.terms) else { return nil }
          var text = TermText(subject.terms, in: pattern)
          guard let written = text.conjunction([check.term]),
            let stored = text.conjunction([check.term], aboutStored: true),
            let granted = text.conjunction(way.parts)
          else { return nil }
          let methods = MethodSet(.update)
          return subject.guess(
            .breaks(update, way: place, check: check.term.index), in: pattern,
            [(methods, "\(stored) && \(granted) && \(written)")],
            [(methods, "\(stored) && \(granted)")])
        }
      }
    }
  }

  /// True if an update that checks the field in another way may still break a check, and not as a step that
  /// the rules intend, such as from one status to the next.
  private static func isGuessed(
    _ check: InlinedTerms.Term, _ parts: [InlinedTerms.Term], _ terms: InlinedTerms
  ) -> Bool {
    if parts.contains(check) || isFirstValue(check, terms) || isAboutPresence(check, terms)
      || terms.pinnedField(check) != nil
    {
      return false
    }
    if case .binary(.in, let key, _) = terms[check], terms.text(key) == nil {
      return terms.writtenFields(in: check).names.contains { PrivilegedName.isOne($0) }
    }
    return true
  }

  private static func creates(
    covering match: MatchID, in subject: LintSubject
  ) -> [Alternative] {
    subject.allows(covering: match).filter {
      subject.possibleMethods($0).contains(.create)
    }.flatMap { alternatives(of: $0, for: .create, in: subject) }
  }

  /// Returns the checks of each create that can be granted to a client who is granted an update by one
  /// alternative.
  private static func checks(
    of creates: [Alternative], for way: Alternative, in subject: LintSubject
  ) -> [Check] {
    guard creates.allSatisfy({ $0.privileges.isSuperset(of: way.privileges) }) else { return [] }
    let equal = creates.filter { $0.privileges == way.privileges }
    let near = equal.isEmpty ? creates : equal
    guard let first = near.first else { return [] }
    return first.parts.filter { part in
      (subject.terms.isAboutWrittenDataAlone(part)
        || first.allow != way.allow && isPinned(part, by: way, in: subject))
        && near.allSatisfy { $0.parts.contains(part) }
    }.map { Check(term: $0, create: first.allow) }
  }

  /// True if a conjunct pins a field to the client, and no other lint reports what an update leaves of that:
  /// `unpinned-owner` reports stored fields that it compares, `open-write` updates by everybody. An ID that
  /// only repeats the one in the path does not count, because no rule relies on it.
  private static func isPinned(
    _ part: InlinedTerms.Term, by update: Alternative, in subject: LintSubject
  ) -> Bool {
    let terms = subject.terms
    let isOpen = update.parts.allSatisfy { terms[$0] == .literal(.bool(true)) }
    guard let field = terms.pinnedField(part), !isOpen else { return false }
    let isOfPath = update.parts.contains { other in
      guard case .binary(.equal, let one, let other) = terms[other] else { return false }
      return terms.isClient(one) && terms.namesDocument(other)
        || terms.isClient(other) && terms.namesDocument(one)
    }
    if isOfPath, terms.terms(in: part).contains(where: { terms.isClient($0) }) { return false }
    return !subject.conditions[update.allow.index].terms.contains {
      terms.storedField($0)?.name == field.name
    }
  }

  /// True if an update whose conjuncts hold can write what a check refuses.
  private static func isLeftOpen(
    _ check: InlinedTerms.Term, by parts: [InlinedTerms.Term], _ terms: InlinedTerms
  ) -> Bool {
    if parts.contains(check) { return false }
    let names = terms.writtenFields(in: check).names
    if isAboutPresence(check, terms) {
      // Other conditions on the field may require that it exists, and its type.
      let told = parts.flatMap { terms.writtenFields(in: $0).names }
      if names.contains(where: { told.contains($0) }) { return false }
    }
    let fields: [Text?] = names.isEmpty ? [nil] : names.map { Optional($0) }
    return fields.allSatisfy { field in
      parts.allSatisfy { WrittenField.isLeftOpen(field, by: $0, in: terms) }
    }
  }

  private static func isAboutPresence(
    _ check: InlinedTerms.Term, _ terms: InlinedTerms
  ) -> Bool {
    switch terms[check] {
    case .isType: true
    case .binary(.in, let key, _): terms.text(key) != nil
    case .method(_, let name, _): name == "hasAll"
    default: false
    }
  }

  /// True if a check only sets the initial value of a field, and the field grants its owner no privilege.
  private static func isFirstValue(_ check: InlinedTerms.Term, _ terms: InlinedTerms) -> Bool {
    func isPrivileged(_ term: InlinedTerms.Term) -> Bool {
      terms.writtenField(term).map { PrivilegedName.isOne($0.name) } ?? false
    }
    func isConstant(_ term: InlinedTerms.Term) -> Bool {
      switch terms[term] {
      case .literal, .list, .map, .negate: true
      default: false
      }
    }
    switch terms[check] {
    case .binary(.equal, let one, let other):
      return [one, other].contains { isConstant($0) }
        && ![one, other].contains { isPrivileged($0) }
    case .not(let operand): return !isPrivileged(operand)
    case .member: return !isPrivileged(check)
    default: return false
    }
  }

  private static func report(
    _ update: AllowID, _ broken: [Check], in subject: LintSubject
  ) -> Diagnostic {
    var names: [String] = []
    var isAboutNames = false
    for check in broken {
      let fields = subject.terms.writtenFields(in: check.term).names.map { "`\(String($0))`" }
      isAboutNames = isAboutNames || fields.isEmpty
      for each in fields where !names.contains(each) { names.append(each) }
    }
    let shown =
      names.prefix(5) + (names.count > 5 ? ["\(names.count - 5) more"] : [])
      + (isAboutNames ? ["which fields there are"] : [])
    let what = Array(shown).listed
    let finding = Diagnostic.finding(
      "an update can bypass what the create checks about \(what)", at: subject.operations(update),
      label: broken.contains { $0.isWeak }
        ? "checks less" : "does not check \(names.count == 1 && !isAboutNames ? "it" : "them")",
      help: "check it here, too, in a function that both call, or let the update change other "
        + "fields only")
    return finding.relating(
      broken.map { (allow: $0.create, term: $0.term) }, in: subject, as: "is checked only here"
    ).noting(
      "for example, clients that line \(subject.line(update)) lets in can write what line "
        + "\(subject.line(broken[0].create)) refuses")
  }
}
