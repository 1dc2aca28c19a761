import RulesLang

/// The lint for a recursive wildcard that grants more of the document around it than the document's own block
/// does.
enum ZeroSegments {
  /// The lint.
  static let lint = Lint(
    "zero-segments", level: .on(.warning),
    summary: "a recursive wildcard below a document also matches that document",
    reason: """
      In version 2 `{name=**}` matches any number of segments, also none: `/users/{id}/{rest=**}` matches
      everything below a user, and the user's document itself. Statements only add access, so a client
      that satisfies a statement there bypasses the statements of the document, whatever they restrict or
      deny. To match only what is below, name the first segment: `/{collection}/{rest=**}`. Nothing is
      reported if a statement of the document requires nothing that the wildcard's does not require.
      """,
    avoid: """
      match /users/{userId} {
        allow update: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.name is string;
        match /{rest=**} {
          allow write: if request.auth != null && request.auth.uid == userId;
        }
      }
      """,
    prefer: """
      match /users/{userId} {
        allow update: if request.auth != null && request.auth.uid == userId
                      && request.resource.data.name is string;
        match /posts/{postId} {
          allow update, delete: if request.auth != null && request.auth.uid == userId;
        }
      }
      """,
    find: { subject in
      subject.allows.compactMap { wide in
        let voided = voided(by: wide, in: subject)
        return voided.map { finding(wide, $0, subject) }
      }
    })

  /// Access to a document through a statement below a glob inside of it.
  struct Voided {
    /// The methods that the document's own statements do not grant to all clients that the other one lets in.
    var methods: MethodSet = []
    /// The document's own statements for these methods.
    var statements: [AllowID] = []
    /// The document's block.
    var block: MatchID
    /// The clients that have access.
    var who: String
  }

  /// Returns the access that a statement below a glob grants beyond the document's own statements; nil if
  /// there is none.
  static func voided(by wide: AllowID, in subject: LintSubject) -> Voided? {
    let match = subject.rules[wide].match
    guard subject.rules.version == .two, let document = document(around: match, in: subject) else {
      return nil
    }
    let blocks = subject.matches.filter {
      isSpecial(subject.checked.matches[$0.index].pattern, of: document)
        && !subject.rules[$0].allows.isEmpty
    }
    guard let block = blocks.first, subject.parts(of: wide, in: block) != nil else { return nil }
    var found = Voided(block: block, who: who(wide, subject))
    let own = blocks.flatMap { subject.rules[$0].allows }
    for method in subject.possibleMethods(wide).methods {
      if subject.facts.refuted.contains(.exceeds(wide, method)) { continue }
      let narrow = own.filter { subject.checked.methods[$0.index].contains(method) }
      if narrow.contains(where: { isAsWide($0, as: wide, for: method, in: subject) }) { continue }
      found.methods.formUnion(MethodSet(method))
      for each in narrow where !found.statements.contains(each) { found.statements.append(each) }
    }
    found.statements.sort { subject.line($0) < subject.line($1) }
    return found.methods.isEmpty ? nil : found
  }

  /// Returns guesses that a statement below a glob grants more than the document's own statements.
  static func guesses(in subject: LintSubject) -> [LintGuess] {
    subject.allows.flatMap { wide -> [LintGuess] in
      let match = subject.rules[wide].match
      guard let found = voided(by: wide, in: subject),
        let pattern = document(around: match, in: subject),
        let text = subject.text(wide, in: pattern)
      else { return [] }
      let blocks = subject.matches.filter {
        isSpecial(subject.checked.matches[$0.index].pattern, of: pattern)
          && !subject.rules[$0].allows.isEmpty
      }
      // A block for one of the documents restricts no other one.
      guard
        blocks.allSatisfy({
          isSpecial(pattern, of: subject.checked.matches[$0.index].pattern)
        })
      else { return [] }
      let own = blocks.flatMap { subject.rules[$0].allows }
      return found.methods.methods.compactMap { method -> LintGuess? in
        var statements: [(methods: MethodSet, text: String)] = []
        for narrow in own where subject.checked.methods[narrow.index].contains(method) {
          guard let text = subject.text(narrow, in: pattern) else { return nil }
          statements.append((MethodSet(method), text))
        }
        return subject.guess(
          .exceeds(wide, method), in: pattern, statements,
          statements + [(MethodSet(method), text)])
      }
    }
  }

  /// True if a statement of the document grants a method to all clients that the one below the glob lets in.
  private static func isAsWide(
    _ narrow: AllowID, as wide: AllowID, for method: Method, in subject: LintSubject
  ) -> Bool {
    if subject.implies(wide, narrow, for: method) { return true }
    let clients: [AbstractRequest.Client] = [.signedOut, .signedIn]
    return clients.allSatisfy { client in
      subject.outcomes(of: narrow, for: method, by: client) == .truth
        || !subject.outcomes(of: wide, for: method, by: client).contains(.truth)
    }
  }

  private static func who(_ wide: AllowID, _ subject: LintSubject) -> String {
    let methods = subject.possibleMethods(wide).methods
    for (client, who) in [
      (AbstractRequest.Client.signedOut, "anyone"), (.signedIn, "every signed-in user"),
    ] where methods.allSatisfy({ subject.outcomes(of: wide, for: $0, by: client) == .truth }) {
      return who
    }
    return "clients that line \(subject.line(wide)) lets in"
  }

  /// Returns the pattern of the document that a block with a glob at its end matches if the glob matches no
  /// segments; nil if that is not a document.
  private static func document(
    around match: MatchID, in subject: LintSubject
  ) -> [PatternStep]? {
    let facts = subject.checked.matches[match.index]
    guard facts.isReachable, case .glob = facts.pattern.last,
      let root = facts.pattern.firstIndex(of: .literal("documents"))
    else { return nil }
    let steps = Array(facts.pattern.dropLast())
    let count = steps.count - root - 1
    let isPlain = steps.allSatisfy { step in
      if case .glob = step { return false }
      return true
    }
    return isPlain && count > 0 && count.isMultiple(of: 2) ? steps : nil
  }

  /// True if a pattern matches only some of the documents that another one matches.
  private static func isSpecial(_ pattern: [PatternStep], of wide: [PatternStep]) -> Bool {
    pattern.count == wide.count
      && zip(pattern, wide).allSatisfy { one, other in
        switch (one, other) {
        case (.literal(let one), .literal(let other)): one == other
        case (.literal, .capture), (.capture, .capture): true
        case (.glob, _), (_, .glob), (.capture, .literal): false
        }
      }
  }

  private static func finding(
    _ wide: AllowID, _ voided: Voided, _ subject: LintSubject
  ) -> Diagnostic {
    let methods = voided.methods.methods
    let path = subject.sample(voided.block)
    let line = subject.line(wide)
    let other =
      voided.statements.isEmpty
      ? "line \(line) can grant it, and nothing else does"
      : "line \(line) can grant it, whatever \(subject.lines(voided.statements)) "
        + (voided.statements.count == 1 ? "requires" : "require")
    let example = methods[0].word + " " + (methods[0] == .list ? "a collection of " : "") + path
    var finding = Diagnostic.finding(
      "\(voided.who) can \(methods.listed) the document itself: `**` also matches zero segments",
      at: subject.rules[subject.rules[wide].match].patternRange,
      help: "to match only what is below the document: `/{collection}/{rest=**}`")
    if voided.statements.isEmpty {
      finding = finding.relating(
        subject.rules[voided.block].patternRange, as: "does not grant this")
    }
    for narrow in voided.statements {
      finding = finding.relating(
        subject.operations(narrow),
        as: "does not \(subject.isDeny(narrow) ? "deny" : "restrict") clients that line \(line) "
          + "lets in")
    }
    return OverridingWildcard.adding(
      to: finding.noting("for example `\(example)`: \(other)"), wide, in: subject)
  }
}

extension LintSubject {
  /// Returns a sample document of a block: captures become names that begin like their own.
  func sample(_ match: MatchID) -> String {
    let facts = checked.matches[match.index]
    let root = facts.pattern.firstIndex(of: .literal("documents")) ?? -1
    return facts.pattern[(root + 1)...].map { step in
      switch step {
      case .literal(let text): "/" + String(text)
      case .capture, .glob: "/a"
      }
    }.joined()
  }
}
