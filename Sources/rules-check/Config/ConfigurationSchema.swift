import RulesEval
import RulesLang
import RulesStyle

/// The JSON Schema of `.rulescheck.json`. Its keys come from the reader's own table.
enum ConfigurationSchema {
  /// The schema.
  static var json: JSONText {
    JSONSchema.document(
      id: "rules-check.config/1", title: "The configuration of rules-check: .rulescheck.json",
      JSONSchema.object(
        "The settings of a project; paths are relative to this file.",
        keys: ConfigurationReader.keys,
        about: [
          ("rules", JSONSchema.reference("paths", "Rules files and folders.")),
          ("suites", JSONSchema.reference("paths", "Suites and folders, for test.")),
          (
            "database",
            JSONSchema.type(
              "string",
              "The database that the rules are deployed to; by default that of firebase.json.")
          ),
          ("levels", levels),
          (
            "profile",
            JSONSchema.word(
              "The behaviour to follow; by default the emulator's.",
              among: Profile.allCases.map(\.rawValue))
          ),
          (
            "failOn",
            JSONSchema.word(
              "The mildest finding of check that makes the exit code 1; by default error.",
              among: FailureLevel.allCases.map(\.rawValue))
          ),
          (
            "minCoverage",
            .object([
              ("description", .string("The coverage, in percent, that test demands.")),
              ("type", .string("number")), ("minimum", .int(0)), ("maximum", .int(100)),
            ])
          ),
          ("$schema", JSONSchema.type("string", "The schema for editors.")),
        ]),
      definitions: [
        (
          "paths",
          JSONSchema.either(
            "One path or several.",
            [
              JSONSchema.type("string", "A path."),
              JSONSchema.list("Paths.", of: JSONSchema.type("string", "A path.")),
            ])
        )
      ])
  }

  private static var levels: JSONText {
    let codes =
      Lints.all.map { ($0.code.name, $0.summary + ".") }
      + CodePage.table.map { ($0.code.name, $0.summary) }
    let words = LintLevel.words
    return JSONSchema.object(
      "The level of each code.", keys: codes.map(\.0) + Lints.formerNames.map(\.old),
      about: codes.map { ($0.0, JSONSchema.word($0.1, among: words)) }
        + Lints.formerNames.map {
          ($0.old, JSONSchema.word("Renamed to \($0.now).", among: words))
        })
  }
}
