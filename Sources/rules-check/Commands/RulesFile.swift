import RulesLang

/// Loading rules files, each once.
struct RulesFiles {
  private var known: [String: Checker.Outcome] = [:]
  let profile: Profile

  init(profile: Profile) { self.profile = profile }

  /// Reads and checks a rules file.
  mutating func load(_ path: String) throws(FileProblem) -> Checker.Outcome {
    if let outcome = known[path] { return outcome }
    let source = SourceText(name: path, bytes: try FileSystem.read(path))
    let outcome = Checker.check(source, profile: profile)
    known[path] = outcome
    return outcome
  }
}

/// Printing what is wrong with the input, to standard error.
struct Complaints {
  private let renderer: TextRenderer

  init(_ terminal: Terminal) {
    renderer = TextRenderer { terminal.paint($0, $1) }
  }

  /// Prints the errors among diagnostics.
  func print(_ diagnostics: [Diagnostic], in source: SourceText) {
    for diagnostic in diagnostics where diagnostic.severity == .error {
      Terminal.complain(renderer.render(diagnostic, in: source))
    }
  }

  /// Prints one line.
  func print(_ message: String) {
    Terminal.complain("rules-check: " + Printable.text(message) + "\n")
  }
}
