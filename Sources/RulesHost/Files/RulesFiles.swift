package import RulesLang

/// A loader of rules files, each of which is read once.
package struct RulesFiles {
  private var known: [String: Checker.Outcome] = [:]
  /// The files as deployed to databases other than `(default)`.
  private var deployed: [Checked] = []
  /// The last version of each file that compiled.
  private var lastGood: [String: Checker.Outcome] = [:]
  /// The results of files that no longer compile and were replaced by their last good version.
  package private(set) var stale: [Checker.Outcome] = []
  /// The implementation that the files are checked for.
  package let profile: Profile

  /// Creates a loader without files.
  package init(profile: Profile) { self.profile = profile }

  /// Returns a rules file as it is deployed to a database.
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

  /// Returns a rules file.
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

  /// The paths of the loaded files, sorted.
  package var paths: [String] { known.keys.sorted() }

  /// Returns a loader for another run, which reads every file again and replaces one that does not compile by
  /// its last good version.
  package func again() -> RulesFiles {
    var next = RulesFiles(profile: profile)
    next.lastGood = lastGood
    return next
  }
}
