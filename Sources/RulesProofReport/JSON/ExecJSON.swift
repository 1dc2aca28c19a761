package import RulesEval
import RulesReport

extension ExecReport {
  /// The machine-readable report, schema `rules-check.exec/1`.
  package var json: JSONText { Self.form.json(self) }

  /// The form of the report.
  static let form = JSONForm<Self>(
    "The decisions of the rules on the requests of a command.",
    [
      .schema("exec"), .texts("command", "The command.", of: "A word.") { $0.command },
      .count(
        "exit", "The exit code of the command; 128 plus the signal's number if a signal ended it."
      ) {
        Int($0.exitCode)
      },
      .count("requests", "The requests that were answered.") { $0.tally.requests },
      .count("allowed", "Requests that the rules allowed.") { $0.tally.allowed },
      .count("denied", "Requests that the rules denied.") { $0.tally.denied },
      .count("admin", "Requests of the owner, who bypasses the rules.") { $0.tally.admin },
      .count("open", "Requests to databases without rules.") { $0.tally.open },
      .count("refused", "Requests that the rules could not decide.") { $0.tally.refused },
      .member("denials?", denials) { $0.explainsDenials ? $0.requests.suites : nil },
      .errors { $0.requests.refusals }, .notices { $0.requests.notices },
      .member("coverage?", CoverageReport.form.defined("coverage")) { $0.requests.coverage },
      .member("cost?", CostReport.form.defined("costs")) { $0.requests.cost },
      .member("mutation?", MutationReport.form.defined("mutationReport")) { $0.mutation },
      .list("recorded?", "The suites that requests were written to.", of: recorded) { $0.recorded },
      .texts("notes?", "Notes on the run.") { $0.notes },
    ])

  private static let denials = JSONForm<[TestReport.Suite]>(
    schema: JSONSchema.list("The requests that were denied.", of: denial.schema)
  ) { suites in
    .array(suites.flatMap { suite in suite.results.map { denial.json(($0, suite)) } })
  }

  private static let denial = JSONForm<(result: TestResult, suite: TestReport.Suite)>(
    "A request that was denied.",
    [
      .text("name", "The client and the request.") { $0.result.test.displayName },
      .text("rules", "The rules file.") { $0.suite.rulesPath },
    ], TestJSON.requested.inside { $0.result },
    DecisionJSON.members.inside { DecisionJSON($0.result.decision, of: $0.suite.rules) })

  private static let recorded = JSONForm<Recorded>(
    "A suite.",
    [
      .text("file", "The file.") { $0.file },
      .count("tests", "The number of tests that were added.") { $0.tests },
    ])
}
