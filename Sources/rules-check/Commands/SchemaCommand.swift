import RulesEval
import RulesHost
import RulesLang
import RulesProofReport

/// `rules-check schema`: JSON Schemas, for completing files in editors and validating reports.
enum SchemaCommand {
  /// The command.
  static let command = Command(
    name: "schema", operands: "suite|config|report", operandCount: 1...1,
    summary: "a JSON Schema of suites, configuration or reports",
    details: """
      Prints a JSON Schema (draft 2020-12) of suites, of .rulescheck.json or of what --format json
      writes. An editor completes a file that names it:
        rules-check schema suite > suite.schema.json
        { "$schema": "./suite.schema.json", "rules": "firestore.rules", … }
      """,
    run: { (options: SchemaOptions) throws(UsageProblem) in
      try options.reporting.emit { _ in text(options.subject) }
      return .success
    })

  private static func text(_ subject: SchemaOptions.Subject) -> String {
    switch subject {
    case .suite: SuiteSchema.json.pretty
    case .config: ConfigurationSchema.json.pretty
    case .report: ReportSchema.json.pretty
    }
  }
}

/// The command line of `schema`.
struct SchemaOptions: CommandOptions {
  /// The subjects of schemas.
  enum Subject: String, CaseIterable, Sendable { case suite, config, report }

  /// The options of the command.
  static let table: [any OptionRow] = []
  /// The text is for programs, and all of it is wanted.
  static let withoutCommon = [CommonOptions.color.name, CommonOptions.quiet.name]

  /// The subject.
  let subject: Subject
  /// The destination of the schema.
  let reporting: Reporting<PlainFormat>

  /// Reads a command line.
  init(_ invocation: Invocation) throws(UsageProblem) {
    let name = invocation.operands[0]
    guard let subject = Subject(rawValue: name) else {
      let words = Subject.allCases.map(\.rawValue)
      throw UsageProblem(
        "there is no schema of `\(name)`",
        help: Self.place(of: name)
          ?? Spelling.nearest(to: name, among: words).map { "did you mean `\($0)`?" }
          ?? "one of " + words.joined(separator: ", "))
    }
    self.subject = subject
    reporting = try Reporting(invocation)
  }

  /// Returns where a subject without a schema is documented; nil for unknown words.
  private static func place(of name: String) -> String? {
    switch name {
    case "claim", "claims", "test", "tests":
      "it is part of suites, and `schema suite` describes it under `$defs`"
    case "audit", "check", "diff", "eval", "fmt", "mutate", "prove", "replay", "simulate":
      "`schema report` describes what it writes under `$defs`"
    default: nil
    }
  }
}
