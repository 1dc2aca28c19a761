import RulesEval

/// Schemas of what `test` measures besides its tests: coverage, cost, and an emulator's answers.
extension ReportSchema {
  /// The schema of coverage.
  static var coverage: JSONText {
    object(
      "What the tests cover.",
      covered + [
        (
          "files",
          JSONSchema.list(
            "The rules files.",
            of: object(
              "A rules file.",
              [("rules", text("The file."))] + covered
                + [("uncovered", JSONSchema.list("What is not covered.", of: gap))],
              or: [
                ("untested", flag("True if it is deployed and no test was run on it.")),
                (
                  "untestedDatabases",
                  JSONSchema.list(
                    "The databases for which no test was run on it, though it tells them apart.",
                    of: text("A database."))
                ),
              ]))
        )
      ],
      or: [
        ("required", JSONSchema.type("number", "What the coverage must be, in percent.")),
        ("passed", flag("Whether it is.")),
      ])
  }

  private static var covered: [(String, JSONText)] {
    func seen(_ what: String) -> JSONText {
      object(what, [("seen", count("Those seen.")), ("possible", count("All."))])
    }
    return [
      ("percent", JSONSchema.type("number", "The coverage.")), ("seen", count("Outcomes seen.")),
      ("possible", count("Outcomes that could be.")), ("statements", seen("Of statements.")),
      ("conditions", seen("Of conditions.")), ("expressions", seen("Of other expressions.")),
    ]
  }

  private static var gap: JSONText {
    place(
      "What is not covered.",
      and: [
        ("endLine", count("The last line.")), ("endColumn", count("The column past its end.")),
        ("gap", text("What was not seen.")), ("source", text("The text.")),
      ])
  }

  /// The schema of the cost of requests.
  static var costs: JSONText {
    object(
      "What requests cost, and can cost at most.",
      [
        (
          "limits",
          object(
            "What a request may cost.",
            [
              ("expressions", count("Expressions.")), ("lookups", count("Lookups.")),
              ("lookupsOfSeveral", count("Lookups of requests for several documents.")),
            ])
        ),
        ("files", JSONSchema.list("The rules files.", of: costOfFile)),
      ],
      or: [
        (
          "greatest", JSONSchema.type("number", "The share of a limit that is allowed, in percent.")
        ),
        ("passed", flag("Whether nothing costs more.")),
      ])
  }

  private static var costOfFile: JSONText {
    let amount = [("expressions", count("Expressions.")), ("lookups", count("Lookups."))]
    let line = [("line", count("The line."))]
    return object(
      "A rules file.",
      [
        ("rules", text("The file.")),
        (
          "tests",
          JSONSchema.list(
            "What the tests have cost.",
            of: object(
              "A test.",
              [("suite", text("The suite."))] + line + [("name", text("Its name."))] + amount
                + [("reads", count("Documents that are billed."))]))
        ),
        (
          "statements",
          JSONSchema.list(
            "What statements can cost.", of: object("A statement.", line + amount))
        ),
        (
          "documents",
          JSONSchema.list(
            "What requests for documents can cost.",
            of: object(
              "Requests.",
              [("path", text("The path."))] + line + [("method", text("The method."))] + amount))
        ),
      ])
  }

  /// The schema of a warning about a suite's data.
  static var warning: JSONText {
    place("A warning.", and: [("code", text("Its code.")), ("message", text("What it is."))])
  }

  /// The schema of the comparison with a running emulator.
  static var emulator: JSONText {
    object(
      "What a running emulator said.",
      [
        ("compared", count("The requests that both decided.")),
        (
          "disagreements",
          JSONSchema.list(
            "The decisions that differ.",
            of: object(
              "A request.",
              [
                ("name", text("The test.")), ("ours", text("What rules-check says.")),
                ("emulator", text("What the emulator says.")),
              ]))
        ),
        ("skipped", sentences("The requests that it could not decide.")),
      ])
  }
}
