import RulesEval
package import RulesLang

/// The report of `simulate` as text.
package struct SimulationText {
  private let palette: Palette
  private let isQuiet: Bool
  private let explainsAll: Bool

  /// Creates a report in the colours of a palette: when quiet the verdict alone; with `explainsAll` with
  /// explanations of all statements tried and of the functions that they call.
  package init(_ palette: Palette, isQuiet: Bool, explainsAll: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
    self.explainsAll = explainsAll
  }

  /// Returns the verdict, the request, and the explanation.
  package func render(_ report: SimulationReport) -> String {
    let (test, decision) = (report.test, report.decision)
    let text = DecisionText(
      report.rules, in: palette, showing: explainsAll ? .everything : .deciding,
      documentsOf: .commandLine)
    let verdict = text.verdict(decision) + "\n"
    if isQuiet { return verdict }
    let who = Printable.text(test.principalName ?? "nobody (signed out)")
    let denial = explainsAll ? decision.denial(in: report.rules.ruleset) : nil
    return verdict + "\(decision.verb(test)) \(Printable.text(test.path)) as \(who)"
      + report.rules.database.suffix + "\n"
      + text.why(decision, indent: "") + text.render(decision, indent: "")
      + (denial.map { "\nThe emulator prints: \(Printable.text(SourceSnippet.collapsed($0)))\n" }
        ?? "")
  }
}
