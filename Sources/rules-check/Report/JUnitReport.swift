import RulesEval
import RulesLang

/// The report that build servers read: JUnit's XML, a test suite for each suite file.
struct JUnitReport {
  private let report: TestReport

  init(_ report: TestReport) { self.report = report }

  /// What stands in a test case that did not pass.
  private struct Problem {
    /// `failure` for what does not hold, `error` for what could not be decided.
    var element: String
    var type: String
    var message: String
    var body: String
  }

  private struct Case {
    var name: String
    var className: String
    var nanoseconds: UInt64
    var problem: Problem?
  }

  private struct Group {
    var name: String
    var cases: [Case]

    func count(_ element: String) -> Int { cases.filter { $0.problem?.element == element }.count }
    var nanoseconds: UInt64 { cases.reduce(0) { $0 + $1.nanoseconds } }
  }

  /// The whole text.
  var text: String {
    let groups = report.suites.map { group($0) } + (report.coverage.map { [group($0)] } ?? [])
    var xml = XMLText()
    xml.open(
      "testsuites",
      [
        ("name", "rules-check"), ("tests", "\(groups.reduce(0) { $0 + $1.cases.count })"),
        ("failures", "\(groups.reduce(0) { $0 + $1.count("failure") })"),
        ("errors", "\(groups.reduce(0) { $0 + $1.count("error") })"),
        ("time", Self.seconds(report.nanoseconds)),
      ])
    for group in groups { write(group, &xml) }
    xml.close("testsuites")
    return xml.text
  }

  private func write(_ group: Group, _ xml: inout XMLText) {
    xml.open(
      "testsuite",
      [
        ("name", group.name), ("tests", "\(group.cases.count)"),
        ("failures", "\(group.count("failure"))"), ("errors", "\(group.count("error"))"),
        ("skipped", "0"), ("time", Self.seconds(group.nanoseconds)),
      ])
    for one in group.cases {
      let attributes = [
        ("classname", one.className), ("name", one.name),
        ("time", Self.seconds(one.nanoseconds)),
      ]
      guard let problem = one.problem else {
        xml.empty("testcase", attributes)
        continue
      }
      xml.open("testcase", attributes)
      xml.element(
        problem.element, [("type", problem.type), ("message", problem.message)], problem.body)
      xml.close("testcase")
    }
    xml.close("testsuite")
  }

  private func group(_ suite: TestReport.Suite) -> Group {
    let name = suite.source.name
    var cases = suite.results.enumerated().map { index, result in
      Case(
        name: "\(result.test.displayName) as \(result.test.askerName)", className: name,
        nanoseconds: suite.time(at: index), problem: problem(result, suite))
    }
    cases += suite.claims.map { claim in
      Case(
        name: claim.claim.name, className: "\(name) claims", nanoseconds: claim.nanoseconds,
        problem: problem(claim, suite))
    }
    if let replay = suite.replay {
      let body = replay.disagreements.map {
        "\($0.name)\n  rules-check: \($0.ours)\n  emulator: \($0.emulator)\n"
      }
      let count = replay.disagreements.count
      let problem = Problem(
        element: "failure", type: "emulator-disagrees",
        message: "the emulator decides \(count) of \(replay.compared) requests otherwise",
        body: body.joined())
      cases.append(
        Case(
          name: "the official emulator decides alike", className: "\(name) emulator",
          nanoseconds: 0, problem: count == 0 ? nil : problem))
    }
    return Group(name: name, cases: cases)
  }

  private func group(_ coverage: CoverageReport) -> Group {
    let name = coverage.required.map { "at least \($0.plain) % are covered" }
    let text = CoverageText(coverage, Terminal(color: .never)).text
    let problem = coverage.complaint.map {
      Problem(element: "failure", type: "coverage-too-low", message: $0, body: text)
    }
    return Group(
      name: "coverage",
      cases: [
        Case(
          name: name ?? "coverage is measured", className: "coverage", nanoseconds: 0,
          problem: problem)
      ])
  }

  private func problem(_ result: TestResult, _ suite: TestReport.Suite) -> Problem? {
    guard let failure = result.failures.first else { return nil }
    var body = place(result.test.range, suite)
    body += result.failures.map { $0 + "\n" }.joined()
    guard let decision = result.decision else {
      return Problem(element: "error", type: "test-unsupported", message: failure, body: body)
    }
    let text = DecisionText(suite.engine.rules, Terminal(color: .never))
    body += "\n\(text.verdict(decision))  \(result.request)\n"
    body += text.why(decision, indent: "") + text.render(decision, indent: "")
    return Problem(element: "failure", type: "test-failed", message: failure, body: body)
  }

  private func problem(_ result: ClaimResult, _ suite: TestReport.Suite) -> Problem? {
    guard let complaint = result.complaint else { return nil }
    var body = place(result.claim.range, suite)
    body += result.sentences.map { $0 + "\n" }.joined()
    if let counterexample = result.counterexample {
      body += "as a test: \(JSONText(counterexample).compact)\n"
    }
    return Problem(
      element: result.status == .undecided ? "error" : "failure",
      type: "claim-\(result.word)", message: complaint, body: body)
  }

  private func place(_ range: SourceRange, _ suite: TestReport.Suite) -> String {
    let place = suite.source.position(of: range.start)
    return "\(suite.source.name):\(place.line):\(place.column)\n"
  }

  /// Seconds with three decimals: the schemas allow no more.
  private static func seconds(_ nanoseconds: UInt64) -> String {
    let milliseconds = "\(nanoseconds / 1_000_000 % 1000)"
    let padding = String(repeating: "0", count: 3 - milliseconds.utf8.count)
    return "\(nanoseconds / 1_000_000_000).\(padding)\(milliseconds)"
  }
}
