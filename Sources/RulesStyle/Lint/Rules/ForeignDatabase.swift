import RulesLang

/// The lint for rules that match no document of the database that they are deployed to.
enum ForeignDatabase {
  /// The lint with its page.
  static let lint = Lint(
    "foreign-database", level: .on(.error),
    summary: "this applies to no document of the database that the rules are deployed to",
    reason: """
      Paths begin with `/databases/DATABASE/documents`, and rules are deployed to one database: the one
      that `firebase.json` names for the file, else `(default)`. A block that names another database, or
      that lies outside of `match /databases/{database}/documents`, never applies: every request to its
      documents is denied unless another block allows it. A lookup in another database always fails.

      `{database}` matches the name of any database. `--database NAME` says which one is meant where
      `firebase.json` does not.
      """,
    avoid: example(for: "prod"), prefer: example(for: "{database}"),
    find: { subject in blocks(of: subject) + lookups(of: subject) })

  /// Returns the example of a page: rules whose blocks are for a database.
  static func example(for database: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/\(database)/documents {
        match /events/{id} { allow read: if request.auth.token.admin == true; }
      }
    }
    """
  }

  private static func blocks(of subject: LintSubject) -> [Diagnostic] {
    var seen: Set<MatchID> = []
    return subject.matches.compactMap { match -> Diagnostic? in
      guard !subject.rules[match].allows.isEmpty,
        let place = foreignPlace(of: match, in: subject.checked)
      else { return nil }
      let owner = block(with: place, of: match, in: subject)
      guard seen.insert(owner).inserted else { return nil }
      let range = subject.rules[owner].patternRange
      guard place == DatabaseName.place,
        case .literal(let text) = subject.checked.matches[match.index].pattern[place]
      else {
        return Diagnostic.finding(
          "every path begins with `/databases/{database}/documents`, this one does not",
          at: range, help: "put the block inside `match /databases/{database}/documents`"
        ).noting("the block never applies, so it allows nothing")
      }
      if text == DefaultDatabase.mistaken { return nil }
      return Diagnostic.finding(
        "`\(String(text))` is another database: the rules are deployed to "
          + "`\(String(subject.checked.database.text))`",
        at: range,
        help: "write `/databases/{database}/documents`, or deploy the rules to `\(String(text))`"
      ).noting("the block never applies, so it allows nothing")
    }
  }

  private static func lookups(of subject: LintSubject) -> [Diagnostic] {
    subject.allNodes.compactMap { id -> Diagnostic? in
      guard case .call(_, let arguments) = subject.rules[id].kind, arguments.count == 1,
        case .builtin(let builtin) = subject.checked.binding(id), builtin.isLookup,
        case .path(let parts) = subject.rules[subject.rules.unparenthesized(arguments[0])].kind,
        parts.count > DatabaseName.rootCount,
        case .literal("databases") = parts[0].kind,
        case .literal(let text) = parts[DatabaseName.place].kind,
        !subject.checked.database.isNamed(by: text)
      else { return nil }
      return Diagnostic.finding(
        "the lookup is in the database `\(String(text))`, and the rules are deployed to "
          + "`\(String(subject.checked.database.text))`",
        at: subject.rules[arguments[0]].range, help: "write `/databases/$(database)/documents`"
      ).noting("the lookup is an error at run time, so the condition does not grant")
    }
  }

  /// Returns the index of the first segment above documents at which a block does not match the database's
  /// paths; nil if it matches them.
  static func foreignPlace(of match: MatchID, in checked: Checked) -> Int? {
    let root = checked.database.root
    for (place, step) in checked.matches[match.index].pattern.enumerated() {
      guard place < root.count else { return nil }
      switch step {
      case .glob: return nil
      case .capture: continue
      case .literal(let text): if text != root[place] { return place }
      }
    }
    return nil
  }

  /// Returns the block, among a block and those around it, whose own pattern has the step at an index of the
  /// whole pattern.
  static func block(with place: Int, of match: MatchID, in subject: LintSubject) -> MatchID {
    var found = match
    while let parent = subject.rules[found].parent,
      subject.checked.matches[parent.index].pattern.count > place
    {
      found = parent
    }
    return found
  }
}
