import RulesEval

/// The schema of the report of `exec`.
extension ReportSchema {
  /// The schema of the report of `exec`; for a run that could not begin it has errors only.
  static var execReport: JSONText {
    JSONSchema.either(
      "The report of exec.",
      [
        object(
          "What the rules said to the requests of a command.",
          [
            ("schema", schema("exec")),
            ("command", JSONSchema.list("The command.", of: text("A word."))),
            ("exit", count("Its exit code; 128 and the number of the signal that ended it.")),
            ("requests", count("The requests that were answered.")),
            ("allowed", count("Those that the rules allowed.")),
            ("denied", count("Those that the rules denied.")),
            ("admin", count("Those of the owner, who bypasses the rules.")),
            ("open", count("Those to databases without rules.")),
            ("refused", count("Those that the rules could not decide.")),
          ],
          or: [
            ("denials", JSONSchema.list("The requests that were denied.", of: explainedDenial)),
            errors, notices,
            ("coverage", JSONSchema.reference("coverage", "What the requests cover.")),
            ("cost", JSONSchema.reference("costs", "What they cost.")),
            ("mutation", JSONSchema.reference("mutationReport", "What they would not notice.")),
            (
              "recorded",
              JSONSchema.list(
                "The suites that requests were written to.",
                of: object(
                  "A suite.",
                  [("file", text("The file.")), ("tests", count("The tests that were added."))]))
            ),
            ("notes", JSONSchema.list("Notes on the run.", of: text("A sentence."))),
          ]),
        refused("exec"),
      ])
  }

  private static var explainedDenial: JSONText {
    object(
      "A request that was denied.",
      [
        ("name", text("The client and the request.")), ("rules", text("The rules file.")),
        ("as", .object([("type", JSONSchema.strings(["string", "null"]))])),
        ("method", text("The operation.")), ("path", text("The path.")),
        ("tried", list("The statements that were tried.", of: "tried")), ("cost", cost),
      ], or: denial)
  }
}
