import RulesEval
import RulesHost
import RulesLang

/// The databases for which rules are decided: that of the command line, else that of `.rulescheck.json`, else
/// those to which `firebase.json` deploys the rules, else `(default)`.
struct Databases: Sendable {
  /// The database of the command line; nil if it names none.
  let named: DatabaseName?
  /// The database of `.rulescheck.json`; nil if it names none.
  private let configured: DatabaseName?

  /// The database that the command line or the configuration names for all rules; nil if neither does.
  var chosen: DatabaseName? { named ?? configured }

  /// Creates the choice of a command line and a configuration.
  init(named: DatabaseName?, configured: DatabaseName?) {
    self.named = named
    self.configured = configured
  }

  /// Reads a command line and, if it names no database, the configuration of the working folder.
  init(_ invocation: Invocation) throws(UsageProblem) {
    named = try invocation[CommonOptions.database]
    let configuration = try? Configuration.find(isRemarking: false, isComplaining: false)
    configured = configuration?.database
  }

  /// Returns the databases of a rules file, without repetitions, in the order of `firebase.json`; at least
  /// one.
  func all(of rules: String) throws(UsageProblem) -> [DatabaseName] {
    let deployed = try deployed(rules)
    return deployed.isEmpty ? [.standard] : deployed
  }

  /// Returns the databases that are named for a rules file; none if none are.
  func deployed(_ rules: String) throws(UsageProblem) -> [DatabaseName] {
    if let chosen { return [chosen] }
    return try Self.inProjects(rules)
  }

  /// Returns the databases of a rules file that have to be examined separately: only the first if the rules
  /// do not depend on the database.
  func distinct(of rules: String, _ checked: Checked?) throws(UsageProblem) -> [DatabaseName] {
    let all = try all(of: rules)
    return checked?.dependsOnDatabase == true ? all : [all[0]]
  }

  /// Returns the one database of a rules file. Throws if there are several and the rules depend on the
  /// database.
  func one(of rules: String, _ checked: Checked?) throws(UsageProblem) -> DatabaseName {
    let all = try distinct(of: rules, checked)
    guard all.count > 1 else { return all[0] }
    throw UsageProblem(
      "\(rules) is deployed to several databases: "
        + all.map { String($0.text) }.joined(separator: ", "),
      help: "\(CommonOptions.database.name) NAME chooses one")
  }

  /// Returns the source of a suite's databases; `rules` replace those that the suite names.
  func choice(of suite: String, rules: String?) -> DatabaseChoice {
    DatabaseChoice(named: named) { own in
      if let configured { return .to([configured]) }
      let folder = FilePath.folder(of: suite)
      let path = rules ?? own.map { FileSystem.plain(FilePath.join(folder, with: String($0))) }
      guard let path else { return .to([.standard]) }
      do throws(UsageProblem) {
        return .to(try all(of: path))
      } catch {
        return .unknown(
          "the database of the rules is unknown: \(error.message)")
      }
    }
  }

  /// Returns the databases that a rules file is deployed to by the nearest `firebase.json` above it, or above
  /// the working folder.
  private static func inProjects(_ rules: String) throws(UsageProblem) -> [DatabaseName] {
    var folder = FilePath.folder(of: rules)
    if folder.isEmpty { folder = "." }
    var seen: [String] = []
    for start in [folder, "."] {
      for project in projects(above: start) where !seen.contains(project) {
        seen.append(project)
        var found: [DatabaseName] = []
        for one in try FirebaseProject.deployed(in: project) where isSame(one.path, rules) {
          let name = DatabaseName(Text(one.database))
          if !found.contains(name) { found.append(name) }
        }
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    FilePath.normalized(one) == FilePath.normalized(other) || FileSystem.isSame(one, other)
  }

  /// Returns the `firebase.json` files of a folder and those above it, the nearest first.
  private static func projects(above start: String) -> [String] {
    var found: [String] = []
    var folder = start
    while true {
      let path = FilePath.join(folder, with: FirebaseProject.fileName)
      if case .file = FileSystem.kind(of: path), !FileSystem.isStream(path) { found.append(path) }
      if FileSystem.isRoot(folder) { return found }
      folder = folder == "." ? ".." : folder + "/.."
    }
  }
}
