import RulesEval
package import RulesLang

extension [Escalation] {
  /// The alarms, each at the statement that lets clients make a condition true.
  package func diagnostics(in rules: Checked) -> [Diagnostic] {
    let ruleset = rules.ruleset
    var found: [Diagnostic] = []
    for escalation in self where escalation.level == .alarm {
      guard let step = escalation.sequence?.steps.first?.allow else { continue }
      let asking = ruleset[escalation.allow].keyword
      let range = ruleset[step].keyword
      if let place = found.firstIndex(where: { $0.range == range }) {
        found[place] = found[place].relating(asking, as: Self.asks)
        continue
      }
      let diagnostic = Diagnostic(
        SelfGrantedRole.lint.code, severity: .warning,
        message:
          "clients can make true here what line \(ruleset.source.line(of: asking.start)) asks "
          + "for: \(escalation.message)", at: range,
        help: "leave the field out of what they may write, or keep it where they cannot")
      found.append(diagnostic.relating(asking, as: Self.asks))
    }
    return found
  }

  private static var asks: String { "depends on it" }
}
