import RulesEval
package import RulesLang

/// The report of `simulate` for people.
package struct SimulationText {
  private let palette: Palette
  private let isQuiet: Bool
  private let explainsAll: Bool

  /// A report in these colours: when quiet the verdict alone; all statements tried can be explained,
  /// with the functions that they call.
  package init(_ palette: Palette, isQuiet: Bool, explainsAll: Bool) {
    self.palette = palette
    self.isQuiet = isQuiet
    self.explainsAll = explainsAll
  }

  /// The verdict, who asked what, and why it came out so.
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
