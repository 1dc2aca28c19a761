import RulesLang

/// The lint for a statement with `if false` whose methods another statement grants.
enum PowerlessDeny {
  /// The lint.
  static let lint = Lint(
    "powerless-deny", level: .on(.warning), summary: "`if false` denies nothing",
    reason: """
      A statement can only grant. `allow delete: if false` beside a statement that grants `write`
      denies nothing: the other one still grants the delete. The other one may be in any block that
      matches the same documents, such as a `/{name=**}` further out or beside it, and may have any
      condition: a client that satisfies it is not denied. `allow write: if false` after an `allow
      create` of the same block says "nothing else", and is not reported.
      """,
    avoid: """
      match /groups/{group} {
        allow delete: if false;
        match /{document=**} {
          allow write: if request.auth != null && request.auth.uid == group;
        }
      }
      """,
    prefer: """
      match /groups/{group} {
        allow delete: if false;
        match /notes/{note} {
          allow write: if request.auth != null && request.auth.uid == group;
        }
      }
      """,
    find: { subject in
      subject.allows.filter { subject.isDeny($0) }.compactMap { deny in
        let others = subject.allows(covering: subject.rules[deny].match).compactMap {
          granted(by: $0, despite: deny, subject)
        }
        return report(deny, others, in: subject)
      }
    })

  /// A statement that grants what another one seems to deny.
  private struct Grant {
    var allow: AllowID
    var methods: MethodSet
    var isBeside: Bool
  }

  private static func granted(
    by other: AllowID, despite deny: AllowID, _ subject: LintSubject
  ) -> Grant? {
    let (wide, own) = (subject.rules[other].match, subject.rules[deny].match)
    let denied = subject.checked.methods[deny.index]
    let granted = subject.possibleMethods(other).intersection(denied).methods.reduce(
      MethodSet()
    ) { set, method in
      let key = LintGuess.Key.grants(other, method, despite: deny)
      return subject.facts.refuted.contains(key) ? set : set.union(MethodSet(method))
    }
    guard !granted.isEmpty, subject.parts(of: other, in: own) != nil else { return nil }
    if wide == own, !subject.checked.methods[other.index].isSuperset(of: denied) { return nil }
    return Grant(allow: other, methods: granted, isBeside: wide == own)
  }

  /// Returns guesses that a statement grants what another one denies for its documents.
  static func guesses(in subject: LintSubject) -> [LintGuess] {
    subject.allows.filter { subject.isDeny($0) }.flatMap { deny -> [LintGuess] in
      let pattern = subject.checked.matches[subject.rules[deny].match.index].pattern
      let grants = subject.allows(covering: subject.rules[deny].match).compactMap {
        granted(by: $0, despite: deny, subject)
      }
      return grants.flatMap { grant -> [LintGuess] in
        guard let text = subject.text(grant.allow, in: pattern) else { return [] }
        return grant.methods.methods.compactMap { method in
          subject.guess(
            .grants(grant.allow, method, despite: deny), in: pattern, [],
            [(MethodSet(method), text)])
        }
      }
    }
  }

  private static func report(
    _ deny: AllowID, _ grants: [Grant], in subject: LintSubject
  ) -> Diagnostic? {
    let methods = grants.reduce(MethodSet()) { $0.union($1.methods) }
    guard let first = grants.first else { return nil }
    let listed = methods.methods.listed
    let isWhole = methods == subject.checked.methods[deny.index]
    let lines = subject.lines(grants.map { $0.allow })
    var finding = Diagnostic.finding(
      isWhole
        ? "this denies nothing: \(listed) can still be granted"
        : "this does not deny \(listed): \(lines) can still grant it",
      at: subject.operations(deny),
      help: grants.allSatisfy { $0.isBeside }
        ? "leave \(listed) out of the statement that grants it"
        : "leave \(listed) out of \(lines), or let that block match less")
    for grant in grants {
      finding = finding.relating(subject.operations(grant.allow), as: "grants it")
    }
    guard grants.contains(where: { !$0.isBeside }) else { return finding }
    let sample = subject.sample(subject.rules[deny].match)
    let example = first.methods.methods[0].word
    return finding.noting(
      "statements of all blocks that match a document count: for example, \(lines) can grant "
        + "`\(example) \(sample)`")
  }
}
