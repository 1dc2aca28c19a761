import RulesHost
import RulesLang

/// Which rules a project means, as its files are or as a revision has them.
struct ProjectRules {
  /// The rules of a database.
  struct Deployment: Hashable {
    /// The name that `firebase.json` has for it; `(default)` if it has none.
    var database: String
    /// The rules file.
    var path: String
  }

  /// The files that `.rulescheck.json` names instead.
  private(set) var named: [String] = []
  /// What is deployed by `firebase.json`, or by the usual name; none if something else is named.
  private(set) var deployed: [Deployment] = []
  /// What `firebase.json` deploys, also if `.rulescheck.json` names other files.
  private(set) var managed: [Deployment] = []

  /// All files, each once.
  var files: [String] {
    var seen: Set<String> = []
    return (named + deployed.map { $0.path }).filter {
      seen.insert(FilePath.normalized($0)).inserted
    }
  }

  /// What is deployed.
  init(deploying deployed: [Deployment]) { self.deployed = deployed }

  /// True if a file is deployed.
  func deploys(_ file: String) -> Bool {
    deployed.contains { FileSystem.isSame($0.path, file) }
  }

  /// Returns what a `firebase.json` deployed at a revision; nil if there was none. A version that cannot be
  /// understood, which nobody can mend any more, deployed nothing.
  static func deployed(
    by project: String, at history: GitHistory
  ) throws(UsageProblem) -> [Deployment]? {
    guard let text = try history.read(project) else { return nil }
    let source = SourceText(name: project, bytes: text.bytes)
    return (try? FirebaseProject.deployments(in: source, at: project)) ?? []
  }

  /// Reads what the project says now.
  init(_ configuration: Configuration) throws(UsageProblem) {
    if let project = try Configuration.nearest(FirebaseProject.fileName) {
      managed = (try? FirebaseProject.deployed(in: project)) ?? []
    }
    if !configuration.rules.isEmpty {
      named = try RulesSearch.projectFiles(of: configuration)
    } else if let project = try Configuration.nearest(FirebaseProject.fileName) {
      deployed = try FirebaseProject.deployments(in: project)
    } else if let usual = try Configuration.nearest(RulesSearch.usualName) {
      deployed = [Deployment(database: FirebaseProject.defaultDatabase, path: usual)]
    }
  }

  /// Reads what it said at a revision. What is wrong with an older version nobody can mend any more: it
  /// says nothing. Throws if git cannot say what it was.
  init(at history: GitHistory) throws(UsageProblem) {
    func version(of name: String) throws(UsageProblem) -> SourceText? {
      guard let path = try history.nearest(name), let text = try history.read(path) else {
        return nil
      }
      return SourceText(name: path, bytes: text.bytes)
    }
    if let project = try history.nearest(FirebaseProject.fileName) {
      managed = try Self.deployed(by: project, at: history) ?? []
    }
    if let source = try version(of: Configuration.fileName) {
      var reader = ConfigurationReader(source)
      named = reader.read().rules.filter { $0.hasSuffix(".rules") }
      if !named.isEmpty { return }
    }
    if let project = try history.nearest(FirebaseProject.fileName) {
      deployed = try Self.deployed(by: project, at: history) ?? []
    } else if let source = try version(of: RulesSearch.usualName) {
      deployed = [Deployment(database: FirebaseProject.defaultDatabase, path: source.name)]
    }
  }
}
