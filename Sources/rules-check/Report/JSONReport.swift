import RulesEval
import RulesLang

/// The report for programs, schema `rules-check.test/1`.
struct JSONReport {
  private let report: TestReport

  init(_ report: TestReport) { self.report = report }

  /// The whole text.
  var text: String {
    let count = report.testCount
    let failed = report.failedCount
    var members: [(String, JSONText)] = [
      ("schema", .string("rules-check.test/1")),
      ("suites", .array(report.suites.map { suite($0) })),
    ]
    if let coverage = report.coverage { members.append(("coverage", JSONText(coverage))) }
    members.append(
      (
        "summary",
        .object(
          [
            ("tests", .int(count)), ("passed", .int(count - failed)), ("failed", .int(failed)),
          ] + report.claims.counts)
      ))
    return JSONText.object(members).pretty
  }

  private func suite(_ suite: TestReport.Suite) -> JSONText {
    var members: [(String, JSONText)] = [
      ("suite", .string(suite.source.name)), ("rules", .string(suite.rulesPath)),
      ("tests", .array(suite.results.map { test($0, suite) })),
      ("claims", .array(suite.claims.map { $0.json })),
    ]
    if let replay = suite.replay { members.append(("emulator", Self.emulator(replay))) }
    return .object(members)
  }

  private static func emulator(_ replay: EmulatorReplay.Result) -> JSONText {
    .object([
      ("compared", .int(replay.compared)),
      (
        "disagreements",
        .array(
          replay.disagreements.map { one in
            .object([
              ("name", .string(one.name)), ("ours", .string(one.ours)),
              ("emulator", .string(one.emulator)),
            ])
          })
      ),
      ("skipped", .array(replay.skipped.map { .string($0) })),
    ])
  }

  private func test(_ result: TestResult, _ suite: TestReport.Suite) -> JSONText {
    let test = result.test
    let decision = result.decision
    var members: [(String, JSONText)] = [
      ("name", .string(test.displayName)),
      ("as", test.principalName.map { .string($0) } ?? .null),
      ("method", .string(decision?.verb(test) ?? test.verb)), ("path", .string(test.path)),
      ("expect", .string(test.expectation.word)),
      ("decision", .string(decision.map { $0.isAllowed ? "allow" : "deny" } ?? "unsupported")),
      ("passed", .bool(result.isPassed)),
    ]
    if !result.failures.isEmpty {
      members.append(("failures", .array(result.failures.map { .string($0) })))
    }
    members += DecisionJSON(suite.engine.rules).members(decision)
    return .object(members)
  }
}
