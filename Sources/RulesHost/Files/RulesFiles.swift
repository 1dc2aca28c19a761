package import RulesLang

/// Loading rules files, each once.
package struct RulesFiles {
  private var known: [String: Checker.Outcome] = [:]
  /// The files as they are deployed to other databases than `(default)`.
  private var deployed: [Checked] = []
  /// The last version of each file that compiled.
  private var lastGood: [String: Checker.Outcome] = [:]
  /// What is wrong with files in whose place their last good version stands.
  package private(set) var stale: [Checker.Outcome] = []
  /// Whose behaviour the files are checked for.
  package let profile: Profile

  /// No file is loaded yet.
  package init(profile: Profile) { self.profile = profile }

  /// Reads and checks a rules file, as it is deployed to a database.
  package mutating func load(
    _ path: String, for database: DatabaseName
  ) throws(FileProblem) -> Checker.Outcome {
    var outcome = try load(path)
    if let checked = outcome.checked, checked.database != database {
      let copy = deployed.first { $0.ruleset.source.name == path && $0.database == database }
      outcome.checked = copy ?? checked.deployed(to: database)
      if copy == nil, let made = outcome.checked { deployed.append(made) }
    }
    return outcome
  }

  /// Reads and checks a rules file.
  package mutating func load(_ path: String) throws(FileProblem) -> Checker.Outcome {
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
  package var paths: [String] { known.keys.sorted() }

  /// For another run: every file is read again, and what does not compile any more is replaced by
  /// the last version that did.
  package func again() -> RulesFiles {
    var next = RulesFiles(profile: profile)
    next.lastGood = lastGood
    return next
  }
}
