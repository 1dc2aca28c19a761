import RulesEval
import RulesLang

/// Coverage in the format of the official emulator's `ruleCoverage` report, for programs that read that: the
/// rules, and for each expression its place, values and operands.
package struct RuleCoverageReport {
  private let report: CoverageReport
  private let hasNames: Bool

  /// The coverage as the emulator would report it.
  ///
  /// - Parameter hasNames: False for rules that were uploaded without a name.
  package init(_ report: CoverageReport, hasNames: Bool = true) {
    self.report = report
    self.hasNames = hasNames
  }

  /// The report of a run with one rules file, or without a usable one; for several files a list of reports.
  package var text: String {
    let files = report.files.map { RuleCoverageFile($0).json(isNamed: hasNames) }
    if files.count > 1 { return JSONText.array(files).pretty }
    return (files.first ?? RuleCoverageFile.json(of: [], [])).pretty
  }
}

private struct RuleCoverageFile {
  private let file: CoverageReport.File
  private let spans: ReportedSpans
  /// The first byte of each character.
  private let starts: [UInt32]

  init(_ file: CoverageReport.File) {
    self.file = file
    spans = ReportedSpans(file.rules.ruleset)
    starts = file.rules.ruleset.source.bytes.enumerated()
      .filter { $0.element & 0xC0 != 0x80 }.map { UInt32($0.offset) }
  }

  private var rules: Ruleset { file.rules.ruleset }

  func json(isNamed: Bool) -> JSONText {
    let content = String(decoding: rules.source.bytes, as: UTF8.self)
    let name = isNamed ? [("name", JSONText.string(file.path))] : []
    let source = JSONText.object([("content", .string(content))] + name)
    var roots = rules.allows.compactMap { allow in
      allow.condition.map { (order: $0.first, nodes: nodes($0.root)) }
    }
    for function in rules.functions {
      let first = function.lets.first?.value.first ?? function.result.first
      roots.append((order: first, nodes: nodes(function.lets[...], result: function.result.root)))
    }
    let report = roots.sorted { $0.order < $1.order }.flatMap { $0.nodes }
    return Self.json(of: [source], report)
  }

  /// Returns the report of some rules.
  static func json(of files: [JSONText], _ report: [JSONText]) -> JSONText {
    .object([("rules", .object([("files", .array(files))])), ("report", .array(report))])
  }

  private func nodes(_ root: ExprID) -> [JSONText] { nodes(root, places: spans.spans(of: root)) }

  /// Returns the node of a function's result. Each `let` is a node around all that follows it.
  private func nodes(_ lets: ArraySlice<Function.Let>, result: ExprID) -> [JSONText] {
    guard let binding = lets.first else { return nodes(result) }
    let root = rules.unparenthesized(result)
    let last =
      spans.spans(of: result)[root]?.last ?? spans.character(of: max(1, rules[root].range.end) - 1)
    let first = spans.character(of: binding.keyword.start)
    let children = nodes(binding.value.root) + nodes(lets.dropFirst(), result: result)
    return [node(at: position(first: first, last: last), of: root, children: children)]
  }

  /// Returns the nodes of an expression; literals and parentheses have no node of their own.
  private func nodes(_ id: ExprID, places: [ExprID: ReportedSpan]) -> [JSONText] {
    var children: [JSONText] = []
    if case .binary(.in, let element, let container) = rules[id].kind {
      // The emulator reports the container before the element.
      children = nodes(container, places: places) + nodes(element, places: places)
    } else {
      rules[id].forEachOperand { children += nodes($0, places: places) }
    }
    guard let span = places[id] else { return children }
    return [node(at: position(first: span.first, last: span.last), of: id, children: children)]
  }

  private func node(at place: JSONText, of id: ExprID, children: [JSONText]) -> JSONText {
    var members: [(String, JSONText)] = [("sourcePosition", place)]
    let samples = file.coverage.expressions[id.index].samples
    if !samples.isEmpty {
      let values = samples.map { sample in
        JSONText.object([("value", value(sample.outcome)), ("count", .int(sample.count))])
      }
      members.append(("values", .array(values)))
    }
    if !children.isEmpty { members.append(("children", .array(children))) }
    return .object(members)
  }

  private func position(first: Int, last: Int) -> JSONText {
    let start = first < starts.count ? starts[first] : 0
    let place = rules.source.position(of: start)
    return .object([
      ("line", .int(place.line)), ("column", .int(place.column)),
      ("currentOffset", .int(first)), ("endOffset", .int(last)),
    ])
  }

  private func value(_ outcome: Outcome) -> JSONText {
    switch outcome {
    case .value(let value): return ReportedValue.json(value)
    case .error(let error):
      var members: [(String, JSONText)] = []
      if let message = error.reason.message {
        let first = spans.character(of: error.site.start)
        let last = max(first, spans.character(of: error.site.end) - 1)
        members = [
          ("sourcePosition", position(first: first, last: last)),
          ("causeMessage", .string(message)),
        ]
      }
      return .object([("undefined", .object(members))])
    }
  }
}

/// Values in the format of the emulator's coverage report: `{"intValue": "1"}`.
enum ReportedValue {
  /// Returns the JSON form of a value.
  static func json(_ value: Value) -> JSONText {
    switch value {
    case .null: one("nullValue", .null)
    case .bool(let flag): one("boolValue", .bool(flag))
    case .int(let number): one("intValue", .string("\(number)"))
    case .float(let number): one("floatValue", float(number))
    case .string(let text): one("stringValue", .string(String(text)))
    case .bytes(let octets):
      one("bytesValue", .string(String(Base64.standard.text(of: octets))))
    case .list(let elements): one("listValue", list("values", elements.map { json($0) }))
    case .set(let set): one("setValue", list("values", set.elements.map { json($0) }))
    case .map(let map):
      one(
        "mapValue",
        map.count == 0
          ? .object([])
          : one("fields", .object(map.map { (String($0.0), json($0.1)) })))
    case .timestamp(let time): one("timestampValue", .string(time.description))
    case .duration(let length): one("durationValue", .string(length.paddedDescription))
    case .latlng(let point):
      one(
        "latlngValue",
        .object([("latitude", float(point.latitude)), ("longitude", float(point.longitude))]))
    case .path(let path):
      one("pathValue", list("segments", path.segments.map { segment($0) }))
    case .mapDiff(let diff):
      one(
        "mapDiffValue",
        one(
          "keyStatuses",
          .object(
            diff.entries.map { (String($0.key), .string(word($0.status))) })))
    case .vector(let numbers):
      one("vectorValue", list("values", numbers.map { json(.float($0)) }))
    case .constraint(let promise):
      one("constraintValue", list("simpleConstraints", promise.entries.map { entry($0) }))
    }
  }

  private static func one(_ key: String, _ value: JSONText) -> JSONText { .object([(key, value)]) }

  /// Returns a message with a repeated field; protocol buffers omit empty ones.
  private static func list(_ key: String, _ elements: [JSONText]) -> JSONText {
    elements.isEmpty ? .object([]) : one(key, .array(elements))
  }

  private static func float(_ number: Double) -> JSONText {
    if number.isNaN { return .string("NaN") }
    if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
    return .number("\(number)")
  }

  private static func word(_ status: MapDiff.Status) -> String {
    switch status {
    case .added: "ADDED"
    case .removed: "REMOVED"
    case .changed: "CHANGED"
    case .unchanged: "UNCHANGED"
    }
  }

  private static func entry(_ entry: Constraint.Entry) -> JSONText {
    .object([("comparator", .string(entry.comparator.word)), ("value", json(entry.value))])
  }

  private static func segment(_ segment: PathValue.Segment) -> JSONText {
    switch segment {
    case .plain(let text): return one("simple", .string(String(text)))
    case .capture(let name, let bound):
      var members: [(String, JSONText)] = [("variableName", .string(String(name)))]
      if let bound { members.append(("boundValue", .string(String(bound)))) }
      return one("capture", .object(members))
    case .glob(let name, let bound):
      var members: [(String, JSONText)] = [("variableName", .string(String(name)))]
      if let bound {
        let run = bound.map { one("simple", .string(String($0))) }
        members.append(("boundValue", list("segments", run)))
      }
      return one("globCapture", .object(members))
    }
  }
}
