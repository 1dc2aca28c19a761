public import RulesLang

/// Loading rules files, each once.
public struct RulesFiles {
  private var known: [String: Checker.Outcome] = [:]
  /// The last version of each file that compiled.
  private var lastGood: [String: Checker.Outcome] = [:]
  /// What is wrong with files in whose place their last good version stands.
  public private(set) var stale: [Checker.Outcome] = []
  /// Whose behaviour the files are checked for.
  public let profile: Profile

  /// No file is loaded yet.
  public init(profile: Profile) { self.profile = profile }

  /// Reads and checks a rules file.
  public mutating func load(_ path: String) throws(FileProblem) -> Checker.Outcome {
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
  public var paths: [String] { known.keys.sorted() }

  /// For another run: every file is read again, and what does not compile any more is replaced by
  /// the last version that did.
  public func again() -> RulesFiles {
    var next = RulesFiles(profile: profile)
    next.lastGood = lastGood
    return next
  }
}
