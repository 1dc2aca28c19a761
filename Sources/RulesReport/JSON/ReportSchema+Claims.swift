import RulesEval

/// Schemas of reports about all requests: `prove`, and `diff`, whose witnesses are requests as tests.
extension ReportSchema {
  /// The schema of the report of `prove`.
  static var proofReport: JSONText {
    object(
      "The report of prove.",
      [
        ("schema", schema("prove")),
        (
          "suites",
          JSONSchema.list(
            "The files with claims.",
            of: object(
              "The results of the claims of a file.",
              [
                ("suite", text("The suite, or another place of the claims.")),
                ("rules", text("The rules that they are about.")), database,
                ("claims", list("The result of each claim.", of: "claim")),
              ]))
        ),
        ("summary", object("How many there are.", claimCounts)),
      ], or: [errors])
  }

  /// The schemas of the number of claims of each verdict.
  static var claimCounts: [(String, JSONText)] {
    [("claims", count("Claims."))]
      + verdicts.map { ($0, count("Those that are \($0).")) }
      + [("unchecked", count("Proved claims that the proof checker has not confirmed."))]
  }

  private static let verdicts = ["proved", "violated", "undecided", "vacuous"]

  /// The schema of a claim's result.
  static var claim: JSONText {
    JSONSchema.either(
      "The result of a claim.",
      [
        claim(
          "proved",
          [
            ("checked", flag("True if the proof checker has confirmed the proof.")),
            ("statements", JSONSchema.list("Those considered.", of: consideration)),
          ],
          or: [
            ("uncheckedBecause", text("Why the proof checker has not confirmed the proof.")),
            ("grantsNothing", flag("That nothing in its scope is ever granted.")),
            ("induction", text("What holds from one request to the next.")),
          ]),
        claim(
          "violated",
          [
            ("summary", text("The request in a sentence.")),
            (
              "counterexample",
              JSONSchema.reference("pasted", "The test that shows it today.")
            ),
            ("closing", JSONSchema.reference("pasted", "The test that closes it.")),
          ],
          or: [
            ("line", count("The line of the statement that lets it through.")),
            ("repairs", JSONSchema.list("Changes under which it is proved.", of: repair)),
          ]),
        claim("undecided", [("reasons", JSONSchema.list("What stopped the proof.", of: doubt))]),
        claim(
          "vacuous", [], or: [("didYouMean", text("The name that was probably intended."))]),
      ])
  }

  /// Returns the schema of a claim's result with a verdict.
  private static func claim(
    _ verdict: String, _ always: [(String, JSONText)], or: [(String, JSONText)] = []
  ) -> JSONText {
    let words = ["proved", "violated", "vacuous"]
    return object(
      "A claim that is \(verdict).",
      [
        ("name", text("Its name.")), ("path", text("The documents.")),
        ("methods", methods("The methods.")), ("obligation", text("What kind of claim it is.")),
        ("verdict", .object([("const", .string(verdict))])),
        ("expect", JSONSchema.word("What was expected.", among: words)),
        ("passed", flag("Whether that is as expected.")),
        ("milliseconds", JSONSchema.type("number", "How long it took.")),
      ] + always,
      or: [
        ("writes", JSONSchema.list("The fields.", of: text("A field."))),
        ("given", text("What is given.")), ("condition", text("What is claimed.")),
        (
          "through",
          .object([("description", .string("Over how many requests: a number, or `any`."))])
        ),
        ("notes", sentences("Notes on the result.")),
      ] + or)
  }

  /// Returns the schema of names of methods.
  static func methods(_ what: String) -> JSONText {
    JSONSchema.list(what, of: method)
  }

  private static var method: JSONText {
    JSONSchema.word("A method.", among: ["get", "list", "create", "update", "delete"])
  }

  private static var consideration: JSONText {
    object(
      "A statement that was considered.",
      [
        ("line", count("Its line.")),
        ("methods", methods("The methods that it is considered for.")),
        ("because", sentences("The parts of its condition that make it safe.")),
      ])
  }

  private static var repair: JSONText {
    object(
      "A change of the rules.",
      [
        ("change", text("The change in words.")),
        ("lines", JSONSchema.list("The change as a diff.", of: text("A line."))),
        ("takesAway", sentences("What is no longer allowed.")),
      ])
  }

  /// The schema of a reason why something is not known, with its place.
  private static var doubt: JSONText {
    object(
      "Why something is undecided.", [("reason", text("Why."))],
      or: [
        ("file", text("The file.")), ("line", count("The line.")),
        ("column", count("The column, in characters.")),
      ])
  }

  // MARK: Tests

  /// The schema of a request as a test for a suite.
  static var pasted: JSONText {
    JSONSchema.either(
      "A test, ready to be put into a suite.",
      [
        JSONSchema.object(
          "A request.", keys: asked.map { $0.0 }, required: ["expect"], about: asked,
          and: [JSONSchema.exactlyOne(of: operations + ["batch"])]),
        object(
          "Requests one after the other.",
          [("name", text("Its name.")), ("steps", list("The requests.", of: "pasted"))],
          or: [("documents", data("What is stored before them, by path."))]),
      ])
  }

  private static let operations = ["get", "list", "create", "set", "update", "delete"]

  /// The schemas of the members of a test that describe its request.
  private static var asked: [(String, JSONText)] {
    let paths = operations.map { ($0, text("The path, if this is the method.")) }
    let rest: [(String, JSONText)] = [
      ("expect", JSONSchema.word("What is expected.", among: ["allow", "deny"])),
      ("name", text("Its name.")),
      ("as", .object([("description", .string("The client."))])), ("time", text("When.")),
      ("data", data("What is written.")), ("query", data("What a query selects.")),
      ("collectionGroup", flag("Whether a query is about all collections of that name.")),
      ("batch", JSONSchema.list("Writes that commit together.", of: data("A write."))),
      ("documents", data("What is stored, by path.")),
      ("line", count("The line of the statement that decides.")),
      ("errors", flag("Whether a condition ends in an error.")),
    ]
    return rest + paths
  }

  private static func data(_ what: String) -> JSONText { JSONSchema.type("object", what) }

  // MARK: diff

  /// The schema of the report of `diff`.
  static var diffReport: JSONText {
    object(
      "The report of diff.",
      [
        ("schema", schema("diff")),
        ("files", JSONSchema.list("What was compared.", of: comparedFiles)),
        (
          "summary",
          object(
            "How many methods of paths there are.",
            diffVerdicts.map {
              ($0, count("Those that are \($0)."))
            } + [
              ("unmanaged", count("Rules files that are no longer managed.")),
              ("first", count("Rules files that had no rules before.")),
              ("unchecked", count("Equivalent ones that the proof checker has not confirmed.")),
            ])
        ),
      ], or: [errors, notices, newlySilenced])
  }

  private static let diffVerdicts = ["loosened", "tightened", "changed", "equivalent", "undecided"]

  private static var comparedFiles: JSONText {
    object(
      "An older file and a newer one.",
      [
        ("old", text("The older file.")), ("new", text("The newer file.")), database,
        ("milliseconds", count("How long it took.")),
        ("paths", JSONSchema.list("What the change does, path by path.", of: comparedPath)),
      ],
      or: [
        databases, ("first", flag("True if there were no rules before.")),
        ("unmanaged", flag("True if the rules in force are no longer managed here.")),
        ("message", text("That, in words.")),
      ])
  }

  /// The schema of comments and levels that silence findings and did not at the older revision.
  static var newlySilenced: (String, JSONText) {
    (
      "newlySilenced",
      JSONSchema.list(
        "What silences findings, and did not at the revision of --base.",
        of: object(
          "A comment or a setting.",
          [("file", text("The file.")), ("message", text("What it does."))],
          or: [("line", count("The line.")), ("column", count("The column, in characters."))]))
    )
  }

  /// The schema of the rules' database.
  static var database: (String, JSONText) {
    ("database", text("The database that requests are to."))
  }

  /// The schema of the rules' databases, if there are several.
  static var databases: (String, JSONText) {
    ("databases", JSONSchema.list("The databases, if there are several.", of: text("A name.")))
  }

  private static var comparedPath: JSONText {
    object(
      "What the change does to the documents of a path.",
      [
        ("path", text("The path.")),
        (
          "methods",
          JSONSchema.list(
            "What it does to each method.",
            of: object(
              "A method.",
              [
                ("method", method),
                (
                  "verdict",
                  JSONSchema.word(
                    "What the change does, or what first rules say.",
                    among: diffVerdicts + ["allowed", "denied"])
                ),
                ("complete", flag("Whether all differences are known.")),
              ],
              or: [
                ("checked", flag("True if the proof checker has confirmed that it is equivalent.")),
                ("reasons", JSONSchema.list("Why something is open.", of: doubt)),
              ]))
        ),
        ("differences", JSONSchema.list("The decisions that differ.", of: difference)),
      ])
  }

  private static var difference: JSONText {
    object(
      "A difference.",
      [
        ("kind", JSONSchema.word("Its kind.", among: ["loosened", "tightened", "allowed"])),
        ("sentence", text("What it is, in words.")),
        (
          "requests",
          JSONSchema.list(
            "Requests that show it.",
            of: object(
              "A request.",
              [
                ("method", method), ("summary", text("The request in a sentence.")),
                ("oldLines", lines("What decides it in the older file.")),
                ("newLines", lines("What decides it in the newer file.")),
                ("test", JSONSchema.reference("pasted")),
              ], or: [("closing", JSONSchema.reference("pasted", "The test that closes it."))]))
        ),
      ])
  }

  /// Returns the schema of line numbers.
  static func lines(_ what: String) -> JSONText { JSONSchema.list(what, of: count("A line.")) }
}
