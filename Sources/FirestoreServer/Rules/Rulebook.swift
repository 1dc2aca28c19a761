import FirestoreStore
import RulesEval
import RulesLang

/// The rules of every database.
struct Rulebook: Sendable {
  /// Uploaded rules, and the default rules of databases that were used.
  private var releases: [DatabaseID: Release] = [:]
  /// Databases whose rules were uploaded.
  private var uploaded: Set<DatabaseID> = []
  /// Default rules of the databases of every project, by database.
  private var named: [DatabaseName: [RulesFile]]
  /// Default rules of all other databases; empty for open rules.
  private var general: [RulesFile]
  /// Compiled `named`, and compiled `general` for nil. They are shared, because a client can name any number
  /// of projects and databases, and compiled rules of 2,000 lines take 1.7 MiB.
  private var compiled: [DatabaseName?: Release] = [:]

  /// Creates the rules of a server.
  init(named: [DatabaseName: [RulesFile]], general: [RulesFile]) {
    self.named = named
    self.general = general
  }

  /// The rules in force for a database.
  mutating func release(of id: DatabaseID) -> Release {
    if let known = releases[id] { return known }
    let release = defaultRelease(for: id.database)
    if releases.count < Self.mostReleases { releases[id] = release }
    return release
  }

  /// Returns the default rules of a database; files are compiled only once.
  private mutating func defaultRelease(for database: DatabaseName) -> Release {
    let own = named[database]
    let key = own == nil ? nil : database
    if let known = compiled[key] { return known.deployed(to: database) }
    let files = own ?? general
    let release = files.isEmpty ? Release.open : Release(files, database: database)
    compiled[key] = release
    return release
  }

  /// Puts rules in force for a database.
  mutating func set(_ release: Release, for id: DatabaseID) {
    releases[id] = release
    uploaded.insert(id)
  }

  /// Replaces the rules of databases whose rules were not uploaded.
  mutating func replaceDefaults(named: [DatabaseName: [RulesFile]], general: [RulesFile]) {
    self.named = named
    self.general = general
    compiled = [:]
    releases = releases.filter { uploaded.contains($0.key) }
  }

  /// True if the rules of a database were uploaded.
  func isUploaded(_ id: DatabaseID) -> Bool { uploaded.contains(id) }

  /// True if a database of the project has rules.
  func hasRules(inProjectOf id: DatabaseID) -> Bool {
    releases.contains { entry in
      guard entry.key.project == id.project else { return false }
      switch entry.value.state {
      case .open: return false
      case .compiled, .broken: return true
      }
    }
  }

  /// Maximum number of kept releases of databases that requests only named: a client can name any number.
  private static let mostReleases = 10_000
}
