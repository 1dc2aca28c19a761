package import RulesLang

/// A kind of notice about a project: its name, its level, and its page of help.
package struct NoticeKind: Sendable {
  /// The stable name.
  package var code: String
  /// The summary, one sentence.
  package var summary: String
  /// The severity, which is not configurable.
  package var severity: Diagnostic.Severity
  /// The page of help below its title.
  private var meaning: String

  /// The page of help.
  package var page: String {
    "# \(code)\n\n\(summary). Level: \(severity.word).\n\n\(meaning)\n"
  }

  /// The row for SARIF's table.
  package var rule: SARIFReport.Rule {
    SARIFReport.Rule(code: code, summary: summary, severity: severity)
  }

  /// All kinds: notices about what a run leaves out, and those about silenced findings.
  package static let all = ofProjects + [newIgnore, silenced]

  static let ofProjects = [
    NoticeKind(
      code: "untested-rules", summary: "Rules are deployed, and no suite tests them",
      severity: .warning,
      meaning: """
        firebase.json deploys the file, and no test was run on it. With --min-coverage that is a failure,
        even if other files are covered. Where rules are deployed to several databases and tell them apart,
        each database needs tests. Claims are not tests: they are proved and cover nothing.
        """),
    NoticeKind(
      code: "undeployed-rules", summary: "firebase.json does not deploy the checked rules",
      severity: .warning,
      meaning: """
        The file, or the one that a suite names, is perhaps a copy of what is deployed. Its findings do not
        apply to the rules in force.
        """),
    NoticeKind(
      code: "unchecked-rules", summary: "Rules are deployed, and not checked or audited",
      severity: .warning,
      meaning: """
        firebase.json deploys the file, and "rules" of .rulescheck.json names others. Add it there, or leave
        "rules" out.
        """),
    NoticeKind(
      code: "empty-suite", summary: "A suite has no test, or a folder no suite",
      severity: .warning,
      meaning: """
        Nothing was run of it. Where the user named it, `test` exits with 2; --allow-empty lifts that.
        """),
    NoticeKind(
      code: "removed-suite", summary: "A suite is no longer run", severity: .warning,
      meaning: """
        `test` ran the suite at the revision of --base, and no search finds it now, under its name or another
        one: it was deleted, renamed to a name that does not end in .suite.json, moved away from the rules, or
        taken out of "suites" in .rulescheck.json.
        """),
    NoticeKind(
      code: "filtered-tests",
      summary: "A filter leaves out tests, but the coverage of all is required",
      severity: .warning,
      meaning: """
        --filter leaves out tests and claims, but --min-coverage or minCoverage needs the coverage of all of
        them. A run that is otherwise green exits with 4.
        """),
    NoticeKind(
      code: "foreign-service", summary: "Rules of another service are skipped", severity: .info,
      meaning: """
        A folder has rules of another service than cloud.firestore, such as Cloud Storage. Nothing here reads
        them.
        """),
  ]

  static let newIgnore = NoticeKind(
    code: "new-ignore", summary: "Findings are newly silenced", severity: .warning,
    meaning: """
      An `ignore` comment, a level, failOn or minCoverage silences more than it did at the revision of --base;
      or .rulescheck.json is gone. A comment counts as new, too, if it moves to another path or statement,
      and if it silences a finding that was not there before. `rules-check check --no-ignore` shows what is
      silenced.
      """)

  /// The notice of findings silenced by `ignore` comments and levels.
  package static let silenced = NoticeKind(
    code: "silenced", summary: "A finding is silenced", severity: .info,
    meaning: """
      An `ignore` comment or a level of .rulescheck.json silences it. `rules-check check --no-ignore` shows it.
      """)
}

extension ProjectNotice {
  /// The table of notices for SARIF.
  package static let kinds = NoticeKind.ofProjects.map { $0.rule }
}

extension NewSilence {
  /// The row for SARIF's table.
  package static let kind = NoticeKind.newIgnore.rule
}
