import RulesEval

/// Schemas of reports with one answer, or one answer a line.
extension ReportSchema {
  /// The schema of the report of `simulate`; for a request that could not be decided it has errors only.
  static var simulation: JSONText {
    JSONSchema.either(
      "The report of simulate.",
      [
        object(
          "What the rules said.",
          [
            ("schema", schema("simulate")), ("decision", decision), ("as", asker),
            ("method", text("The operation.")), ("path", text("The path.")),
            database,
            ("tried", list("The statements that were tried.", of: "tried")), ("cost", cost),
          ], or: denial),
        refused("simulate"),
      ])
  }

  /// Returns the schema of a report with errors only.
  static func refused(_ name: String) -> JSONText {
    object("Why nothing could be done.", [("schema", schema(name)), errors])
  }

  /// The schema of the report of `verify-proof`.
  static var verification: JSONText {
    object(
      "The report of verify-proof.",
      [
        ("schema", schema("verify-proof")),
        ("certificates", JSONSchema.list("The result of each claim.", of: certificate)),
      ], or: [errors])
  }

  private static var certificate: JSONText {
    object(
      "The result of a claim.",
      [("file", text("The certificate.")), ("verified", flag("Whether it proves the claim."))],
      or: [
        ("rules", text("The rules that it is about.")), ("sha256", text("Their hash.")),
        ("profile", JSONSchema.word("Whose.", among: ["emulator", "testapi", "strict"])),
        database, ("path", text("The documents.")),
        ("methods", JSONSchema.list("The methods.", of: text("A method."))),
        ("writes", JSONSchema.list("The fields.", of: text("A field."))),
        ("given", perhaps("What is given.")), ("obligation", text("What kind of claim it is.")),
        ("condition", perhaps("What is claimed.")), ("name", text("The name of the claim.")),
        ("lines", count("The steps that were checked.")),
        ("line", count("The line of the certificate on which something is wrong.")),
        ("problem", text("What is wrong.")),
      ])
  }

  /// The schema of a line of `replay`; for a malformed line of the log it has errors.
  static var replayed: JSONText {
    JSONSchema.either(
      "A line of the report of replay.",
      [
        object(
          "What the rules say to a request.",
          [
            ("request", count("The line of the log.")), ("decision", replayDecision), ("as", asker),
            ("method", text("The method.")), ("path", text("The path.")),
          ],
          or: [
            ("line", count("The line of the statement that granted.")),
            ("problem", text("Why it is undecided.")), ("before", replayDecision),
          ]),
        object(
          "A line that is not a request.", [("request", count("The line of the log.")), errors]),
        refused("replay"),
      ])
  }

  /// The schema of a line of `eval`.
  static var evaluated: JSONText {
    JSONSchema.either(
      "The answer of eval.",
      [
        object(
          "A value.",
          [
            ("type", text("Its type.")),
            ("value", .object([("description", .string("The value, as its type is written."))])),
          ]),
        object(
          "An error.",
          [
            ("error", perhaps("The engine's message.")), ("line", count("The line.")),
            ("column", count("The column.")),
          ]),
        object("What does not compile.", [("compileError", text("Why."))]),
      ])
  }

  // MARK: Parts

  private static var decision: JSONText {
    JSONSchema.word("The decision.", among: ["allow", "deny"])
  }

  private static var replayDecision: JSONText {
    JSONSchema.word("The decision.", among: ["allow", "deny", "undecided"])
  }

  private static var asker: JSONText {
    .object([("type", JSONSchema.strings(["string", "null"]))])
  }

  private static func perhaps(_ what: String) -> JSONText {
    .object([
      ("description", .string(what)), ("type", JSONSchema.strings(["string", "null"])),
    ])
  }
}
