/// A recursive wildcard that grants more of the document around it than its own block does.
enum ZeroSegments {
  /// The lint.
  static let lint = Lint(
    "zero-segments", level: .on(.warning),
    summary: "a recursive wildcard below a document is for that document, too",
    reason: """
      In version 2 `{name=**}` matches any number of segments, also none: `/users/{id}/{rest=**}` is for
      everything below a user, and for the user's document itself. Statements only ever add access, so a
      wider statement there makes the narrower one of the document meaningless. To match only what is
      below, name the first segment: `/{collection}/{rest=**}`.
      """,
    avoid: """
      match /users/{userId} {
        allow update: if request.auth != null && request.auth.uid == userId;
        match /{rest=**} {
          allow write: if request.auth != null;
        }
      }
      """,
    prefer: """
      match /users/{userId} {
        allow update: if request.auth != null && request.auth.uid == userId;
        match /posts/{postId} {
          allow update, delete: if request.auth != null && request.auth.uid == userId;
        }
      }
      """,
    find: { subject in
      guard subject.rules.version == .two else { return [] }
      return subject.matches.flatMap { match -> [Diagnostic] in
        guard let document = document(around: match, in: subject) else { return [] }
        let narrow = subject.matches.filter {
          isSpecial(subject.checked.matches[$0.index].pattern, of: document)
        }
        return subject.rules[match].allows.compactMap { report($0, over: narrow, in: subject) }
      }
    })

  /// The pattern of the document that a block with a glob at its end is for if the glob matches nothing;
  /// nil if that is none.
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

  /// Whether a pattern is for documents that another is for, and for no others.
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

  /// What a statement below the glob grants, whatever those of the document ask for.
  private static func report(
    _ wide: AllowID, over blocks: [MatchID], in subject: LintSubject
  ) -> Diagnostic? {
    for (client, who) in [
      (AbstractRequest.Client.signedOut, "anybody"), (.signedIn, "every signed-in user"),
    ] {
      let granted = subject.checked.methods[wide.index].methods.filter {
        subject.outcomes(of: wide, for: $0, by: client) == .truth
      }
      for block in blocks {
        let allows = subject.rules[block].allows
        if allows.isEmpty { continue }
        let methods = granted.filter { method in
          allows.allSatisfy { subject.outcomes(of: $0, for: method, by: client) != .truth }
        }
        guard let first = methods.first else { continue }
        let narrow = allows.first { subject.checked.methods[$0.index].contains(first) }
        return finding(wide, methods, who, narrow, in: block, subject)
      }
    }
    return weaker(wide, over: blocks, in: subject)
  }

  /// The same for a statement that asks for some of the parts that a statement of the document asks for.
  private static func weaker(
    _ wide: AllowID, over blocks: [MatchID], in subject: LintSubject
  ) -> Diagnostic? {
    let parts = subject.parts(of: wide)
    let line = subject.rules.source.line(of: subject.rules[wide].keyword.start)
    for block in blocks {
      for narrow in subject.rules[block].allows {
        let shared = subject.checked.methods[wide.index]
          .intersection(subject.checked.methods[narrow.index])
        let all = subject.parts(of: narrow)
        guard !shared.isEmpty, parts.count < all.count, parts.allSatisfy({ all.contains($0) }),
          !all.contains(["false"])
        else { continue }
        return finding(
          wide, shared.methods, "whoever line \(line) lets in", narrow, in: block, subject)
      }
    }
    return nil
  }

  private static func finding(
    _ wide: AllowID, _ methods: [Method], _ who: String, _ narrow: AllowID?, in block: MatchID,
    _ subject: LintSubject
  ) -> Diagnostic {
    let source = subject.rules.source
    let path = subject.sample(block)
    let line = source.line(of: subject.rules[wide].keyword.start)
    let other =
      narrow.map { "line \(source.line(of: subject.rules[$0].keyword.start)) asks for more" }
      ?? "nothing else grants it"
    let example = methods[0].word + " " + (methods[0] == .list ? "a collection of " : "") + path
    let match = subject.rules[wide].match
    return Diagnostic.finding(
      "\(who) can \(methods.listed) the document itself: `**` matches no segment, too",
      at: subject.rules[match].patternRange,
      help: "to match only what is below the document: `/{collection}/{rest=**}`"
    ).relating(
      narrow.map { subject.operations($0) } ?? subject.rules[block].patternRange,
      as: narrow == nil ? "does not grant this" : "this restricts nothing"
    ).noting("for example `\(example)`: \(other), and line \(line) grants it")
  }
}

extension LintSubject {
  /// A document that a block is for: captures stand for names that their own begin with.
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
