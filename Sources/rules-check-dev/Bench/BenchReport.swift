import RulesEval
import RulesLang

/// The results of `bench`.
struct BenchReport {
  /// One case.
  struct Row {
    /// The name of the case.
    var name: String
    /// The time of the hand-written floor, if there is one.
    var floor: Measurement?
    /// The time of a decision on a loaded request.
    var decision: Measurement
    /// The time of loading a request from parsed values and deciding it.
    var loading: Measurement
    /// The time from a scripted request to its decision.
    var request: Measurement
    /// The time from a scripted request to its decision by the reference.
    var reference: Measurement
  }

  /// A suite, or the built-in case.
  struct Section {
    /// The name.
    var name: String
    /// The cases.
    var rows: [Row]
  }

  /// The measured sections.
  var sections: [Section]

  // MARK: For people

  /// The results as a table for each section.
  var pretty: String {
    var text = ""
    for section in sections {
      text += Printable.text(section.name) + "\n"
      text += Self.line(
        "  ns, medians",
        cells: ["decision", "spread", "floor", "ratio", "loading", "request", "reference"])
      for row in section.rows {
        text += Self.line("  " + Printable.text(row.name), cells: Self.cells(row))
      }
      let medians = section.rows.map(\.decision.median).sorted()
      if !medians.isEmpty {
        let rate = 1_000_000_000 / medians[medians.count / 2]
        text += "  \(Self.grouped(Int(rate))) decisions a second\n"
      }
    }
    return text
  }

  private static func cells(_ row: Row) -> [String] {
    let decision = row.decision
    return [
      tenths(decision.median), "\(tenths(decision.fastest))-\(tenths(decision.slowest))",
      row.floor.map { tenths($0.median) } ?? "",
      row.floor.map { tenths(decision.median / $0.median) } ?? "", tenths(row.loading.median),
      tenths(row.request.median), tenths(row.reference.median),
    ]
  }

  private static func line(_ name: String, cells: [String]) -> String {
    let width = 38
    let length = name.unicodeScalars.count
    var text = length > width ? String(name.prefix(width)) : name
    text += String(repeating: " ", count: max(0, width - length))
    for cell in cells {
      text += String(repeating: " ", count: max(1, 13 - cell.utf8.count)) + cell
    }
    return text + "\n"
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.indices.map { place in
      let rest = digits.count - place
      return (place > 0 && rest % 3 == 0 ? "," : "") + String(digits[place])
    }.joined()
  }

  // MARK: For programs

  /// The results in JSON, schema `rules-check.bench/1`.
  var json: String {
    JSONText.object([
      ("schema", .string("rules-check.bench/1")), ("unit", .string("nanoseconds")),
      (
        "sections",
        .array(
          sections.map { section in
            .object([
              ("name", .string(section.name)),
              ("cases", .array(section.rows.map { Self.json($0) })),
            ])
          })
      ),
    ]).pretty
  }

  private static func json(_ row: Row) -> JSONText {
    var members: [(String, JSONText)] = [("name", .string(row.name))]
    if let floor = row.floor { members.append(("floor", json(floor))) }
    members += [
      ("decision", json(row.decision)), ("loading", json(row.loading)),
      ("request", json(row.request)), ("reference", json(row.reference)),
    ]
    return .object(members)
  }

  private static func json(_ measurement: Measurement) -> JSONText {
    .object([
      ("median", .number(tenths(measurement.median))),
      ("fastest", .number(tenths(measurement.fastest))),
      ("slowest", .number(tenths(measurement.slowest))),
    ])
  }
}
