package import RulesEval
import RulesLang

/// A coverage report of the emulator: the results of expressions since the rules were set.
package struct Coverage {
  /// The result of an evaluation.
  package enum Outcome: Hashable {
    /// A value, in `ValueNotation`.
    case value(String)
    /// An error with its text and the offset of its first character.
    case error(String, at: Int)
    /// An error without a text: a query's filters imply no value, or nothing was read yet.
    case unknown
  }

  /// The distinct results of each expression, in the order in which they occurred.
  package private(set) var outcomes: [ReportedSpan: [Outcome]] = [:]
  /// By line, the time of the last request that evaluated an expression there.
  package private(set) var times: [Int: Timestamp] = [:]

  /// Parses the list `report` of the emulator's response.
  package init(_ report: [JSON]) {
    for node in report { add(node) }
  }

  private mutating func add(_ node: JSON) {
    let place = node.member("sourcePosition")
    // Protocol buffers omit zeros.
    let span = ReportedSpan(
      first: place?.member("currentOffset")?.plainInt ?? 0,
      last: place?.member("endOffset")?.plainInt ?? 0)
    let line = place?.member("line")?.plainInt ?? 0
    for entry in node.member("values")?.list ?? [] {
      guard let value = entry.member("value"), let outcome = Self.outcome(value) else { continue }
      if outcomes[span]?.contains(outcome) != true { outcomes[span, default: []].append(outcome) }
      if let time = Self.requestTime(value) { times[line] = max(times[line] ?? time, time) }
    }
    for child in node.member("children")?.list ?? [] { add(child) }
  }

  private static func outcome(_ value: JSON) -> Outcome? {
    guard let undefined = value.member("undefined") else {
      return ValueNotation.text(reported: value).map { .value($0) }
    }
    guard let cause = undefined.member("causeMessage")?.plainText else { return .unknown }
    let place = undefined.member("sourcePosition")?.member("currentOffset")?.plainInt ?? 0
    return .error(cause, at: place)
  }

  /// Returns the time of the request if the value is that of `request`.
  private static func requestTime(_ value: JSON) -> Timestamp? {
    guard let fields = value.member("mapValue")?.member("fields"), fields.member("method") != nil,
      let text = fields.member("time")?.member("timestampValue")?.plainText
    else { return nil }
    return Timestamp(rfc3339: Text(text))
  }

  /// The time of the last request that evaluated any expression.
  package var lastTime: Timestamp? { times.values.max() }
}

extension EmulatorClient {
  /// Returns the coverage since the rules were set; nil if the emulator gives none.
  package func coverage() throws(Problem) -> Coverage? {
    let response = try send(
      "GET", to: "/emulator/v1/projects/\(project):ruleCoverage", body: nil, bearer: "owner")
    guard response.status == 200, let answer = Self.json(response.body) else { return nil }
    return Coverage(answer.member("report")?.list ?? [])
  }
}
