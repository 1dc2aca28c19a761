import RulesEval
import RulesLang

/// The report in the Test Anything Protocol, version 14: a line for each test and claim, and for
/// what does not hold a YAML block that says why.
struct TAPReport {
  private struct Point {
    var name: String
    var isPassed: Bool
    var details: [(String, JSONText)] = []
  }

  private let points: [Point]

  init(_ report: TestReport) {
    points =
      report.suites.flatMap { Self.points($0) }
      + (report.coverage.flatMap { Self.point($0) }.map { [$0] } ?? [])
  }

  /// The whole text.
  var text: String {
    var text = "TAP version 14\n1..\(points.count)\n"
    for (index, point) in points.enumerated() {
      let mark = point.isPassed ? "ok" : "not ok"
      text += "\(mark) \(index + 1) - \(Self.escaped(point.name))\n"
      if point.details.isEmpty { continue }
      // JSON is YAML, so every value can stand as it is.
      text += "  ---\n"
      for (key, value) in point.details { text += "  \(key): \(value.compact)\n" }
      text += "  ...\n"
    }
    return text
  }

  private static func points(_ suite: TestReport.Suite) -> [Point] {
    var points = suite.results.map { point($0, suite) }
    points += suite.claims.map { point($0, suite) }
    for one in suite.replay?.disagreements ?? [] {
      points.append(
        Point(
          name: "\(suite.source.name) > emulator > \(one.name)", isPassed: false,
          details: [
            ("message", .string("the emulator decides otherwise")),
            ("found", .string(one.ours)), ("wanted", .string(one.emulator)),
          ]))
    }
    return points
  }

  private static func point(_ result: TestResult, _ suite: TestReport.Suite) -> Point {
    let test = result.test
    var point = Point(
      name: "\(suite.source.name) > \(test.displayName) as \(test.askerName)",
      isPassed: result.isPassed)
    guard !result.isPassed else { return point }
    point.details = [
      ("message", .string(result.failures.joined(separator: "; "))),
      ("severity", .string("fail")), ("request", .string(result.request)),
      ("wanted", .string(test.expectation.word)),
    ]
    if let decision = result.decision {
      point.details.append(("found", .string(decision.isAllowed ? "allow" : "deny")))
      let why = DenialReason(decision, in: suite.engine.rules).sentences
      if !why.isEmpty { point.details.append(("why", .array(why.map { .string($0) }))) }
    }
    point.details.append(("at", place(test.range, suite)))
    return point
  }

  private static func point(_ result: ClaimResult, _ suite: TestReport.Suite) -> Point {
    var point = Point(
      name: "\(suite.source.name) > claim > \(result.claim.name)", isPassed: result.isPassed)
    guard let complaint = result.complaint else { return point }
    point.details = [
      ("message", .string(complaint)), ("severity", .string("fail")),
      ("verdict", .string(result.word)),
    ]
    if !result.sentences.isEmpty {
      point.details.append(("why", .array(result.sentences.map { .string($0) })))
    }
    if let counterexample = result.counterexample {
      point.details.append(("counterexample", JSONText(counterexample)))
    }
    point.details.append(("at", place(result.claim.range, suite)))
    return point
  }

  private static func point(_ coverage: CoverageReport) -> Point? {
    guard let required = coverage.required else { return nil }
    var point = Point(
      name: "coverage is at least \(required.plain) %", isPassed: !coverage.isTooLow)
    if let complaint = coverage.complaint {
      point.details = [("message", .string(complaint)), ("severity", .string("fail"))]
    }
    return point
  }

  private static func place(_ range: SourceRange, _ suite: TestReport.Suite) -> JSONText {
    let place = suite.source.position(of: range.start)
    return .object([
      ("file", .string(suite.source.name)), ("line", .int(place.line)),
      ("column", .int(place.column)),
    ])
  }

  /// A description on one line in which `#` begins no directive.
  private static func escaped(_ name: String) -> String {
    Printable.text(name).reduce(into: "") { text, character in
      if character == "#" || character == "\\" { text += "\\" }
      text.append(character)
    }
  }
}
