import RulesLang

/// The lint for a database that is called `default`, where `(default)` is probably meant.
enum DefaultDatabase {
  /// The name that is mistaken for `(default)`.
  static let mistaken: Text = "default"

  /// The lint with its page.
  static let lint = Lint(
    "default-database", level: .on(.warning),
    summary: "a database is called `default`, where `(default)` may be meant",
    reason: """
      A project that names no database has one that is called `(default)`, with its parentheses.
      `default` is the name of another database, which hardly any project has. In `firebase.json` the
      entry `"database": "default"` deploys the rules to that database, and does not change the rules of
      `(default)`.
      """,
    avoid: ForeignDatabase.example(for: "default"),
    prefer: ForeignDatabase.example(for: "{database}"),
    find: { subject in
      if subject.checked.database.text == mistaken {
        return [
          Diagnostic.finding(
            "the rules are deployed to the database `default`: is `(default)` meant?", at: nil,
            help: "leave \"database\" out of firebase.json, or write \"(default)\"")
        ]
      }
      var seen: Set<MatchID> = []
      return subject.matches.compactMap { match -> Diagnostic? in
        guard !subject.rules[match].allows.isEmpty,
          ForeignDatabase.foreignPlace(of: match, in: subject.checked) == DatabaseName.place,
          case .literal(mistaken) = subject.checked.matches[match.index].pattern[DatabaseName.place]
        else { return nil }
        let owner = ForeignDatabase.block(with: DatabaseName.place, of: match, in: subject)
        guard seen.insert(owner).inserted else { return nil }
        var finding = Diagnostic.finding(
          "`default` is another database than `\(String(subject.checked.database.text))`, which the "
            + "rules are deployed to",
          at: subject.rules[owner].patternRange,
          help: "write `/databases/{database}/documents`"
        ).noting("the block never applies, so it allows nothing")
        finding.severity = .error
        return finding
      }
    })
}
