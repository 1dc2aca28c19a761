import RulesEval
import RulesLang
import RulesProof
import RulesReport

/// The report of an audit as one self-contained page, without scripts or resources from elsewhere.
package struct AuditPage {
  private let report: AuditReport
  /// The prefix of anchors, for a page of several audits.
  private let prefix: String

  /// Creates the page of a report.
  package init(_ report: AuditReport) { self.init(report, prefix: "") }

  private init(_ report: AuditReport, prefix: String) {
    self.report = report
    self.prefix = prefix
  }

  /// Returns the page of an audit that failed.
  static func text(of refusals: [Annotation]) -> String {
    head("Access audit") + "<main>\n<h1>No access audit</h1>\n" + list(refusals) + "</main>\n"
      + ending
  }

  /// Returns the page of several audits, one after the other, with the errors of those that failed.
  static func text(
    of reports: [AuditReport], refusals: [Annotation], notices: [ProjectNotice]
  ) -> String {
    var page = head("Access audit of \(reports.count) rules files")
    page += "<main>\n" + list(notices)
    if !refusals.isEmpty { page += "<h1>Not audited</h1>\n" + list(refusals) }
    page += "<ul>\n"
    for (place, report) in reports.enumerated() {
      let name = HTML.text(report.rulesPath)
      page += "<li><a href=\"#\(prefix(place))\"><code>\(name)</code></a></li>\n"
    }
    page += "</ul>\n"
    for (place, report) in reports.enumerated() {
      let prefix = prefix(place)
      page += "<article id=\"\(prefix)\">\n"
      page += AuditPage(report, prefix: prefix + "-").article + "</article>\n"
    }
    return page + "</main>\n" + ending
  }

  private static func prefix(_ place: Int) -> String { "rules\(place + 1)" }

  private static let ending = "</body>\n</html>\n"

  private static func list(_ refusals: [Annotation]) -> String {
    var page = "<ul class=\"findings\">\n"
    for refusal in refusals {
      page += "<li class=\"alarm\"><span class=\"tag\">error</span>"
      page += "<div><p>\(HTML.sentence(refusal))</p></div></li>\n"
    }
    return page + "</ul>\n"
  }

  /// Returns the list of files that the audit leaves out; empty if there are none.
  private static func list(_ notices: [ProjectNotice]) -> String {
    if notices.isEmpty { return "" }
    return notices.reduce("<ul class=\"findings\">\n") { page, notice in
      page + "<li class=\"caution\"><span class=\"tag\">\(notice.severity.word)</span>"
        + "<div><p>\(HTML.sentence(notice.annotation))</p></div></li>\n"
    } + "</ul>\n"
  }

  private static func head(_ title: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    <style>
    \(AuditStyle.sheet)</style>
    </head>
    <body>

    """
  }

  /// The whole page.
  package var text: String { text(noting: []) }

  /// Returns the whole page, with notices of what the audit does not cover.
  func text(noting notices: [ProjectNotice]) -> String {
    Self.head("Access audit of \(HTML.text(report.rulesPath))") + facts + "<main>\n"
      + Self.list(notices) + answers + "</main>\n" + Self.ending
  }

  /// The facts about the audit: file, date, program.
  private var facts: String {
    let name = HTML.text(report.rulesPath)
    let field = report.field.map { ", field <code>\(HTML.text($0))</code>" } ?? ""
    return """
      <header>
      <h1>Access audit of <code>\(name)</code>\(field)</h1>
      <dl class="facts">
      <div><dt>Database</dt><dd><code>\(HTML.text(String(report.database.text)))</code></dd></div>
      <div><dt>Date</dt><dd>\(HTML.text(report.date))</dd></div>
      <div><dt>Rules, SHA-256</dt><dd><code>\(report.hash)</code></dd></div>
      <div><dt>Engine</dt><dd>rules-check \(Product.version), \
      profile \(report.profile.rawValue)</dd></div>
      </dl>
      </header>

      """
  }

  /// The audit as a section of a page of several.
  private var article: String { facts + answers }

  /// The findings and answers.
  private var answers: String {
    var page = summary + findings + escalations
    page += "<p>\(HTML.text(AuditReport.columnsAssumption))</p>\n"
    for (place, path) in report.matrix.paths.enumerated() {
      page += AuditSection(report, path: path, number: place + 1, prefix: prefix).text
    }
    return page + assumptions + source
  }

  private var summary: String {
    var text = report.writers.isEmpty ? "" : "<ul class=\"writers\">\n"
    for sentence in report.writers { text += "<li>\(HTML.code(in: sentence)).</li>\n" }
    text += report.writers.isEmpty ? "" : "</ul>\n"
    text += "<p class=\"lead\">Who has access (colours as in the tables):</p>\n"
    text += "<ul class=\"summary\">\n"
    for exposure in Exposure.allCases {
      let count = report.matrix.count(exposure)
      text += "<li class=\"\(exposure.style)\"><b>\(count)</b> \(exposure.words)</li>\n"
    }
    return text + "</ul>\n<p class=\"example\">\(HTML.text(report.summary)).</p>\n"
  }

  private var findings: String {
    var text = "<h2 id=\"\(prefix)findings\">Findings</h2>\n"
    let all = report.findings
    if all.isEmpty {
      let isNone = report.matrix.escalations.isEmpty
      return text
        + (isNone
          ? "<p>None.</p>\n" : "<p>None for a single request; several requests: see below.</p>\n")
    }
    text += "<ul class=\"findings\">\n"
    for finding in all {
      let weight = finding.weight.word
      text += "<li class=\"\(weight)\"><span class=\"tag\">\(weight)</span>"
      let place =
        finding.path.map { "<code>\(HTML.text($0))</code>" }
        ?? (finding.line.map { [$0] + finding.otherLines } ?? [])
        .map { HTML.line($0, prefix) }.joined(separator: ", ")
      text += "<div><p>\(place.isEmpty ? finding.place : place): "
      text += "\(HTML.code(in: finding.sentence))</p>"
      if finding.weight > .note, let witness = finding.witness {
        text += "<p class=\"example\">For example: "
        text += "\(HTML.text(witness.sentence(in: report.rules))).</p>"
      }
      text += "</div></li>\n"
    }
    return text + "</ul>\n"
  }

  /// The section about conditions that clients can make true in several requests.
  private var escalations: String {
    if report.matrix.escalations.isEmpty { return "" }
    var text = "<h2 id=\"\(prefix)escalations\">In several requests</h2>\n<ul class=\"findings\">\n"
    let groups = report.matrix.escalations.groups
    let alarms = groups.filter { $0.first.level == .alarm }
    for group in alarms + groups.filter({ $0.first.level != .alarm }) {
      let each = group.first
      let word = each.level.word
      text += "<li class=\"\(word)\"><span class=\"tag\">\(word)</span>"
      text += "<div><p><code>\(HTML.text(each.path.text))</code>, "
      text += HTML.line(report.line(of: each.allow), prefix)
      text += ": \(HTML.code(in: each.message))</p>"
      if let others = report.others(of: group) { text += "<p>\(HTML.code(in: others))</p>" }
      if let sequence = each.sequence {
        let test = JSONText(sequence.test).pretty
        text += "<details class=\"request\"><summary>As a test</summary>"
        text += "<pre tabindex=\"0\">\(HTML.text(test))</pre></details>"
      }
      text += "</div></li>\n"
    }
    return text + "</ul>\n"
  }

  private var assumptions: String {
    var text = "<h2 id=\"\(prefix)assumptions\">What the answers rest on</h2>\n<ol>\n"
    for assumption in AuditReport.assumptions {
      text += "<li>\(HTML.code(in: assumption))</li>\n"
    }
    return text + "</ol>\n"
  }

  /// The source of the rules with line numbers, to which the evidence refers.
  private var source: String {
    var text = "<h2 id=\"\(prefix)rules\">The rules</h2>\n<pre class=\"source\" tabindex=\"0\">"
    let source = report.rules.source
    let last = source.bytes.last == UInt8(ascii: "\n") ? source.lineCount - 1 : source.lineCount
    for number in 1...max(1, last) {
      text += "<span id=\"\(prefix)L\(number)\"><i>\(number)</i>"
      text += HTML.text(source.string(source.lineRange(number))) + "</span>"
    }
    return text + "</pre>\n"
  }
}

/// The section of a page about one path.
struct AuditSection {
  private let report: AuditReport
  private let path: AccessMatrix.Path
  private let number: Int
  private let prefix: String
  private let rows: [AuditRow]
  private let conditions: AuditConditions

  init(_ report: AuditReport, path: AccessMatrix.Path, number: Int, prefix: String) {
    self.report = report
    self.path = path
    self.number = number
    self.prefix = prefix
    rows = report.rows(of: path)
    conditions = AuditConditions(rows)
  }

  /// The table, the conditions and the evidence.
  var text: String {
    let blocks = path.blocks.map {
      HTML.line(report.rules.source.line(of: report.rules[$0].keyword.start), prefix)
    }
    var text =
      "<section>\n<h2 id=\"\(prefix)path\(number)\"><code>\(HTML.text(path.path.text))</code> "
    let extent = path.extent.isEmpty ? "" : "\(path.extent) "
    text += "<small>\(extent)\(blocks.joined(separator: ", "))</small></h2>\n"
    if !path.isOvershadowed { text += table + notes + evidence }
    return text + "</section>\n"
  }

  private var table: String {
    var text = "<div class=\"wide\" tabindex=\"0\"><table class=\"matrix\">\n<thead><tr>"
    text += "<th scope=\"col\">Operation</th>"
    for label in path.columns.labels { text += "<th scope=\"col\">\(HTML.text(label))</th>" }
    text += "</tr></thead>\n<tbody>\n"
    for row in rows {
      text += "<tr><th scope=\"row\">\(HTML.text(row.label))\(covered(row))</th>"
      for (cell, exposure) in zip(row.cells, path.exposures(row.cells)) {
        text += "<td class=\"\(exposure.style)\">\(cell.answer.word)"
        if let note = conditions.number(of: cell) {
          text += " <a href=\"#\(prefix)path\(number)-\(note)\">[\(note)]</a>"
        }
        text += "</td>"
      }
      text += "</tr>\n"
    }
    return text + "</tbody>\n</table></div>\n"
  }

  /// Returns the fields for which a row says `any field`, so that a reader finds them in the page.
  private func covered(_ row: AuditRow) -> String {
    let names = row.coveredFields
    if names.isEmpty { return "" }
    return "<small>\(HTML.text(names.joined(separator: ", "))), any other</small>"
  }

  private var notes: String {
    if conditions.all.isEmpty { return "" }
    var text = "<ol class=\"conditions\">\n"
    for (place, condition) in conditions.all.enumerated() {
      let parts = condition.map { alternative in
        let condition = alternative.condition.map { ["<code>\(HTML.text($0))</code>"] } ?? []
        let parts = condition + alternative.remarks.map { HTML.text($0) }
        let line = HTML.line(report.line(of: alternative.allow), prefix)
        return parts.joined(separator: ", and ") + " " + line
      }
      text += "<li id=\"\(prefix)path\(number)-\(place + 1)\"><div>"
      text += parts.joined(separator: "<br>or ") + "</div></li>\n"
    }
    return text + "</ol>\n"
  }

  // MARK: Evidence

  private var evidence: String {
    var text = "<details class=\"evidence\"><summary>Evidence for each answer</summary>\n"
    text += "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>"
    text += "<th>Operation</th><th>Client</th><th>Answer</th><th>Why</th></tr></thead>\n<tbody>\n"
    for row in rows {
      let exposures = path.exposures(row.cells)
      for (column, cell) in row.cells.enumerated() {
        text += "<tr>"
        if column == 0 {
          text += "<th scope=\"rowgroup\" rowspan=\"\(row.cells.count)\">"
          text += "\(HTML.text(row.label))</th>"
        }
        text += "<td class=\"client\">\(HTML.text(path.columns.labels[column]))</td>"
        text += "<td class=\"\(exposures[column].style)\">\(cell.answer.word)</td>"
        text += "<td>\(why(cell))</td></tr>\n"
      }
    }
    text += "</tbody>\n</table></div>\n"
    text += "<p>The clients are exactly those for which this is true:</p>\n"
    text += "<dl class=\"clients\">\n"
    for client in path.clients {
      text += "<dt>\(HTML.text(path.columns.label(of: client)))</dt>"
      text += "<dd><code>\(HTML.text(path.columns.condition(of: client)))</code></dd>\n"
    }
    return text + "</dl>\n</details>\n"
  }

  private func why(_ cell: AccessMatrix.Cell) -> String {
    switch cell.answer {
    case .never: proof(cell.basis)
    case .always: "Proved for all requests. " + request(cell.allowed)
    case .onlyIf: request(cell.allowed) + "<br>" + request(cell.denied)
    case .undecided:
      cell.openReasons.map { HTML.text(report.text(of: $0)) }.joined(separator: "<br>")
        + (cell.allowed == nil ? "" : "<br>" + request(cell.allowed))
    }
  }

  private func proof(_ basis: [Proof.Safety]) -> String {
    if basis.isEmpty { return "Proved: no statement covers it." }
    let parts = basis.map { safety in
      let conjuncts = safety.conjuncts(in: report.rules).map { "<code>\(HTML.text($0))</code>" }
      let line = HTML.line(report.line(of: safety.allow), prefix)
      return conjuncts.isEmpty
        ? "\(line) does not apply" : "\(line) demands \(conjuncts.joined(separator: " and "))"
    }
    return "Proved: " + parts.joined(separator: "; ") + "."
  }

  private func request(_ request: Counterexample?) -> String {
    guard let request else { return "" }
    let word = request.decision.isAllowed ? "Allowed" : "Denied"
    let test = JSONText(request.record(name: "\(word.lowercased()): \(path.path.text)")).pretty
    return "<details class=\"request\"><summary>\(word): "
      + HTML.text(request.sentence(in: report.rules)) + ".</summary>"
      + "<pre tabindex=\"0\">\(HTML.text(test))</pre></details>"
  }
}

extension AuditReports {
  /// The audits as a page; if there are none, a page with the errors, so that an older page is not mistaken
  /// for the result.
  package var page: String {
    if reports.isEmpty { return AuditPage.text(of: refusals) }
    if reports.count == 1, refusals.isEmpty {
      return AuditPage(reports[0]).text(noting: notices)
    }
    return AuditPage.text(of: reports, refusals: refusals, notices: notices)
  }
}
