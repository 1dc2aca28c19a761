import RulesEval
import RulesLang

extension JSONText {
  /// Creates the coverage member of a machine-readable report: figures by file, and the gaps by place.
  package init(_ report: CoverageReport) {
    var members = Self.numbers(report.summary)
    if let required = report.required {
      members.append(("required", .number(required.plain)))
      members.append(("passed", .bool(!report.isTooLow)))
    }
    members.append(("files", .array(report.files.map { Self.file($0) })))
    self = .object(members)
  }

  private static func numbers(_ summary: CoverageSummary) -> [(String, JSONText)] {
    [
      ("percent", .number(CoverageReport.text(summary.total.percent))),
      ("seen", .int(summary.total.seen)), ("possible", .int(summary.total.possible)),
      ("statements", count(summary.statements)), ("conditions", count(summary.conditions)),
      ("expressions", count(summary.expressions)),
    ]
  }

  private static func count(_ count: CoverageSummary.Count) -> JSONText {
    .object([("seen", .int(count.seen)), ("possible", .int(count.possible))])
  }

  private static func file(_ file: CoverageReport.File) -> JSONText {
    let source = file.rules.ruleset.source
    let gaps = file.coverage.gaps(in: file.rules).map { gap in
      let start = source.position(of: gap.range.start)
      let end = source.position(of: gap.range.end)
      return JSONText.object([
        ("line", .int(start.line)), ("column", .int(start.column)), ("endLine", .int(end.line)),
        ("endColumn", .int(end.column)), ("gap", .string(gap.gap.words)),
        ("source", .string(SourceSnippet.text(gap.range, in: source))),
      ])
    }
    var untested: [(String, JSONText)] = file.isUntested ? [("untested", .bool(true))] : []
    if !file.isUntested, !file.untestedDatabases.isEmpty {
      untested = [
        ("untestedDatabases", .array(file.untestedDatabases.map { .string($0) }))
      ]
    }
    return .object(
      [("rules", .string(file.path))] + untested + numbers(file.summary)
        + [("uncovered", .array(gaps))])
  }
}
