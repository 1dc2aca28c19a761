package import RulesLang

/// Printing what is wrong with the input, to standard error.
package struct Complaints {
  private let renderer: TextRenderer

  /// Complaints in the colours of a terminal.
  package init(_ terminal: Terminal) {
    renderer = TextRenderer(terminal.palette)
  }

  /// Prints the errors among diagnostics, or also what is less bad.
  package func print(
    _ diagnostics: [Diagnostic], in source: SourceText, atLeast least: Diagnostic.Severity = .error
  ) {
    for diagnostic in diagnostics where diagnostic.severity >= least {
      Terminal.complain(renderer.render(diagnostic, in: source))
    }
  }

  /// Prints one line.
  package func print(_ message: String) {
    Terminal.complain("rules-check: " + Printable.text(message) + "\n")
  }
}
