import RulesLang
import RulesReport

/// The report of `exec` as text: the requested parts, and one line of figures.
package struct ExecText {
  private let style: TestText.Style

  /// Creates a report in a style.
  package init(_ style: TestText.Style) { self.style = style }

  /// Returns the whole text; empty for a run whose gates hold and of which no part was requested.
  package func render(_ report: ExecReport) -> String {
    var text = ""
    if report.explainsDenials { text += denials(report) }
    text += TestText(style).measures(report.requests)
    if let mutation = report.mutation {
      text += MutationText(style.palette, isQuiet: style.isQuiet).render(mutation)
    }
    for recorded in report.recorded where !style.isQuiet {
      let file = Printable.text(recorded.file)
      text +=
        recorded.tests == 0
        ? "nothing to add to \(file)\n" : "added \(recorded.tests.of("test")) to \(file)\n"
    }
    return text
  }

  /// Returns the line of figures, for standard error.
  package func summary(_ report: ExecReport) -> String {
    let tally = report.tally
    var parts = ["\(tally.allowed) allowed", "\(tally.denied) denied"]
    if tally.admin > 0 { parts.append("\(tally.admin) as owner, who bypasses the rules") }
    if tally.open > 0 { parts.append("\(tally.open) to databases without rules") }
    if tally.refused > 0 { parts.append("\(tally.refused) that the rules could not decide") }
    return "\(tally.requests.of("request")): \(parts.joined(separator: ", "))"
  }

  /// Returns each denial with its explanation, grouped by statement.
  private func denials(_ report: ExecReport) -> String {
    var text = ""
    for suite in report.requests.suites where !suite.results.isEmpty {
      let count = suite.results.count
      let name = Printable.text(suite.rulesPath) + suite.rules.database.suffix
      text += style.palette.paint(
        count == 1 ? "1 denial by \(name)" : "\(count) denials by \(name)", as: .strong)
      text += "\n"
      for result in suite.results { text += TestText(style).explanation(of: result, in: suite) }
      text += "\n"
    }
    return text
  }
}
