package import RulesEval
import RulesReport

extension ExecReport {
  /// The machine-readable report, schema `rules-check.exec/1`.
  package var json: JSONText {
    var members: [(String, JSONText)] = [
      ("schema", .string("rules-check.exec/1")),
      ("command", .array(command.map { .string($0) })), ("exit", .int(Int(exitCode))),
      ("requests", .int(tally.requests)), ("allowed", .int(tally.allowed)),
      ("denied", .int(tally.denied)), ("admin", .int(tally.admin)), ("open", .int(tally.open)),
      ("refused", .int(tally.refused)),
    ]
    if explainsDenials {
      let denials = requests.suites.flatMap { suite in
        suite.results.map { result in
          Self.denial(
            result, TestReport.Context(source: suite.source, rules: suite.rules), suite.rulesPath)
        }
      }
      members.append(("denials", .array(denials)))
    }
    members += requests.refusals.errorMembers + requests.notices.members
    if let coverage = requests.coverage { members.append(("coverage", JSONText(coverage))) }
    if let cost = requests.cost { members.append(("cost", JSONText(cost))) }
    if let mutation { members.append(("mutation", mutation.json)) }
    if !recorded.isEmpty {
      let files = recorded.map {
        JSONText.object([("file", .string($0.file)), ("tests", .int($0.tests))])
      }
      members.append(("recorded", .array(files)))
    }
    if !notes.isEmpty { members.append(("notes", .array(notes.map { .string($0) }))) }
    return .object(members)
  }

  private static func denial(
    _ result: TestResult, _ context: TestReport.Context, _ path: String
  ) -> JSONText {
    let test = result.test
    let members: [(String, JSONText)] = [
      ("name", .string(test.displayName)), ("rules", .string(path)),
      ("as", test.principalName.map { .string($0) } ?? .null),
      ("method", .string(result.decision?.verb(test) ?? test.verb)), ("path", .string(test.path)),
    ]
    return .object(members + DecisionJSON(context.rules).members(result.decision))
  }
}
