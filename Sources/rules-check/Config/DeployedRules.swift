import RulesHost

/// The rules files that `firebase.json` files near the files of a run deploy.
struct DeployedRules {
  /// One rules file.
  struct File {
    /// The path from the working folder.
    var path: String
    /// The databases that it is deployed to, if the project has several.
    var databases: [String]
    /// The `firebase.json` that deploys it.
    var project: String
  }

  /// A `firebase.json` that deploys Firestore rules.
  struct Project {
    /// The path from the working folder.
    var path: String
    /// The rules files that it deploys, without repetitions.
    var files: [File]
  }

  /// The `firebase.json` files that deploy Firestore rules, without repetitions.
  private(set) var projects: [Project] = []
  /// The `firebase.json` files without Firestore rules.
  private(set) var idle: [String] = []
  /// Reasons why a deployment is not known.
  private(set) var problems: [UsageProblem] = []

  /// Finds the files deployed by the `firebase.json` files that the configuration names and by the nearest
  /// one above the working folder and above each operand.
  init(around operands: [String], of configuration: Configuration) {
    let named = configuration.rules.filter { FilePath.name(of: $0) == FirebaseProject.fileName }
    do throws(UsageProblem) {
      try add(named + [Configuration.nearest(FirebaseProject.fileName)].compactMap { $0 })
    } catch {
      problems.append(error)
    }
    for operand in operands where FileSystem.kind(of: operand) != .missing {
      add(Self.above(operand).prefix(1).map { $0 })
    }
  }

  /// All deployed files, without repetitions.
  var files: [File] {
    var files: [File] = []
    for file in projects.flatMap(\.files)
    where !files.contains(where: { FileSystem.isSame($0.path, file.path) }) {
      files.append(file)
    }
    return files
  }

  /// Returns the nearest project above a rules file, if no project above deploys the file; nil if one does,
  /// or if none deploys anything.
  func stranger(_ path: String) -> Project? {
    func isDeployed(_ project: Project) -> Bool {
      project.files.contains { FileSystem.isSame($0.path, path) }
    }
    if projects.contains(where: isDeployed) { return nil }
    let above = Self.above(path)
    // A firebase.json above the file is about the file, and not about the run.
    var around = self
    around.add(above)
    if around.projects.contains(where: isDeployed) { return nil }
    for folder in above {
      if let nearest = around.projects.first(where: { FileSystem.isSame($0.path, folder) }) {
        return nearest
      }
    }
    return projects.first
  }

  private mutating func add(_ paths: [String]) {
    for path in paths where !projects.contains(where: { FileSystem.isSame($0.path, path) }) {
      do throws(UsageProblem) {
        let deployments = try FirebaseProject.deployed(in: path)
        guard !deployments.isEmpty else {
          if !idle.contains(path) { idle.append(path) }
          continue
        }
        projects.append(Project(path: path, files: Self.files(deployments, of: path)))
      } catch {
        problems.append(error)
      }
    }
  }

  private static func files(_ deployments: [ProjectRules.Deployment], of project: String) -> [File]
  {
    var files: [File] = []
    let areSeveral = Set(deployments.map { $0.database }).count > 1
    for one in deployments {
      let names = areSeveral ? [one.database] : []
      if let known = files.firstIndex(where: { FileSystem.isSame($0.path, one.path) }) {
        files[known].databases += names
      } else {
        files.append(File(path: FileSystem.plain(one.path), databases: names, project: project))
      }
    }
    return files
  }

  /// Returns the `firebase.json` files in the folder of a file, or in a folder, and above, the nearest first.
  private static func above(_ path: String) -> [String] {
    let whole = FileSystem.real(path) ?? FilePath.normalized(FileSystem.absolute(path))
    var folder = FileSystem.kind(of: path) == .folder ? whole : FilePath.folder(of: whole)
    var found: [String] = []
    while !folder.isEmpty {
      let file = FilePath.join(folder, with: FirebaseProject.fileName)
      if FileSystem.kind(of: file) == .file, !FileSystem.isStream(file) {
        found.append(FilePath.relative(file, to: "."))
      }
      if folder == "/" { break }
      folder = FilePath.folder(of: folder)
    }
    return found
  }
}
