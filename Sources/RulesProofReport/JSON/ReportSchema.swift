package import RulesEval
import RulesReport

/// The JSON Schema of the output with `--format json`: every report of every command. The reports describe
/// themselves by their forms.
package enum ReportSchema {
  /// The whole schema.
  package static var json: JSONText {
    JSONSchema.document(
      id: "rules-check.report/1", title: "The reports of rules-check --format json",
      .object([("oneOf", .array(reports.map { JSONSchema.reference($0.0) }))]),
      definitions: reports + TestJSON.definitions + DecisionJSON.definitions
        + CheckReport.definitions + [
          ("claim", ClaimResult.anyForm.schema), ("pasted", test),
          ("audit", AuditReport.form.schema), ("coverage", CoverageReport.form.schema),
          ("costs", CostReport.form.schema),
        ])
  }

  /// The definitions of reports.
  private static var reports: [(String, JSONText)] {
    [
      ("testReport", TestJSON.form.schema), ("checkReport", CheckReport.form.schema),
      ("simulation", orErrors("simulate", SimulationReport.form.schema)),
      ("verification", VerificationReport.form.schema), ("replayed", replayed),
      ("evaluated", ExpressionEvaluator.Result.schema), ("auditReport", AuditReports.schema),
      ("diffReport", DiffReport.form.schema), ("formatReport", FormatReport.form.schema),
      ("mutationReport", orErrors("mutate", MutationReport.form.schema)),
      ("proofReport", ProofReport.form.schema),
      ("execReport", orErrors("exec", ExecReport.form.schema)),
    ]
  }

  /// Returns the schema of a report of a command, or of the errors because of which there is none.
  private static func orErrors(_ command: String, _ report: JSONText) -> JSONText {
    JSONSchema.either(
      "The report of \(command).", [report, [Annotation].form(command).schema])
  }

  /// The schema of a line of `replay`; for a malformed line of the log it has errors.
  private static var replayed: JSONText {
    let malformed = JSONForm<[Annotation]>(
      "A line that is not a request.",
      [.count("request", "The line of the log.") { _ in nil }, .errors("errors") { $0 }])
    return JSONSchema.either(
      "A line of the report of replay.",
      [ReplayedRequest.form.schema, malformed.schema, [Annotation].form("replay").schema])
  }

  /// The schema of a test that can be put into a suite. A suite's writer makes it.
  private static var test: JSONText {
    JSONSchema.either(
      "A test that can be put into a suite.",
      [
        JSONSchema.object(
          "A request.", keys: request.map { $0.0 }, required: ["expect"], about: request,
          and: [JSONSchema.exactlyOne(of: operations + ["batch"])]),
        JSONSchema.object(
          "Requests one after the other.", keys: steps.map { $0.0 }, required: ["name", "steps"],
          about: steps),
      ])
  }

  private static let steps: [(String, JSONText)] = [
    ("name", text("The name of the test.")),
    ("steps", JSONSchema.list("The requests.", of: JSONSchema.reference("pasted"))),
    ("documents", data("The documents before the steps, by path.")),
  ]

  private static let operations = ["get", "list", "create", "set", "update", "delete"]

  /// The schemas of the members of a test that describe its request.
  private static var request: [(String, JSONText)] {
    [
      ("expect", JSONSchema.word("The expected decision.", among: ["allow", "deny"])),
      ("name", text("The name of the test.")),
      ("as", .object([("description", .string("The client."))])),
      ("time", text("The time of the request.")), ("data", data("The data that is written.")),
      ("query", data("The filters, order and limits of a query.")),
      (
        "collectionGroup",
        flag("True if a query is about all collections with that name.")
      ), ("batch", JSONSchema.list("Writes that commit together.", of: data("A write."))),
      ("documents", data("The documents before the request, by path.")),
      ("line", JSONSchema.type("integer", "The line of the statement that decides.")),
      ("errors", flag("True if a condition ends in an error.")),
    ] + operations.map { ($0, text("The path, if this is the operation.")) }
  }

  private static func text(_ what: String) -> JSONText { JSONSchema.type("string", what) }
  private static func flag(_ what: String) -> JSONText { JSONSchema.type("boolean", what) }
  private static func data(_ what: String) -> JSONText { JSONSchema.type("object", what) }
}
