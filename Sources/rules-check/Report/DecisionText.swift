import RulesEval
import RulesLang

/// Prints a decision: the statements tried, and why each came out as it did.
struct DecisionText {
  private let rules: Ruleset
  private let terminal: Terminal

  init(_ rules: Ruleset, _ terminal: Terminal) {
    self.rules = rules
    self.terminal = terminal
  }

  /// `ALLOW` or `DENY`.
  func verdict(_ decision: Decision) -> String {
    decision.isAllowed ? terminal.paint("ALLOW", .good) : terminal.paint("DENY", .error)
  }

  /// The statements tried, explained as far as they carry a trace.
  func render(_ decision: Decision, indent: String) -> String {
    var text = ""
    for note in decision.notes { text += indent + "note: \(Printable.text(note))\n" }
    for access in decision.accesses {
      if decision.accesses.count > 1 {
        text += indent + "\(access.access.method.word) \(Printable.text(access.access.pathText)): "
        text += (access.isGranted ? "granted" : "not granted") + "\n"
      }
      text += render(access, indent)
    }
    return text
  }

  private func render(_ access: AccessDecision, _ indent: String) -> String {
    guard !access.tried.isEmpty else {
      let path = Printable.text(access.access.pathText)
      return indent + "no statement applies to \(access.access.method.word) \(path)\n"
    }
    return access.tried.reduce("") { $0 + render($1, indent) }
  }

  private func render(_ tried: Tried, _ indent: String) -> String {
    let allow = rules[tried.allow]
    let place = rules.source.position(of: allow.keyword.start)
    let name = Printable.text(rules.source.name)
    var text = indent + "--> \(name):\(place.line):\(place.column) \(outcome(tried.result))\n"
    if let condition = allow.condition, let trace = tried.trace {
      let explanation = Explanation(of: condition, trace, in: rules)
      text += ExplanationText(rules.source, terminal)
        .render(explanation, statement: allow.range, indent: indent)
    }
    return text
  }

  private func outcome(_ result: Tried.Result) -> String {
    switch result {
    case .granted: return terminal.paint("grants", .good)
    case .refused: return terminal.paint("is false", .error)
    case .failed(let error):
      let place = rules.source.position(of: error.site.start)
      let message = error.reason.message ?? "the query's filters do not say"
      return terminal.paint("ends in an error", .error)
        + " at \(place.line):\(place.column): \(Printable.text(message))"
    }
  }
}
