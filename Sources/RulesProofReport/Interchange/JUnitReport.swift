package import RulesEval
import RulesLang
import RulesReport

/// The report in JUnit's XML format for build servers: a test suite for each suite file.
package struct JUnitReport {
  private let report: TestReport

  /// Creates the report.
  package init(_ report: TestReport) { self.report = report }

  /// The content of a test case that did not pass.
  private struct Problem {
    /// The element: `failure` for a test that fails, `error` for one that could not be decided.
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
    /// Notes that are shown even if the case passed.
    var remarks: [String] = []
  }

  /// A `testsuite` element: the tests of a suite, then its other cases.
  private struct Group {
    var name: String
    var suite: TestReport.Suite?
    var cases: [Case]

    private var tally: TestReport.Tally { suite?.tally ?? TestReport.Tally() }
    var count: Int { tally.tests + cases.count }
    var failures: Int { tally.failed + count("failure") }
    var errors: Int { tally.unsupported + count("error") }
    var nanoseconds: UInt64 { tally.nanoseconds + cases.reduce(0) { $0 + $1.nanoseconds } }

    private func count(_ element: String) -> Int {
      cases.filter { $0.problem?.element == element }.count
    }
  }

  /// The nesting depth of test cases in the document.
  private static let caseDepth = 2

  /// Writes the report.
  package func write<Output: TextOutputStream>(to output: inout Output) {
    var groups = report.suites.map { group($0) } + (report.coverage.map { [group($0)] } ?? [])
    if let cost = report.cost, let greatest = cost.greatest {
      groups.append(Self.group(cost, atMost: greatest))
    }
    if !report.notices.isEmpty { groups.append(Self.group(report.notices)) }
    if !report.refusals.isEmpty { groups.insert(Self.group(report.refusals), at: 0) }
    var xml = XMLText(output)
    xml.open(
      "testsuites",
      attributes: [
        ("name", "rules-check"), ("tests", "\(groups.reduce(0) { $0 + $1.count })"),
        ("failures", "\(groups.reduce(0) { $0 + $1.failures })"),
        ("errors", "\(groups.reduce(0) { $0 + $1.errors })"),
        ("time", Self.seconds(report.nanoseconds)),
      ])
    for group in groups { write(group, to: &xml) }
    xml.close("testsuites")
    output = xml.output
  }

  /// Returns the XML of a test.
  package static func entry(
    _ result: TestResult, nanoseconds: UInt64, in context: TestReport.Context
  ) -> String {
    var xml = XMLText(part: "", depth: caseDepth)
    write(
      Case(
        name: result.test.title,
        className: context.source.name + context.rules.database.mark, nanoseconds: nanoseconds,
        problem: problem(of: result, in: context), remarks: result.isPassed ? result.remarks : []),
      to: &xml)
    return xml.output
  }

  private func write<Output: TextOutputStream>(_ group: Group, to xml: inout XMLText<Output>) {
    xml.open(
      "testsuite",
      attributes: [
        ("name", group.name), ("tests", "\(group.count)"), ("failures", "\(group.failures)"),
        ("errors", "\(group.errors)"), ("skipped", "0"),
        ("time", Self.seconds(group.nanoseconds)),
      ])
    var names = CaseNames()
    group.suite?.forEachEntry(of: .junit, made: Self.entry) { xml.add(names.distinguishing($0)) }
    for one in group.cases { Self.write(one, to: &xml) }
    let warnings = group.suite?.warningLines ?? []
    if !warnings.isEmpty {
      xml.element("system-out", attributes: [], content: warnings.map { $0 + "\n" }.joined())
    }
    xml.close("testsuite")
  }

  private static func write<Output: TextOutputStream>(
    _ one: Case, to xml: inout XMLText<Output>
  ) {
    let attributes = [
      ("classname", one.className), ("name", one.name), ("time", seconds(one.nanoseconds)),
    ]
    if one.problem == nil, one.remarks.isEmpty {
      return xml.empty("testcase", attributes: attributes)
    }
    xml.open("testcase", attributes: attributes)
    if let problem = one.problem {
      xml.element(
        problem.element, attributes: [("type", problem.type), ("message", problem.message)],
        content: problem.body)
    }
    if !one.remarks.isEmpty {
      xml.element("system-out", attributes: [], content: one.remarks.map { $0 + "\n" }.joined())
    }
    xml.close("testcase")
  }

  private func group(_ suite: TestReport.Suite) -> Group {
    let name = suite.source.name + suite.rules.database.mark
    var cases = suite.claims.map { claim in
      Case(
        name: claim.claim.name, className: "\(name) claims", nanoseconds: claim.nanoseconds,
        problem: problem(of: claim, in: suite), remarks: claim.listedRemarks)
    }
    if let replay = suite.replay {
      let body = replay.disagreements.map {
        "\($0.name)\n  rules-check: \($0.ours)\n  emulator: \($0.emulator)\n"
      }
      let count = replay.disagreements.count
      var problem: Problem?
      if count > 0 {
        problem = Problem(
          element: "failure", type: "emulator-disagrees",
          message: "the emulator decides \(count) of \(replay.compared) requests differently",
          body: body.joined())
      } else if replay.isIdle {
        problem = Problem(
          element: "error", type: "emulator-silent",
          message: "the emulator decides none of the requests",
          body: replay.skipped.map { $0 + "\n" }.joined())
      }
      cases.append(
        Case(
          name: "the official emulator agrees", className: "\(name) emulator",
          nanoseconds: 0, problem: problem))
    }
    return Group(name: name, suite: suite, cases: cases)
  }

  /// Returns the errors of a run as a group.
  private static func group(_ refusals: [Annotation]) -> Group {
    Group(
      name: "what could not be run",
      cases: refusals.map { refusal in
        let place = refusal.place.map { ":\($0.line):\($0.column)" } ?? ""
        let lines =
          [refusal.file + place, refusal.message].filter { !$0.isEmpty } + refusal.remarks
        return Case(
          name: refusal.message, className: refusal.file.isEmpty ? Product.name : refusal.file,
          nanoseconds: 0,
          problem: Problem(
            element: "error", type: refusal.code, message: refusal.message,
            body: lines.map { $0 + "\n" }.joined()))
      })
  }

  /// Returns the notices of a run as passing cases, each with a warning.
  private static func group(_ notices: [ProjectNotice]) -> Group {
    Group(
      name: "project",
      cases: notices.map { notice in
        let help = notice.help.map { ["help: \($0)"] } ?? []
        return Case(
          name: notice.message, className: notice.file, nanoseconds: 0,
          remarks: ["\(notice.severity.word)[\(notice.code)]: \(notice.message)"] + help)
      })
  }

  private static func group(_ cost: CostReport, atMost greatest: Double) -> Group {
    let complaints = cost.complaints
    let problem = complaints.first.map {
      Problem(
        element: "failure", type: "cost-too-high", message: $0,
        body: complaints.map { $0 + "\n" }.joined())
    }
    return Group(
      name: "cost",
      cases: [
        Case(
          name: "nothing takes more than \(greatest.plain) % of a limit", className: "cost",
          nanoseconds: 0, problem: problem)
      ])
  }

  private func group(_ coverage: CoverageReport) -> Group {
    let name = coverage.required.map { "at least \($0.plain) % are covered" }
    let text = CoverageText(coverage, in: .plain).text
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

  private static func problem(of result: TestResult, in context: TestReport.Context) -> Problem? {
    guard let failure = result.failures.first else { return nil }
    var body = place(of: result.place, in: context.source)
    body += result.failures.map { $0 + "\n" }.joined()
    guard let decision = result.decision else {
      return Problem(element: "error", type: "test-unsupported", message: failure, body: body)
    }
    let text = DecisionText(context.rules, in: .plain)
    body += "\n\(text.verdict(decision))  \(result.request)\n"
    body += text.why(decision, indent: "") + text.render(decision, indent: "")
    return Problem(element: "failure", type: "test-failed", message: failure, body: body)
  }

  private func problem(of result: ClaimResult, in suite: TestReport.Suite) -> Problem? {
    guard let complaint = result.complaint else { return nil }
    var body = Self.place(of: result.claim.range, in: suite.source)
    if result.claim.isNamed { body += result.claim.statement + "\n" }
    body += result.sentences.map { $0 + "\n" }.joined()
    if let counterexample = result.counterexample {
      body += "the test that shows it today: \(JSONText(counterexample).compact)\n"
    }
    if let closing = result.closingTest {
      body += "the test that closes it: \(JSONText(closing).compact)\n"
    }
    return Problem(
      element: result.conclusion == .undecided ? "error" : "failure",
      type: "claim-\(result.word)", message: complaint, body: body)
  }

  private static func place(of range: SourceRange, in source: SourceText) -> String {
    let place = source.position(of: range.start)
    return "\(source.name):\(place.line):\(place.column)\n"
  }

  /// Returns seconds with three decimals, the maximum in the schemas.
  private static func seconds(_ nanoseconds: UInt64) -> String {
    let milliseconds = "\(nanoseconds / 1_000_000 % 1000)"
    let padding = String(repeating: "0", count: 3 - milliseconds.utf8.count)
    return "\(nanoseconds / 1_000_000_000).\(padding)\(milliseconds)"
  }
}
