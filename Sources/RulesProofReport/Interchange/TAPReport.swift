package import RulesEval
import RulesLang
import RulesReport

/// The report in the Test Anything Protocol, version 14: a line for each test and claim, with a YAML block of
/// reasons if it does not hold.
package struct TAPReport {
  private struct Point {
    var name: String
    var isPassed: Bool
    var details: [(String, JSONText)] = []
  }

  private let report: TestReport

  /// Creates the report.
  package init(_ report: TestReport) { self.report = report }

  /// Writes the report.
  package func write<Output: TextOutputStream>(to output: inout Output) {
    let last =
      [report.coverage.flatMap { Self.point($0) }, report.cost.flatMap { Self.point($0) }]
      .compactMap { $0 }
    let count =
      report.suites.reduce(report.refusals.count + last.count) {
        $0 + $1.testCount + Self.otherPoints($1).count
      }
    output.write("TAP version 14\n1..\(count)\n")
    var number = 0
    func write(_ entry: String) {
      number += 1
      output.write(Self.numbered(entry, as: number))
    }
    for refusal in report.refusals { write(Self.text(Self.point(refusal))) }
    for suite in report.suites {
      suite.forEachEntry(of: .tap, made: { Self.entry($0, in: $2) }) { write($0) }
      for point in Self.otherPoints(suite) { write(Self.text(point)) }
      for warning in suite.warningLines { output.write("# \(Printable.text(warning))\n") }
    }
    for notice in report.notices {
      output.write("# \(notice.severity.word): \(Printable.text(notice.message))\n")
    }
    for point in last { write(Self.text(point)) }
  }

  /// Returns the text of a test, without its number.
  package static func entry(_ result: TestResult, in context: TestReport.Context) -> String {
    text(point(of: result, in: context))
  }

  /// Returns the text of a test point without its number, which depends on all points before it.
  private static func text(_ point: Point) -> String {
    var text = "\(point.isPassed ? good : bad) - \(escaped(point.name))\n"
    if point.details.isEmpty { return text }
    // JSON is YAML, so every value is valid as it is.
    text += "  ---\n"
    for (key, value) in point.details { text += "  \(key): \(value.compact)\n" }
    return text + "  ...\n"
  }

  private static let good = "ok"
  private static let bad = "not ok"

  private static func numbered(_ text: String, as number: Int) -> String {
    let mark = text.hasPrefix(good) ? good : bad
    return "\(mark) \(number)" + text.dropFirst(mark.count)
  }

  /// Returns the points that follow a suite's tests.
  private static func otherPoints(_ suite: TestReport.Suite) -> [Point] {
    var points = suite.claims.map { point(of: $0, in: suite) }
    for one in suite.replay?.disagreements ?? [] {
      points.append(
        Point(
          name: "\(suite.source.name)\(suite.rules.database.mark) > emulator > \(one.name)",
          isPassed: false,
          details: [
            ("message", .string("the emulator decides differently")),
            ("found", .string(one.ours)), ("wanted", .string(one.emulator)),
          ]))
    }
    return points
  }

  private static func point(of result: TestResult, in context: TestReport.Context) -> Point {
    let test = result.test
    var point = Point(
      name: "\(context.source.name)\(context.rules.database.mark) > \(test.title)",
      isPassed: result.isPassed)
    if result.isPassed {
      if !result.remarks.isEmpty { point.details = [("notes", result.remarks.json)] }
      return point
    }
    point.details = [
      ("message", .string(result.failures.joined(separator: "; "))),
      ("severity", .string("fail")), ("request", .string(result.request)),
      ("wanted", .string(result.telling.test.expectation.word)),
    ]
    if let decision = result.decision {
      point.details.append(("found", .string(decision.isAllowed ? "allow" : "deny")))
      let why = DenialReason(decision, in: context.rules).sentences
      if !why.isEmpty { point.details.append(("why", .array(why.map { .string($0) }))) }
    }
    point.details.append(("at", place(of: result.place, in: context.source)))
    return point
  }

  private static func point(of result: ClaimResult, in suite: TestReport.Suite) -> Point {
    var point = Point(
      name: "\(suite.source.name)\(suite.rules.database.mark) > claim > \(result.claim.name)",
      isPassed: result.isPassed)
    let remarks = result.listedRemarks
    let notes = remarks.isEmpty ? [] : [("notes", remarks.json)]
    guard let complaint = result.complaint else {
      if !notes.isEmpty { point.details = [("verdict", .string(result.word))] + notes }
      return point
    }
    point.details = [
      ("message", .string(complaint)), ("severity", .string("fail")),
      ("verdict", .string(result.word)), ("claim", .string(result.claim.statement)),
    ]
    if !result.sentences.isEmpty {
      point.details.append(("why", result.sentences.json))
    }
    point.details += notes
    if let counterexample = result.counterexample {
      point.details.append(("counterexample", JSONText(counterexample)))
    }
    if let closing = result.closingTest {
      point.details.append(("closing", JSONText(closing)))
    }
    point.details.append(("at", place(of: result.claim.range, in: suite.source)))
    return point
  }

  /// Returns the point of an error of the run.
  private static func point(_ refusal: Annotation) -> Point {
    let what = refusal.file.isEmpty ? Product.name : refusal.file
    var point = Point(name: "\(what) > it cannot be run", isPassed: false)
    point.details = [
      ("message", .string(refusal.message)), ("severity", .string("fail")),
      ("code", .string(refusal.code)),
    ]
    if let help = refusal.help { point.details.append(("help", .string(help))) }
    if let place = refusal.place {
      point.details.append(
        (
          "at",
          .object([
            ("file", .string(refusal.file)), ("line", .int(place.line)),
            ("column", .int(place.column)),
          ])
        ))
    }
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

  private static func point(_ cost: CostReport) -> Point? {
    guard let greatest = cost.greatest else { return nil }
    let complaints = cost.complaints
    var point = Point(
      name: "nothing takes more than \(greatest.plain) % of a limit", isPassed: complaints.isEmpty)
    if let first = complaints.first {
      point.details = [("message", .string(first)), ("severity", .string("fail"))]
    }
    return point
  }

  private static func place(of range: SourceRange, in source: SourceText) -> JSONText {
    let place = source.position(of: range.start)
    return .object([
      ("file", .string(source.name)), ("line", .int(place.line)),
      ("column", .int(place.column)),
    ])
  }

  /// Returns a description on one line in which `#` begins no directive.
  private static func escaped(_ name: String) -> String {
    Printable.text(name).reduce(into: "") { text, character in
      if character == "#" || character == "\\" { text += "\\" }
      text.append(character)
    }
  }
}

extension [String] {
  /// The texts as a JSON list.
  fileprivate var json: JSONText { .array(map { .string($0) }) }
}
