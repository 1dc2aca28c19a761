import RulesEval

/// Schemas of reports about rules files: `audit`, `mutate` and `fmt`.
extension ReportSchema {
  // MARK: audit

  /// The schema of the report of `audit`: of one file, or of several, or errors only.
  static var auditReport: JSONText {
    JSONSchema.either(
      "The report of audit.",
      [
        JSONSchema.reference("audit"),
        object(
          "Several rules files.",
          [("schema", schema("audit")), ("audits", list("The audits.", of: "audit"))],
          or: [errors, notices]),
        refused("audit"),
      ])
  }

  /// The schema of the audit of one file.
  static var audit: JSONText {
    let answers = ["always", "onlyIf", "never", "undecided"]
    let counts =
      [("answers", count("Answers."))] + answers.map { ($0, count("Those that are \($0).")) }
      + [("unchecked", count("Those that are proved, and not confirmed by the proof checker."))]
    return object(
      "Who can do what.",
      [
        ("schema", schema("audit")), ("rules", text("The rules file.")), database,
        ("sha256", text("Its hash.")), ("date", text("The day.")),
        ("profile", JSONSchema.word("Whose behaviour.", among: ["emulator", "testapi", "strict"])),
        ("paths", JSONSchema.list("The paths.", of: auditedPath(answers))),
        ("findings", JSONSchema.list("What stands out.", of: finding)),
        ("escalations", JSONSchema.list("What a client can make true.", of: escalation)),
        ("assumptions", sentences("What the answers rest on.")),
        (
          "summary",
          object(
            "How many answers there are.", counts,
            or: [("silenced", count("Findings that a comment or a level silences."))])
        ),
      ], or: [databases, notices, ("field", text("The field of `--field`."))])
  }

  private static func auditedPath(_ answers: [String]) -> JSONText {
    object(
      "The documents of a path.",
      [
        ("path", text("The path.")), ("lines", lines("The blocks.")),
        (
          "clients",
          JSONSchema.list(
            "The kinds of clients; none where narrower paths have all documents.",
            of: object(
              "A kind of client.",
              [
                ("client", text("What it is called, and what it is not.")),
                ("condition", text("Who it is.")),
              ]))
        ),
        (
          "answers",
          JSONSchema.list(
            "What each may do.",
            of: object(
              "What a kind of client may do.",
              [
                ("client", text("Who.")), ("operation", text("What, in words.")),
                ("method", text("The method.")),
                ("answer", JSONSchema.word("Whether that is allowed.", among: answers)),
              ], or: basis))
        ),
      ],
      or: [
        (
          "except",
          JSONSchema.list(
            "Narrower paths, whose documents are answered for there.", of: text("A path."))
        )
      ])
  }

  /// The schemas of an answer's basis.
  private static var basis: [(String, JSONText)] {
    [
      ("field", text("The field that is written.")),
      ("checked", flag("True if the proof checker has confirmed the answer.")),
      ("onlyIf", JSONSchema.list("When it is allowed: one of these.", of: alternative)),
      (
        "because",
        JSONSchema.list(
          "Why it never is.",
          of: object(
            "A statement.",
            [
              ("line", count("Its line.")),
              ("conditions", sentences("What keeps it from granting.")),
            ]))
      ),
      ("allowed", shown), ("denied", shown), ("reasons", sentences("Why it is undecided.")),
    ]
  }

  private static var alternative: JSONText {
    object(
      "A condition.",
      [("condition", text("What is left of it.")), ("line", count("The line of the statement."))],
      or: [("path", text("Which paths.")), ("queries", text("Which queries."))])
  }

  private static var shown: JSONText {
    object(
      "A request that shows it.",
      [("summary", text("It in a sentence.")), ("test", JSONSchema.reference("pasted"))])
  }

  private static var finding: JSONText {
    object(
      "Something that stands out.",
      [
        ("weight", JSONSchema.word("How bad it is.", among: ["note", "caution", "alarm"])),
        ("message", text("What it is.")),
      ],
      or: [
        ("path", text("The path, unless it is about a line.")),
        ("line", count("The line of what `check` warns of.")),
        ("otherLines", JSONSchema.list("Further lines with that warning.", of: count("A line."))),
        ("codes", sentences("The codes of what `check` says of that.")),
        ("example", text("A request, in a sentence.")),
        ("test", JSONSchema.reference("pasted")),
      ])
  }

  private static var escalation: JSONText {
    object(
      "What a client can make true in several requests.",
      [
        ("line", count("The statement.")), ("path", text("The path.")),
        ("level", JSONSchema.word("How bad it is.", among: ["alarm", "note"])),
        ("message", text("What it is.")),
        ("stable", flag("Whether it is proved to be impossible.")),
        ("documents", JSONSchema.type("object", "What is stored before, by path.")),
        ("steps", list("The requests.", of: "pasted")),
      ])
  }

  // MARK: mutate

  /// The schema of the report of `mutate`; without files there is no score.
  static var mutationReport: JSONText {
    object(
      "The report of mutate.",
      [("schema", schema("mutate"))],
      or: [
        ("files", JSONSchema.list("The rules files.", of: mutatedFile)), errors,
        (
          "summary",
          object(
            "How many changes there are.",
            [
              ("killed", count("Those that a test notices.")),
              ("survived", count("Those that none does.")),
              ("equivalent", count("Those that change no decision.")),
              ("undecided", count("Those for which that is undecided.")),
              ("score", JSONSchema.type("number", "The share that is noticed, in percent.")),
              ("unchecked", count("Equivalent ones that the proof checker has not confirmed.")),
            ])
        ),
      ])
  }

  private static var mutatedFile: JSONText {
    object(
      "The changes of a rules file.",
      [
        ("rules", text("The file.")), database, ("milliseconds", count("How long it took.")),
        ("mutants", JSONSchema.list("The changes.", of: mutant)),
      ], or: [("failing", JSONSchema.list("Tests that fail anyway.", of: text("A name.")))])
  }

  private static var mutant: JSONText {
    let fates = ["killed", "survived", "equivalent", "undecided", "invalid"]
    return place(
      "A change.",
      and: [
        ("mutator", text("Its kind.")), ("change", text("It in words.")),
        ("replacement", text("The replacement.")),
        ("fate", JSONSchema.word("The result of the change.", among: fates)),
      ],
      or: [
        ("checked", flag("True if the proof checker has confirmed that it is equivalent.")),
        ("killedBy", text("The test that notices it.")),
        ("reasons", JSONSchema.list("Why it is undecided.", of: text("A sentence."))),
        ("summary", text("The request that notices it, in a sentence.")),
        ("test", JSONSchema.reference("pasted", "A test that would notice it.")),
      ])
  }

  // MARK: fmt

  /// The schema of the report of `fmt`.
  static var formatReport: JSONText {
    object(
      "The report of fmt.",
      [
        ("schema", schema("fmt")),
        (
          "files",
          JSONSchema.list(
            "The files that could be laid out.",
            of: object(
              "A file.",
              [("rules", text("The file.")), ("changed", flag("Whether anything changes."))],
              or: [("diff", text("What changes, as a unified diff."))]))
        ),
      ], or: [errors, notices])
  }
}
