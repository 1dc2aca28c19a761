import RulesHost
import RulesLang

/// The rules of a project, in the working tree or at a revision.
struct ProjectRules {
  /// The rules of a database.
  struct Deployment: Hashable {
    /// The name in `firebase.json`; `(default)` if it has none.
    var database: String
    /// The rules file.
    var path: String
  }

  /// The files that `.rulescheck.json` names instead.
  private(set) var named: [String] = []
  /// The rules that `firebase.json` deploys, or the file with the usual name; none if `.rulescheck.json`
  /// names other files.
  private(set) var deployed: [Deployment] = []
  /// The nearest `firebase.json`; nil if there is none.
  private(set) var project: String?
  /// Rules that `firebase.json` deploys, even if `.rulescheck.json` names other files.
  private(set) var managed: [Deployment] = []

  /// All files, without repetitions.
  var files: [String] {
    var seen: Set<String> = []
    return (named + deployed.map { $0.path }).filter {
      seen.insert(FilePath.normalized($0)).inserted
    }
  }

  /// Creates the rules of a project from its deployments.
  init(deploying deployed: [Deployment]) { self.deployed = deployed }

  /// True if a file is deployed.
  func deploys(_ file: String) -> Bool {
    deployed.contains { FileSystem.isSame($0.path, file) }
  }

  /// Returns what a `firebase.json` deployed at a revision; nil if there was none. Throws if that version is
  /// malformed.
  static func deployed(
    by project: String, at history: GitHistory
  ) throws(UsageProblem) -> [Deployment]? {
    guard let text = try history.read(project) else { return nil }
    do throws(UsageProblem) {
      return try FirebaseProject.deployments(in: text, at: project) { name in
        (try? history.read(name)) ?? nil
      }
    } catch {
      var problem = UsageProblem(
        "it is unknown what was deployed: \(error.message)",
        help: "name the rules files to compare", code: .git)
      problem.file = project
      throw problem
    }
  }

  /// Reads the present configuration.
  init(_ configuration: Configuration) throws(UsageProblem) {
    project = try Configuration.nearest(FirebaseProject.fileName)
    if let project { managed = (try? FirebaseProject.deployed(in: project)) ?? [] }
    if !configuration.rules.isEmpty {
      named = try RulesSearch.projectFiles(of: configuration)
    } else if let project {
      deployed = try FirebaseProject.deployments(in: project)
    } else if let usual = try Configuration.nearest(RulesSearch.usualName) {
      deployed = [Deployment(database: FirebaseProject.defaultDatabase, path: usual)]
    }
  }

  /// Reads the configuration at a revision. Throws if git cannot provide it, or it is malformed.
  init(at history: GitHistory) throws(UsageProblem) {
    func version(of name: String) throws(UsageProblem) -> SourceText? {
      guard let path = try history.nearest(name), let text = try history.read(path) else {
        return nil
      }
      return SourceText(name: path, bytes: text.bytes)
    }
    project = try history.nearest(FirebaseProject.fileName)
    if let project { managed = try Self.deployed(by: project, at: history) ?? [] }
    if let source = try version(of: Configuration.fileName) {
      var reader = ConfigurationReader(source)
      named = reader.read().rules.filter { $0.hasSuffix(".rules") }
      if !named.isEmpty { return }
    }
    if project != nil {
      deployed = managed
    } else if let source = try version(of: RulesSearch.usualName) {
      deployed = [Deployment(database: FirebaseProject.defaultDatabase, path: source.name)]
    }
  }
}
