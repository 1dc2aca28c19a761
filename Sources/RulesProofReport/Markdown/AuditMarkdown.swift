import RulesEval
import RulesLang
import RulesProof
import RulesReport

/// The report of an audit as Markdown, for a wiki or a pull request.
package struct AuditMarkdown {
  private let report: AuditReport

  /// Creates the page of a report.
  package init(_ report: AuditReport) { self.report = report }

  /// The whole page.
  package var text: String {
    var text = "# Access audit of \(Markdown.text(report.rulesPath))"
    text += Markdown.text(report.database.suffix)
    text += (report.field.map { ", field \(Markdown.code($0))" } ?? "") + "\n\n"
    text += "\(Markdown.text(report.date)). SHA-256 of the rules: `\(report.hash)`\n\n"
    text += report.summary + ".\n\n"
    for sentence in report.writers { text += "- " + Markdown.sentence(sentence) + "\n" }
    text += (report.writers.isEmpty ? "" : "\n") + "## Findings\n\n"
    let findings = report.findings
    if findings.isEmpty, report.matrix.escalations.isEmpty { text += "None.\n" }
    if findings.isEmpty, !report.matrix.escalations.isEmpty {
      text += "None for a single request; several requests: see below.\n"
    }
    for finding in findings { text += item(finding) }
    text += escalations + "\n\(AuditReport.columnsAssumption)\n"
    for path in report.matrix.paths { text += section(path) }
    text += "\n## Assumptions\n\n"
    for (place, assumption) in AuditReport.assumptions.enumerated() {
      text += "\(place + 1). \(assumption)\n"
    }
    return text
  }

  private func item(_ finding: AuditFinding) -> String {
    let place = finding.path.map { Markdown.code($0) } ?? finding.place
    var text = "- **\(finding.weight.word)** \(place): "
    text += Markdown.text(finding.sentence) + "\n"
    if finding.weight > .note, let witness = finding.witness {
      text += "  - for example: \(Markdown.text(witness.sentence(in: report.rules)))\n"
    }
    return text
  }

  /// The section about conditions that clients can make true in several requests.
  private var escalations: String {
    if report.matrix.escalations.isEmpty { return "" }
    return report.matrix.escalations.groups.reduce("\n## In several requests\n\n") { text, group in
      let each = group.first
      return text + "- **\(each.level.word)** \(Markdown.code(each.path.text)), "
        + "line \(report.line(of: each.allow)): \(Markdown.text(each.message))\n"
        + (report.others(of: group).map { "  - \($0)\n" } ?? "")
    }
  }

  private func section(_ path: AccessMatrix.Path) -> String {
    let rows = report.rows(of: path)
    let conditions = AuditConditions(rows)
    var text = "\n## \(Markdown.code(path.path.text))\n\n"
    if path.isOvershadowed { return text + "\(path.extent)\n" }
    if !path.extent.isEmpty { text += "\(path.extent)\n\n" }
    text += Self.line(["operation"] + path.columns.labels.map { Markdown.text($0) })
    text += Self.line(["---"] + path.clients.map { _ in "---" })
    for row in rows {
      // Bold is what lets anyone in: Markdown has no colours.
      let words = zip(row.cells, path.exposures(row.cells)).map { cell, exposure in
        let mark = conditions.number(of: cell).map { " [\($0)]" } ?? ""
        let isOpen = exposure == .anyone || exposure == .anyoneIf
        return (isOpen ? "**\(cell.answer.word)**" : cell.answer.word) + mark
      }
      text += Self.line([Markdown.text(row.label)] + words)
    }
    if !conditions.all.isEmpty { text += "\n" }
    for (place, condition) in conditions.all.enumerated() {
      let parts = condition.map { alternative in
        let condition = alternative.condition.map { [Markdown.code($0)] } ?? []
        let parts = condition + alternative.remarks.map { Markdown.text($0) }
        return parts.joined(separator: ", and ") + " (line \(report.line(of: alternative.allow)))"
      }
      text += "- [\(place + 1)] \(parts.joined(separator: " or "))\n"
    }
    return text + openReasons(rows)
  }

  private func openReasons(_ rows: [AuditRow]) -> String {
    var seen: [String] = []
    for openReason in rows.flatMap({ $0.cells }).flatMap({ $0.openReasons }) {
      let text = "- undecided: \(Markdown.text(report.text(of: openReason)))\n"
      if !seen.contains(text) { seen.append(text) }
    }
    return seen.isEmpty ? "" : "\n" + seen.joined()
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }
}

extension AuditReports {
  /// The report for wikis, a part for each file.
  package var markdown: String {
    let refused = refusals.refusedMarkdown
    let said = notices.map {
      "- \($0.severity.word): " + Markdown.sentence($0.message) + "\n"
    }.joined()
    return (reports.map { AuditMarkdown($0).text } + [said, refused].filter { !$0.isEmpty })
      .joined(separator: "\n")
  }
}
