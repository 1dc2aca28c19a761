import RulesLang

/// Loading rules files, each once.
struct RulesFiles {
  private var known: [String: Checker.Outcome] = [:]
  /// The last version of each file that compiled.
  private var lastGood: [String: Checker.Outcome] = [:]
  /// What is wrong with files in whose place their last good version stands.
  private(set) var stale: [Checker.Outcome] = []
  let profile: Profile

  init(profile: Profile) { self.profile = profile }

  /// Reads and checks a rules file.
  mutating func load(_ path: String) throws(FileProblem) -> Checker.Outcome {
    if let outcome = known[path] { return outcome }
    let source = SourceText(name: path, bytes: try FileSystem.read(path))
    var outcome = Checker.checkFirestore(source, profile: profile)
    if outcome.checked != nil {
      lastGood[path] = outcome
    } else if let good = lastGood[path] {
      stale.append(outcome)
      outcome = good
    }
    known[path] = outcome
    return outcome
  }

  /// The files that were loaded.
  var paths: [String] { known.keys.sorted() }

  /// For another run: every file is read again, and what does not compile any more is replaced by
  /// the last version that did.
  func again() -> RulesFiles {
    var next = RulesFiles(profile: profile)
    next.lastGood = lastGood
    return next
  }
}

/// Printing what is wrong with the input, to standard error.
struct Complaints {
  private let renderer: TextRenderer

  init(_ terminal: Terminal) {
    renderer = TextRenderer { terminal.paint($0, $1) }
  }

  /// Prints the errors among diagnostics, or also what is less bad.
  func print(
    _ diagnostics: [Diagnostic], in source: SourceText, atLeast least: Diagnostic.Severity = .error
  ) {
    for diagnostic in diagnostics where diagnostic.severity >= least {
      Terminal.complain(renderer.render(diagnostic, in: source))
    }
  }

  /// Prints one line.
  func print(_ message: String) {
    Terminal.complain("rules-check: " + Printable.text(message) + "\n")
  }
}
