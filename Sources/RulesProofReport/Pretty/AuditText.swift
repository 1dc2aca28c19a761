import RulesEval
package import RulesLang
import RulesProof
import RulesReport

/// The report of an audit for a terminal.
package struct AuditText {
  private let palette: Palette
  private let isQuiet: Bool

  /// Creates a report in the colours of a palette; when quiet it has only findings that are more than notes.
  package init(_ palette: Palette, isQuiet: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
  }

  /// Returns a table for each path, then the findings; when quiet only findings that are more than notes.
  ///
  /// - Parameters:
  ///   - report: The results.
  ///   - databases: The databases of the rules, if there are several.
  package func render(_ report: AuditReport, for databases: [String] = []) -> String {
    let findings = findings(of: report)
    if isQuiet { return findings }
    let path = Printable.text(report.rulesPath)
    var rest = report.field.map { ", field \(Printable.text($0))" } ?? ""
    let databases = [report.database].shown(databases)
    if !databases.isEmpty { rest += ", " + databases.databaseWords }
    rest += ", \(Printable.text(report.date)), SHA-256 \(report.hash)"
    var text = palette.paint(path, as: .strong)
    text += palette.wrapped(rest, after: Printable.columns(path), indent: 2) + "\n"
    text += wrapped(AuditReport.columnsAssumption, after: "", indent: 0) + "\n" + legend + "\n"
    for sentence in report.writers {
      text += wrapped(Printable.text(sentence), after: "", indent: 2) + "\n"
    }
    if !report.writers.isEmpty { text += "\n" }
    for path in report.matrix.paths { text += render(path, in: report) + "\n" }
    return text + findings + (findings.isEmpty ? "" : "\n") + report.summary + "\n"
  }

  /// The meaning of the colours; empty without colours.
  private var legend: String {
    if palette.paint("x", as: .error) == "x" { return "" }
    var (text, used) = ("Colours say who is let in:", 26)
    for (place, exposure) in Exposure.allCases.enumerated() {
      let word = exposure.words + (place == Exposure.allCases.count - 1 ? "" : ",")
      let isFitting = used + 1 + word.utf8.count <= columns
      text += isFitting ? " " : "\n  "
      used = (isFitting ? used + 1 : 2) + word.utf8.count
      text += palette.paint(word, as: Self.style(exposure))
    }
    return text + "\n"
  }

  // MARK: Tables

  private func render(_ path: AccessMatrix.Path, in report: AuditReport) -> String {
    let rows = report.rows(of: path)
    let conditions = AuditConditions(rows)
    let heads = [""] + path.columns.labels.map { Printable.text($0) }
    let body = rows.map { row in
      [Printable.text(row.label)] + row.cells.map { Self.word(for: $0, in: conditions) }
    }
    let (lines, widths) = fitted(heads, to: body)
    var text = palette.paint(Printable.text(path.path.text), as: .strong)
    text += path.extent.isEmpty ? "\n" : " \(path.extent)\n"
    if path.isOvershadowed { return text }
    if widths.reduce(0, +) + 2 * widths.count > columns {
      for (row, words) in zip(rows, body) {
        text += list(words, of: heads, exposures: path.exposures(row.cells))
      }
    } else {
      for heads in lines {
        var named = heads
        while named.last == "" { named.removeLast() }
        text += "  " + line(named, widths: widths) { _, word in word }
      }
      for (row, words) in zip(rows, body) {
        let exposures = path.exposures(row.cells)
        text += "  "
        text += line(words, widths: widths) { column, word in
          column == 0 ? word : palette.paint(word, as: Self.style(exposures[column - 1]))
        }
      }
    }
    for (place, condition) in conditions.all.enumerated() {
      text += render(condition, number: place + 1, in: report)
    }
    return text + openReasons(of: rows, in: report)
  }

  /// Returns the lines of a table's head, and the widths of its columns. Column names that are too long for
  /// the terminal are broken.
  private func fitted(_ heads: [String], to body: [[String]]) -> (lines: [[String]], [Int]) {
    let bodies = heads.indices.map { column in
      body.map { Printable.columns($0[column]) }.max() ?? 0
    }
    func widths(_ lines: [[String]]) -> [Int] {
      heads.indices.map { column in
        max(bodies[column], lines.map { Printable.columns($0[column]) }.max() ?? 0)
      }
    }
    let natural = widths([heads])
    if natural.reduce(0, +) + 2 * natural.count <= columns { return ([heads], natural) }
    let share = (columns - bodies[0]) / max(1, heads.count - 1) - 2
    let broken = heads.enumerated().map { column, head in
      Printable.wrapped(head, columns: max(share, bodies[column]), used: 0, indent: 0)
        .split(separator: "\n").map { String($0) }
    }
    let height = broken.map { $0.count }.max() ?? 1
    let lines = (0..<height).map { line in
      broken.map { line < $0.count ? $0[line] : "" }
    }
    return (lines, widths(lines))
  }

  /// The number of columns; the usual minimum of terminals if it is unknown.
  private var columns: Int { palette.columns ?? 80 }

  /// Returns a row of a table that is too wide as a list of answers with their clients; an answer that lets
  /// anyone in is apart from the same answer for clients that the rules name.
  private func list(_ words: [String], of clients: [String], exposures: [Exposure]) -> String {
    var text = "  \(words[0])\n"
    var told: [Int] = []
    for (column, word) in words.enumerated().dropFirst() where !told.contains(column) {
      let equal = words.indices.dropFirst().filter {
        words[$0] == word && exposures[$0 - 1] == exposures[column - 1]
      }
      told += equal
      let whom = equal.map { clients[$0] }
      let head = "    \(word): "
      text += "    " + palette.paint(word, as: Self.style(exposures[column - 1])) + ": "
      let lines = wrapped(whom.joined(separator: "; "), after: head, indent: 6)
      text += lines + "\n"
    }
    return text
  }

  /// Returns a text that is broken at the last column; `head` is the text before it on its line.
  private func wrapped(_ text: String, after head: String, indent: Int) -> String {
    Printable.wrapped(
      text, columns: columns, used: Printable.columns(head), indent: indent)
  }

  private static func word(for cell: AccessMatrix.Cell, in conditions: AuditConditions) -> String {
    cell.answer.word + (conditions.number(of: cell).map { " [\($0)]" } ?? "")
  }

  private static func style(_ exposure: Exposure) -> Palette.Style {
    switch exposure {
    case .anyone: .error
    case .anyoneIf: .warning
    case .named: .plain
    case .nobody: .gutter
    case .undecided: .info
    }
  }

  /// Returns a line of a table; the last column is not padded.
  private func line(
    _ words: [String], widths: [Int], paint: (Int, String) -> String
  ) -> String {
    var text = ""
    for (column, word) in words.enumerated() {
      text += paint(column, word)
      if column < words.count - 1 {
        text += String(repeating: " ", count: widths[column] - Printable.columns(word) + 2)
      }
    }
    return text + "\n"
  }

  private func render(
    _ condition: [AccessMatrix.Alternative], number: Int, in report: AuditReport
  ) -> String {
    var text = ""
    for (place, alternative) in condition.enumerated() {
      let mark = place == 0 ? "[\(number)]" : "or"
      let padding = String(repeating: " ", count: max(0, 4 - mark.count))
      text += "  " + padding + palette.paint(mark, as: .strong) + " "
      let place = "(line \(report.line(of: alternative.allow)))"
      let lines = wrapped(
        Printable.text(alternative.text), after: "  " + padding + mark + " ", indent: 7)
      let last = lines.split(separator: "\n").last.map { Printable.columns(String($0)) } ?? 0
      let isFitting = last + (lines.contains("\n") ? 0 : 7) + 2 + place.utf8.count <= columns
      text += lines + (isFitting ? "  " : "\n       ") + palette.paint(place, as: .gutter) + "\n"
    }
    return text
  }

  private func openReasons(of rows: [AuditRow], in report: AuditReport) -> String {
    var seen: [String] = []
    for openReason in rows.flatMap({ $0.cells }).flatMap({ $0.openReasons }) {
      let text = "undecided: \(report.text(of: openReason))"
      if !seen.contains(text) { seen.append(text) }
    }
    return seen.reduce("") {
      $0 + "  " + palette.paint(wrapped(Printable.text($1), after: "  ", indent: 4), as: .info)
        + "\n"
    }
  }

  // MARK: Findings

  /// Returns the findings for single requests and for several, the gravest first; when quiet no notes.
  private func findings(of report: AuditReport) -> String {
    let weights: [AccessFinding.Weight] = isQuiet ? [.alarm, .caution] : [.alarm, .caution, .note]
    let single = report.findings
    let several = report.matrix.escalations.groups
    var text = ""
    for weight in weights {
      for finding in single where finding.weight == weight {
        text += render(finding, in: report.rules)
      }
      for group in several where (group.first.level == .alarm ? .alarm : .note) == weight {
        text += render(group, in: report)
      }
    }
    return text
  }

  private func render(_ group: EscalationGroup, in report: AuditReport) -> String {
    let escalation = group.first
    let word = palette.paint(
      escalation.level.word, as: escalation.level == .alarm ? .error : .info)
    let place = "\(escalation.path.text), line \(report.line(of: escalation.allow))"
    let others = report.others(of: group).map { "  \(wrapped($0, after: "  ", indent: 2))\n" } ?? ""
    let said = Printable.text("\(place): \(escalation.message)")
    return word + ": " + wrapped(said, after: escalation.level.word + ": ", indent: 2) + "\n"
      + others
  }

  private func render(_ finding: AuditFinding, in rules: Ruleset) -> String {
    let style: Palette.Style =
      switch finding.weight {
      case .alarm: .error
      case .caution: .warning
      case .note: .info
      }
    var text = palette.paint(finding.weight.word, as: style) + ": "
    let said = Printable.text("\(finding.place): \(finding.sentence)")
    text += wrapped(said, after: finding.weight.word + ": ", indent: 2) + "\n"
    if finding.weight > .note, let witness = finding.witness {
      let example = "  for example: " + Printable.text(witness.sentence(in: rules))
      text += wrapped(example, after: "", indent: 4) + "\n"
    }
    return text
  }
}
