package import RulesEval

/// The JSON Schema of the output with `--format json`: every report of every command.
package enum ReportSchema {
  /// The whole schema.
  package static var json: JSONText {
    JSONSchema.document(
      id: "rules-check.report/1", title: "The reports of rules-check --format json",
      .object([
        (
          "oneOf",
          .array(
            reports.map { JSONSchema.reference($0.0) })
        )
      ]),
      definitions: definitions)
  }

  /// The definitions of the schema, whole reports first.
  private static var definitions: [(String, JSONText)] {
    reports + [
      ("suite", suite), ("test", test), ("request", request), ("sequence", sequence),
      ("tried", tried), ("note", note), ("nearest", nearest), ("obstacle", obstacle),
      ("call", call), ("place", place(nil, and: [])), ("checkedFile", checkedFile),
      ("diagnostic", diagnostic), ("claim", claim), ("pasted", pasted), ("audit", audit),
      ("coverage", coverage), ("costs", costs),
    ]
  }

  /// The definitions of reports.
  private static var reports: [(String, JSONText)] {
    [
      ("testReport", testReport), ("checkReport", checkReport), ("simulation", simulation),
      ("verification", verification), ("replayed", replayed), ("evaluated", evaluated),
      ("auditReport", auditReport), ("diffReport", diffReport), ("formatReport", formatReport),
      ("mutationReport", mutationReport), ("proofReport", proofReport),
      ("execReport", execReport),
    ]
  }

  /// Returns the schema of the member that names the report's own schema.
  static func schema(_ name: String) -> JSONText {
    .object([("const", .string("rules-check.\(name)/1"))])
  }

  /// Returns the schema of an object with its required members, then its optional ones.
  static func object(
    _ what: String, _ always: [(String, JSONText)], or: [(String, JSONText)] = []
  ) -> JSONText {
    let keys = always.map { $0.0 }
    return JSONSchema.object(
      what, keys: keys + or.map { $0.0 }, required: keys, about: always + or)
  }

  /// Returns the schema of a text.
  static func text(_ what: String) -> JSONText { JSONSchema.type("string", what) }
  /// Returns the schema of a bool.
  static func flag(_ what: String) -> JSONText { JSONSchema.type("boolean", what) }
  /// Returns the schema of an integer.
  static func count(_ what: String) -> JSONText { JSONSchema.type("integer", what) }

  /// Returns the schema of a list of a defined type.
  static func list(_ what: String, of name: String) -> JSONText {
    JSONSchema.list(what, of: JSONSchema.reference(name))
  }

  /// Returns the schema of a list of sentences.
  static func sentences(_ what: String) -> JSONText {
    JSONSchema.list(what, of: text("A sentence."))
  }

  /// Returns the schema of an object with a place.
  static func place(
    _ what: String?, and always: [(String, JSONText)], or: [(String, JSONText)] = []
  ) -> JSONText {
    object(
      what ?? "A place, counted from 1.",
      [("line", count("The line.")), ("column", count("The column, in characters."))] + always,
      or: or)
  }

  // MARK: test

  private static var testReport: JSONText {
    object(
      "The report of test.",
      [
        ("schema", schema("test")), ("suites", list("The suites that could be run.", of: "suite")),
        (
          "summary",
          object(
            "How many there are.",
            [
              ("tests", count("Tests.")), ("passed", count("Those that passed.")),
              ("failed", count("Those that failed.")),
            ] + claimCounts)
        ),
      ],
      or: [
        ("coverage", JSONSchema.reference("coverage", "What the tests cover.")),
        ("cost", JSONSchema.reference("costs", "What they cost.")), errors, notices,
      ])
  }

  /// The schema of notices about files that a run leaves out, or that differ from what the project deploys.
  static var notices: (String, JSONText) {
    (
      "notices",
      JSONSchema.list(
        "What the run leaves out, and what is not what the project deploys.",
        of: object(
          "A notice.",
          [
            ("file", text("The file or folder that it is about.")), ("code", text("A code.")),
            ("severity", JSONSchema.word("How bad it is.", among: ["error", "warning", "info"])),
            ("message", text("What is to be known.")),
          ], or: [("help", text("What to do about it."))]))
    )
  }

  /// The schema of errors.
  static var errors: (String, JSONText) {
    ("errors", JSONSchema.list("What could not be run, and why.", of: refusal))
  }

  private static var refusal: JSONText {
    object(
      "Why something could not be run.",
      [
        ("code", text("A code.")), ("message", text("What is wrong.")),
      ],
      or: [
        ("file", text("The file, if it is about one.")), ("line", count("The line.")),
        ("column", count("The column, in characters.")), ("help", text("How to fix it.")),
      ])
  }

  private static var suite: JSONText {
    object(
      "What came of a suite.",
      [
        ("suite", text("The suite.")), ("rules", text("Its rules.")), database,
        ("tests", list("What came of its tests.", of: "test")),
        ("claims", list("What came of its claims.", of: "claim")),
      ],
      or: [
        ("warnings", JSONSchema.list("What is to be known of its data.", of: warning)),
        ("emulator", emulator),
      ])
  }

  private static var test: JSONText {
    .object([
      ("if", .object([("required", JSONSchema.strings(["steps"]))])),
      ("then", JSONSchema.reference("sequence")), ("else", JSONSchema.reference("request")),
    ])
  }

  private static var sequence: JSONText {
    object(
      "A test with steps.",
      [
        ("name", text("Its name.")), ("passed", flag("Whether all its steps passed.")),
        ("steps", list("What was decided in each step.", of: "request")),
      ], or: [("failures", sentences("Why it failed."))])
  }

  private static var request: JSONText {
    object(
      "A request and what the rules said to it.",
      [
        ("name", text("Its name, with its groups.")),
        ("as", .object([("type", JSONSchema.strings(["string", "null"]))])),
        ("method", text("The operation.")), ("path", text("The path.")),
        ("expect", JSONSchema.word("What was expected.", among: ["allow", "deny"])),
        ("decision", JSONSchema.word("The decision.", among: ["allow", "deny", "unsupported"])),
        ("passed", flag("Whether that is as expected.")),
        ("tried", list("The statements that were tried.", of: "tried")),
        ("cost", cost),
      ],
      or: [("failures", sentences("Why it failed."))] + denial)
  }

  /// The schema of a decision's cost.
  static var cost: JSONText {
    object(
      "What it took.",
      [("expressions", count("Expressions.")), ("lookups", count("Documents looked up."))])
  }

  /// The schemas of the members that explain a denial.
  static var denial: [(String, JSONText)] {
    [
      ("denial", text("The emulator's words.")),
      ("why", sentences("What is in the way.")), ("nearest", JSONSchema.reference("nearest")),
      ("notes", sentences("What is to be known of the request.")),
    ]
  }

  private static var tried: JSONText {
    place(
      "A statement that was tried.",
      and: [("outcome", JSONSchema.word("How it ended.", among: ["true", "false", "error"]))],
      or: [
        ("message", text("The engine's message.")), ("at", JSONSchema.reference("place")),
        ("obstacles", list("What is in the way.", of: "obstacle")),
      ] + explanation)
  }

  private static var explanation: [(String, JSONText)] {
    [
      ("values", list("The values of the parts.", of: "note")),
      ("calls", list("The functions called.", of: "call")),
    ]
  }

  private static let outcomes = ["true", "false", "value", "error", "skipped"]

  private static var note: JSONText {
    place(
      "The value of a part.",
      and: [
        ("offset", count("Where it begins, in characters from the beginning of the file.")),
        ("endOffset", count("Where its last character stands.")),
        ("anchor", count("The character that its value hangs from, an operator or the last name.")),
        ("expression", text("The part.")),
        ("outcome", JSONSchema.word("The decision.", among: outcomes)),
      ],
      or: [
        ("type", text("The value's type.")), ("text", text("The value.")),
        ("message", text("The engine's message.")),
      ])
  }

  private static var obstacle: JSONText {
    place(
      "A part that is in the way.",
      and: [
        ("expression", text("The part.")),
        ("outcome", JSONSchema.word("The decision.", among: outcomes)),
        ("wanted", flag("What it would have to be.")),
      ], or: [("detail", text("Why."))])
  }

  private static var call: JSONText {
    place(
      "A function that was called.",
      and: [("function", text("Its name.")), ("expression", text("The call."))], or: explanation)
  }

  private static var nearest: JSONText {
    place(
      "The block that came nearest to matching.",
      and: [("match", text("Its pattern.")), ("message", text("Why it does not match."))])
  }

  // MARK: check

  private static var checkReport: JSONText {
    object(
      "The report of check.",
      [
        ("schema", schema("check")), ("files", list("The files.", of: "checkedFile")),
        (
          "summary",
          object(
            "How much there is.",
            [
              ("files", count("Files.")), ("errors", count("Errors.")),
              ("warnings", count("Warnings.")), ("infos", count("Remarks.")),
              ("silenced", count("Findings that a comment or a level silences.")),
              ("unchecked", count("Proved findings that the proof checker has not confirmed.")),
            ])
        ),
      ],
      or: [errors, notices, newlySilenced])
  }

  private static var checkedFile: JSONText {
    object(
      "What was found in a file.",
      [
        ("rules", text("The file.")), ("compiles", flag("Whether it compiles.")),
        ("diagnostics", list("What there is to say.", of: "diagnostic")),
      ],
      or: [
        database, databases,
        ("silenced", list("What a comment or a level silences.", of: "diagnostic")),
        (
          "deep",
          object(
            "The search for code without effect.",
            [("questions", count("Questions.")), ("open", count("Those left open."))])
        ),
        (
          "removed",
          JSONSchema.list(
            "What was taken out.",
            of: place(
              "A part.",
              and: [
                ("code", text("Why.")), ("message", text("What is proved of it.")),
                ("text", text("What it was.")),
                ("checked", flag("True if the proof checker has confirmed that.")),
              ]))
        ),
      ])
  }

  private static var diagnostic: JSONText {
    let offsets = [
      ("offset", count("The offset of the first character.")),
      ("endOffset", count("The offset of the last character.")),
    ]
    return place(
      "A finding.",
      and: [
        ("severity", JSONSchema.word("How bad it is.", among: ["error", "warning", "info"])),
        ("kind", JSONSchema.word("Who finds it.", among: ["compile", "lint"])),
        ("code", text("Its stable name.")), ("message", text("What is wrong.")),
      ] + offsets,
      or: [
        ("checked", flag("True if the proof checker has confirmed a proved finding.")),
        ("help", text("How to fix it.")), ("notes", sentences("What it does.")),
        (
          "related",
          JSONSchema.list(
            "Other places.",
            of: place("Another place.", and: [("message", text("What is there."))] + offsets))
        ),
      ])
  }
}
