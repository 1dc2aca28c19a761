package import RulesLang

/// The output of problems with the input, to standard error.
package struct Complaints {
  private let renderer: TextRenderer

  /// Creates an output in the colours of a terminal.
  package init(_ terminal: Terminal) {
    renderer = TextRenderer(terminal.palette)
  }

  /// Prints the diagnostics of a severity or worse.
  package func print(
    _ diagnostics: [Diagnostic], in source: SourceText, atLeast least: Diagnostic.Severity = .error
  ) {
    for diagnostic in diagnostics where diagnostic.severity >= least {
      Terminal.complain(renderer.render(diagnostic, in: source))
    }
  }

  /// Prints a problem and its help.
  package func print(_ problem: UsageProblem) {
    print(problem.message)
    if let help = problem.help { Terminal.complain("  help: " + Printable.text(help) + "\n") }
  }

  /// Prints the files that a search passed over.
  package func printPassedOver(by search: FoundFiles) {
    for remark in search.remarks { print("skipped: \(remark.message)") }
  }

  /// Prints one line.
  package func print(_ message: String) {
    Terminal.complain("rules-check: " + Printable.text(message) + "\n")
  }
}
