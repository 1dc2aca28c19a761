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
  package var json: JSONText {
    let count = report.testCount
    let failed = report.failedCount
    var members: [(String, JSONText)] = [
      ("schema", .string("rules-check.test/1")),
      ("suites", .array(report.suites.map { suite($0) })),
    ]
    members += report.refusals.errorMembers
    members += report.notices.members
    if let coverage = report.coverage { members.append(("coverage", JSONText(coverage))) }
    if let cost = report.cost { members.append(("cost", JSONText(cost))) }
    members.append(
      (
        "summary",
        .object(
          [
            ("tests", .int(count)), ("passed", .int(count - failed)), ("failed", .int(failed)),
          ] + report.claims.counts)
      ))
    return .object(members)
  }

  /// The nesting depth of tests in the report.
  private static let testDepth = 4

  /// Returns the text of a test, without a comma.
  package static func piece(_ result: TestResult, in context: TestReport.Context) -> String {
    test(result, in: context).pretty(inside: testDepth)
  }

  private func suite(_ suite: TestReport.Suite) -> JSONText {
    var members: [(String, JSONText)] = [
      ("suite", .string(suite.source.name)), ("rules", .string(suite.rulesPath)),
      ("database", .string(String(suite.rules.database.text))),
      ("tests", .written { suite.forEachPiece(of: .json, made: { Self.piece($0, in: $2) }, $0) }),
      ("claims", .array(suite.claims.map { $0.json })),
    ]
    if !suite.warnings.isEmpty {
      members.append(
        ("warnings", .array(suite.warnings.map { Self.warning($0, in: suite.source) })))
    }
    if let replay = suite.replay { members.append(("emulator", Self.emulator(replay))) }
    return .object(members)
  }

  private static func warning(_ warning: Diagnostic, in source: SourceText) -> JSONText {
    let place = source.position(of: warning.range?.start ?? 0)
    return .object([
      ("code", .string(warning.code.name)), ("message", .string(warning.message)),
      ("line", .int(place.line)), ("column", .int(place.column)),
    ])
  }

  private static func emulator(_ replay: EmulatorComparison) -> JSONText {
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

  private static func test(_ result: TestResult, in context: TestReport.Context) -> JSONText {
    if case .steps = result.test.subject { return sequence(result, in: context) }
    return .object(
      [("name", .string(result.test.displayName))] + decided(result, in: context))
  }

  /// Returns the entry of a test with steps: the decision on each of them.
  private static func sequence(
    _ result: TestResult, in context: TestReport.Context
  ) -> JSONText {
    var members: [(String, JSONText)] = [
      ("name", .string(result.test.displayName)), ("passed", .bool(result.isPassed)),
    ]
    if !result.failures.isEmpty {
      members.append(("failures", .array(result.failures.map { .string($0) })))
    }
    let steps = result.steps.map { step in
      JSONText.object([("name", .string(step.test.name))] + decided(step, in: context))
    }
    return .object(members + [("steps", .array(steps))])
  }

  /// Returns the members for a request and its decision.
  private static func decided(
    _ result: TestResult, in context: TestReport.Context
  ) -> [(String, JSONText)] {
    let test = result.test
    let decision = result.decision
    var members: [(String, JSONText)] = [
      ("as", test.principalName.map { .string($0) } ?? .null),
      ("method", .string(decision?.verb(test) ?? test.verb)), ("path", .string(test.path)),
      ("expect", .string(test.expectation.word)),
      ("decision", .string(decision.map { $0.isAllowed ? "allow" : "deny" } ?? "unsupported")),
      ("passed", .bool(result.isPassed)),
    ]
    if !result.failures.isEmpty {
      members.append(("failures", .array(result.failures.map { .string($0) })))
    }
    return members + DecisionJSON(context.rules).members(decision)
  }
}
