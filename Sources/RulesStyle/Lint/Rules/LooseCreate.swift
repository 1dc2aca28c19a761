import RulesLang

/// The lint for a create that does not check the IDs in the path that all statements beside it check.
enum LooseCreate {
  /// The lint.
  static let lint = Lint(
    "loose-create", level: .on(.warning),
    summary: "a create lacks a check that every other statement of the block has",
    reason: """
      If every read, update and delete of a block checks the user or the group in the path and a create
      does not, clients can create documents below those of others: a message in a chat that they are not
      in, or a report below another user. Reported for a create that checks who writes, as by `senderId
      == request.auth.uid`, but uses no path variable, no lookup and no claim. If strangers may do that,
      such as send a request to a user, silence it.
      """,
    avoid: """
      match /chats/{chat}/messages/{message} {
        allow read: if request.auth != null && request.auth.uid
          in get(/databases/$(database)/documents/chats/$(chat)).data.members;
        allow create: if request.auth != null && request.resource.data.sender == request.auth.uid;
      }
      """,
    prefer: """
      match /chats/{chat}/messages/{message} {
        function isMember() {
          return request.auth != null && request.auth.uid
            in get(/databases/$(database)/documents/chats/$(chat)).data.members;
        }
        allow read: if isMember();
        allow create: if isMember() && request.resource.data.sender == request.auth.uid;
      }
      """,
    find: { subject in
      subject.matches.flatMap { match -> [Diagnostic] in
        let all = subject.rules[match].allows.filter { subject.takesPart($0) }
        return all.compactMap { create in
          guard subject.checked.methods[create.index].contains(.create),
            subject.possibleMethods(create).contains(.create)
          else { return nil }
          return found(of: create, beside: all, in: subject)
        }
      }
    })

  private static func found(
    of create: AllowID, beside all: [AllowID], in subject: LintSubject
  ) -> Diagnostic? {
    let terms = subject.terms
    guard
      subject.ways(of: create, for: .create).contains(where: { saysOnlyWhoWrites($0, terms) })
    else { return nil }
    let pattern = subject.checked.matches[subject.rules[create].match.index].pattern
    var asked: [InlinedTerms.Term] = []
    var statement: AllowID?
    for other in all where other != create {
      let methods = subject.possibleMethods(other).subtracting(MethodSet(.create))
      for way in methods.methods.flatMap({ subject.ways(of: other, for: $0) }) {
        if let part = way.first(where: { asksForPath($0, pattern, terms) }) {
          asked.append(part)
          statement = statement ?? other
        } else if !way.contains(where: { terms.asksForPrivilege($0) }) {
          return nil
        }
      }
    }
    guard let statement, let first = asked.first else { return nil }
    let place = subject.conditions[statement.index].place(of: first, in: terms)
    return Diagnostic.finding(
      "anyone who signs in can create these documents, whatever IDs the path has",
      at: subject.operations(create), label: "checks less than the statements beside it",
      help: "check the user or the group in the path here, too"
    ).relating(
      place.map { subject.rules[$0].range } ?? subject.operations(statement),
      as: "is checked only here")
  }

  /// True if the conjuncts say that a field is the client's ID, and nothing about who that may be.
  private static func saysOnlyWhoWrites(
    _ way: [InlinedTerms.Term], _ terms: InlinedTerms
  ) -> Bool {
    let isPinned = way.contains { part in
      guard case .binary(.equal, let one, let other) = terms[part] else { return false }
      return terms.isClient(one) && terms.writtenField(other) != nil
        || terms.isClient(other) && terms.writtenField(one) != nil
    }
    return isPinned
      && way.allSatisfy { part in
        !terms.asksForPrivilege(part)
          && !terms.terms(in: part).contains { term in
            terms.namesDocument(term) || terms[term] == .resource
              || terms.isMember(term, "path") { $0 == .request }
              || terms.isMember(term, "id") { _ in true }
          }
      }
  }

  /// True if a conjunct compares the client's ID with one in the path, or searches for the client by an ID of
  /// an outer document. A search by the document's own ID does not count: a create founds that document.
  private static func asksForPath(
    _ part: InlinedTerms.Term, _ pattern: [PatternStep], _ terms: InlinedTerms
  ) -> Bool {
    if case .binary(.equal, let one, let other) = terms[part],
      terms.isClient(one) && terms.namesDocument(other)
        || terms.isClient(other) && terms.namesDocument(one)
    {
      return true
    }
    let all = terms.terms(in: part)
    return all.contains { terms.isClient($0) }
      && all.contains { term in
        guard case .capture(let place) = terms[term] else { return false }
        return terms.namesDocument(term) && place >= 0 && place < pattern.count - 1
      }
  }
}
