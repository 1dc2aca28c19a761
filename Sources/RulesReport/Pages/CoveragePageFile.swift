import RulesEval
import RulesLang

/// One rules file on the coverage page: its source as nested elements, one for each place, and the data of
/// the places.
struct CoveragePageFile {
  private let file: CoverageReport.File
  private let number: Int
  /// The places, outer ones before inner ones.
  private let places: [CoveragePlace]

  init(_ file: CoverageReport.File, number: Int) {
    self.file = file
    self.number = number
    places = file.places.enumerated().sorted {
      let (one, other) = ($0.element.range, $1.element.range)
      if one.start != other.start { return one.start < other.start }
      return one.end != other.end ? one.end > other.end : $0.offset < $1.offset
    }.map { $0.element }
  }

  private var source: SourceText { file.rules.ruleset.source }

  /// The section of the page.
  var section: String {
    """
    <section>
    <h2>\(XML.escaped(file.path))</h2>
    <p class="numbers">\(numbers)</p>
    <div class="source" data-file="\(number)">\(lines)</div>
    </section>
    """
  }

  private var numbers: String {
    let summary = file.summary
    let parts = [
      ("statements", summary.statements), ("conditions", summary.conditions),
      ("expressions", summary.expressions),
    ]
    let meters = parts.map { name, count in
      """
      <span class="meter">\(name) <meter min="0" max="\(max(count.possible, 1))" \
      value="\(count.possible == 0 ? 1 : count.seen)"></meter> \(count.seen)/\(count.possible)</span>
      """
    }
    let untested =
      file.untestedWords.map { "<span class=\"low\">deployed, and \(HTML.text($0))</span> " } ?? ""
    return "<strong>\(CoverageReport.text(summary.total.percent)) %</strong> "
      + untested + meters.joined(separator: " ")
  }

  // MARK: Source

  /// The lines of the source. A place of several lines is an element of its own on each.
  private var lines: String {
    var text = ""
    var open: [Int] = []
    var next = 0
    let gaps = Set(file.coverage.gaps(in: file.rules).map { source.line(of: $0.range.start) })
    for line in 1...source.lineCount {
      let range = source.lineRange(line)
      // The end of the last line is not a line of its own.
      if line == source.lineCount, range.isEmpty { break }
      let style = gaps.contains(line) ? "l gaps" : "l"
      // A line that is too wide continues slightly to the right of its beginning.
      let hang = min(firstInk(range) - range.start, 40) + 4
      text += "<div class=\"\(style)\" style=\"--i:\(hang)\"><span class=\"n\">\(line)</span><code>"
      // A place that continues from the line before does not colour the indentation.
      let begin = open.isEmpty ? range.start : firstInk(range)
      text += XML.escaped(source.string(SourceRange(start: range.start, end: begin)))
      text += open.map { tag($0, isFirst: false) }.joined()
      var offset = begin
      while true {
        while let last = open.last, places[last].range.end <= offset {
          text += "</span>"
          open.removeLast()
        }
        guard offset < range.end else { break }
        while next < places.count, places[next].range.start <= offset {
          text += tag(next, isFirst: true)
          open.append(next)
          next += 1
        }
        var end = range.end
        if let last = open.last { end = min(end, places[last].range.end) }
        if next < places.count { end = min(end, places[next].range.start) }
        text += XML.escaped(source.string(SourceRange(start: offset, end: end)))
        offset = end
      }
      text += String(repeating: "</span>", count: open.count) + "</code></div>"
    }
    return text
  }

  private func firstInk(_ range: SourceRange) -> UInt32 {
    var offset = range.start
    while offset < range.end,
      source.bytes[Int(offset)] == UInt8(ascii: " ")
        || source.bytes[Int(offset)] == UInt8(ascii: "\t")
    {
      offset += 1
    }
    return offset
  }

  private func tag(_ place: Int, isFirst: Bool) -> String {
    let id = isFirst ? " id=\"p\(number)-\(place)\" tabindex=\"-1\"" : ""
    return "<span class=\"p \(style(places[place]))\" data-p=\"\(place)\"\(id)>"
  }

  private func style(_ place: CoveragePlace) -> String {
    let counts = file.coverage.branches(of: place.subject)
    if counts.total == 0 { return "never" }
    if case .statement = place.subject { return "tried" }
    if place.gaps.isEmpty { return "both" }
    if counts.yes > 0 { return "yes" }
    return counts.no > 0 ? "no" : "err"
  }

  // MARK: Data

  /// The data for the page's script: the tests, and for each place its counts and values.
  var data: JSONText {
    .object([
      ("file", .string(file.path)),
      ("asked", .string(file.isOfRequests ? "request" : "test")),
      ("tests", .array(file.tests.map { .string($0) })),
      ("places", .array(places.map { json($0) })),
    ])
  }

  private func json(_ place: CoveragePlace) -> JSONText {
    var members: [(String, JSONText)] = [
      ("line", .int(source.line(of: place.range.start))),
      ("text", .string(SourceSnippet.text(place.range, in: source))),
    ]
    if !place.gaps.isEmpty {
      members.append(("gaps", .array(place.gaps.map { .string(Self.words($0)) })))
    }
    switch place.subject {
    case .statement(let id), .condition(let id):
      let tally = file.coverage.statements[Int(id.raw)]
      members.append(("kind", .string("allow")))
      members.append(
        (
          "rows",
          .array(
            [
              row("grants", style: "yes", count: tally.granted, tests: tally.grantedIn),
              row(
                "denies", style: "no", count: tally.refused + tally.failed, tests: tally.refusedIn),
            ].compactMap { $0 })
        ))
      if tally.failed > 0 { members.append(("errors", .int(tally.failed))) }
    case .expression(let id):
      let tally = file.coverage.expressions[id.index]
      members.append(("kind", .string("expression")))
      members.append(("rows", .array(tally.samples.compactMap { row($0) })))
      if tally.unlisted > 0 { members.append(("unlisted", .int(tally.unlisted))) }
    }
    return .object(members)
  }

  /// Returns the words of a gap; a statement without requests has those of the legend.
  private static func words(_ gap: CoveragePlace.Gap) -> String {
    gap == .neverTried ? CoveragePlace.Gap.neverEvaluated.words : gap.words
  }

  private func row(_ sample: RuleCoverage.Sample) -> JSONText? {
    let text: String
    let style: String
    switch sample.outcome {
    case .value(.bool(let flag)):
      text = flag ? "true" : "false"
      style = flag ? "yes" : "no"
    case .value(let value):
      text = ValueText.short(value)
      style = "value"
    case .error(let error):
      text = SourceSnippet.collapsed(error.reason.message ?? "the filters do not say")
      style = "err"
    }
    return row(text, style: style, count: sample.count, tests: sample.tests)
  }

  private func row(_ text: String, style: String, count: Int, tests: [Int]) -> JSONText? {
    guard count > 0 else { return nil }
    return .array([.string(text), .string(style), .int(count), .array(tests.map { .int($0) })])
  }
}
