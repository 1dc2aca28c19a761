package import RulesEval
import RulesLang
import RulesReport

/// The machine-readable report, schema `rules-check.test/1`.
package struct TestJSON {
  private let report: TestReport

  /// Creates the machine-readable report.
  package init(_ report: TestReport) { self.report = report }

  /// Writes the report.
  package func write<Output: TextOutputStream>(to output: inout Output) {
    json.write(to: &output, indent: 0)
    output.write("\n")
  }

  /// The whole report as one value.
  package var json: JSONText { Self.form.json(report) }

  /// The nesting depth of tests in the report.
  private static let testDepth = 4

  /// Returns the text of a test, without a comma.
  package static func entry(_ result: TestResult, in context: TestReport.Context) -> String {
    let name = result.test.displayName
    let json =
      result.isSequence
      ? sequence.json((name, result, context)) : request.json((name, result, context))
    return json.pretty(inside: testDepth)
  }

  /// The form of the report.
  static let form = JSONForm<TestReport>(
    "The report of test.",
    [
      .schema("test"),
      .list("suites", "The suites that could be run.", of: suite.defined("suite")) { $0.suites },
      .errors { $0.refusals }, .notices { $0.notices },
      .member("coverage?", CoverageReport.form.defined("coverage")) { $0.coverage },
      .member("cost?", CostReport.form.defined("costs")) { $0.cost },
      .member("summary", summary) { $0 },
    ])

  /// The definitions of the schema.
  static let definitions = [
    ("suite", suite.schema), ("test", test), ("request", request.schema),
    ("sequence", sequence.schema),
  ]

  private static let summary = JSONForm<TestReport>(
    "The numbers of tests and claims.",
    [
      .count("tests", "All tests.") { $0.testCount },
      .count("passed", "Tests that passed.") { $0.testCount - $0.failedCount },
      .count("failed", "Tests that failed.") { $0.failedCount },
    ], ClaimResult.counts.inside { $0.claims })

  private static let suite = JSONForm<TestReport.Suite>(
    "The results of a suite.",
    [
      .text("suite", "The suite.") { $0.source.name },
      .text("rules", "The rules file of the suite.") { $0.rulesPath },
      .database { $0.rules.database },
      JSONMember("tests", tests) { suite in
        .written { suite.forEachEntry(of: .json, made: { Self.entry($0, in: $2) }, $0) }
      },
      .list("claims", "The results of the claims.", of: ClaimResult.form) { $0.claims },
      .list("warnings?", "Warnings about the data of the suite.", of: warning) { suite in
        suite.warnings.map { ($0, suite.source) }
      },
      .member("emulator?", emulator) { $0.replay },
    ])

  private static let warning = JSONForm<(Diagnostic, SourceText)>(
    "A warning.",
    [
      .text("code", "The code of the warning.") { warning, _ in warning.code.name },
      .text("message", "The message.") { warning, _ in warning.message },
    ], .place { $1.position(of: $0.range?.start ?? 0) })

  private static let emulator = JSONForm<EmulatorComparison>(
    "The comparison with a running emulator.",
    [
      .count("compared", "The requests that both decided.") { $0.compared },
      .list("disagreements", "The decisions that differ.", of: disagreement) { $0.disagreements },
      .texts("skipped", "Requests that the emulator could not decide.") { $0.skipped },
    ])

  private static let disagreement = JSONForm<EmulatorComparison.Disagreement>(
    "A request.",
    [
      .text("name", "The test.") { $0.name },
      .text("ours", "The decision of rules-check.") { $0.ours },
      .text("emulator", "The decision of the emulator.") { $0.emulator },
    ])

  /// The schema of the tests of a suite.
  private static let tests = JSONSchema.list(
    "The results of the tests.", of: JSONSchema.reference("test"))

  /// The schema of a test: of one request, or of steps.
  private static let test = JSONText.object([
    ("if", .object([("required", JSONSchema.strings(["steps"]))])),
    ("then", JSONSchema.reference("sequence")), ("else", JSONSchema.reference("request")),
  ])

  private typealias Named = (name: String, result: TestResult, context: TestReport.Context)

  private static let sequence = JSONForm<Named>(
    "A test with steps.",
    [
      .text("name", "The name of the test, with its groups.") { $0.name },
      .flag("passed", "True if all steps passed.") { $0.result.isPassed },
      .texts("failures?", "The reasons for the failure.") { $0.result.failures },
      .list("steps", "The decision on each step.", of: request.defined("request")) { test in
        test.result.steps.map { ($0.test.name, $0, test.context) }
      },
    ])

  private static let request = JSONForm<Named>(
    "A request and the decision on it.",
    [.text("name", "The name of the test, with its groups, or of the step.") { $0.name }],
    requested.inside { $0.result },
    [
      .word("expect", "The expected decision.", among: ["allow", "deny"]) {
        $0.result.test.expectation.word
      },
      .word("decision", "The decision.", among: ["allow", "deny", "unsupported"]) {
        $0.result.decision.map { $0.isAllowed ? "allow" : "deny" } ?? "unsupported"
      },
      .flag("passed", "True if the decision is the expected one.") { $0.result.isPassed },
      .texts("failures?", "The reasons for the failure.") { $0.result.failures },
    ], DecisionJSON.members.inside { DecisionJSON($0.result.decision, of: $0.context.rules) })

  /// The members of a request.
  static let requested: [JSONMember<TestResult>] = [
    .client { $0.test.principalName },
    .text("method", "The operation.") { $0.decision?.verb($0.test) ?? $0.test.verb },
    .text("path", "The path.") { $0.test.path },
  ]
}

extension TestResult {
  fileprivate var isSequence: Bool {
    if case .steps = test.subject { true } else { false }
  }
}
