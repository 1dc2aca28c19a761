import RulesHost
import RulesLang

/// The search for a command's rules files.
enum RulesSearch {
  /// The default name of a project's rules file.
  static let usualName = "firestore.rules"

  /// Returns the rules files of operands: files, folders that are searched for `*.rules`, and the files that
  /// a `firebase.json` deploys. Without operands returns those of the project.
  ///
  /// - Throws: An error if an operand cannot be used.
  static func files(
    _ operands: [String], of configuration: Configuration
  ) throws(UsageProblem) -> [String] {
    if operands.isEmpty {
      let found = try projectFiles(of: configuration)
      guard found.isEmpty else {
        if found.allSatisfy({ FileSystem.kind(of: $0) == .missing }) {
          throw try noSuchFile(found[0], of: configuration)
        }
        return found
      }
      throw UsageProblem(
        "there are no rules: neither in \(Configuration.fileName) nor in "
          + "\(FirebaseProject.fileName), and no \(usualName), here or above",
        help: adviceBelow()
          ?? "name a rules file, here or in \"rules\" of \(Configuration.fileName)")
    }
    return try search(operands, of: configuration).complete()
  }

  /// Returns the `firebase.json` files below the working folder that git tracks or would add; none without
  /// git. Folders outside of a repository may contain a whole disk, so they are not searched.
  static func projectsBelow() -> [String] {
    GitHistory.workingFiles(fitting: "**/\(FirebaseProject.fileName)")
  }

  /// Returns the advice to name a project below; nil if there is none.
  private static func adviceBelow() -> String? {
    let below = projectsBelow()
    guard let first = below.first else { return nil }
    return below.count == 1
      ? "\(first) is below: name it, or change to its folder"
      : "\(below.count) projects are below: name one, such as \(first), or change to its folder"
  }

  /// Returns the rules files like `files`, with errors of single operands beside them. Throws if there is no
  /// file.
  static func search(
    _ operands: [String], of configuration: Configuration
  ) throws(UsageProblem) -> FoundFiles {
    if operands.isEmpty { return FoundFiles(files: try files([], of: configuration)) }
    let found = try named(operands)
    guard !found.files.isEmpty || !found.problems.isEmpty else {
      throw UsageProblem("there is no rules file", help: "a folder needs *.rules")
    }
    return found
  }

  /// Returns the rules files; reads the project's configuration only if it is needed.
  static func files(_ operands: [String]) throws(UsageProblem) -> [String] {
    try files(operands, of: operands.isEmpty ? Configuration.find() : Configuration())
  }

  /// Returns the error that the project names a rules file that is missing.
  private static func noSuchFile(
    _ path: String, of configuration: Configuration
  ) throws(UsageProblem) -> UsageProblem {
    let isConfigured = !configuration.rules.isEmpty
    let name = isConfigured ? Configuration.fileName : FirebaseProject.fileName
    let project = try Configuration.nearest(name) ?? name
    var problem = UsageProblem(
      "\(path): no such file or directory",
      help: "\(project) names it: write the rules there, or correct \"rules\"", code: .unreadable)
    problem.file = path
    return problem
  }

  /// Returns the rules file of the project, for a command that takes only one.
  static func file(of configuration: Configuration) throws(UsageProblem) -> String {
    try only(files([], of: configuration))
  }

  private static func only(_ found: [String]) throws(UsageProblem) -> String {
    if found.count == 1 { return found[0] }
    throw UsageProblem(
      "there are several rules files: \(found.joined(separator: ", "))", help: "name one of them")
  }

  /// Returns the rules files of an operand that is a rules file, or a project: a `firebase.json` or its
  /// folder.
  ///
  /// - Throws: An error that names the rules files below any other folder.
  static func named(_ operand: String) throws(UsageProblem) -> [String] {
    if FilePath.name(of: operand) == FirebaseProject.fileName {
      return try FirebaseProject.rules(in: operand)
    }
    guard FileSystem.kind(of: operand) == .folder else { return [operand] }
    let project = FilePath.join(operand, with: FirebaseProject.fileName)
    if FileSystem.kind(of: project) == .file { return try FirebaseProject.rules(in: project) }
    let below = FileSystem.search(below: operand, suffix: ".rules").files
    throw UsageProblem(
      "\(operand) is a folder without a \(FirebaseProject.fileName)",
      help: below.first.map { "name a rules file, such as \($0)" }
        ?? "there is no rules file below, either")
  }

  /// Returns the only rules file of an operand, like `named`.
  static func onlyFile(of operand: String) throws(UsageProblem) -> String {
    try only(named(operand))
  }

  /// Returns the rules files of the project: those that `.rulescheck.json` names, else those that the nearest
  /// `firebase.json` deploys, else the nearest `firestore.rules`; none if there is none of these.
  static func projectFiles(of configuration: Configuration) throws(UsageProblem) -> [String] {
    if !configuration.rules.isEmpty { return try named(configuration.rules).complete() }
    if let project = try Configuration.nearest(FirebaseProject.fileName) {
      return try FirebaseProject.rules(in: project)
    }
    return try Configuration.nearest(usualName).map { [$0] } ?? []
  }

  private static func named(_ names: [String]) throws(UsageProblem) -> FoundFiles {
    var found = FoundFiles()
    for name in names.map({ $0.contains("/../") ? FileSystem.plain($0) : $0 }) {
      if FileSystem.kind(of: name) == .folder {
        found += FileSystem.search(below: name, suffix: ".rules")
      } else if FilePath.name(of: name) == FirebaseProject.fileName {
        found.files += try FirebaseProject.rules(in: name)
      } else {
        found.files.append(name)
      }
    }
    found.files = FileSystem.distinct(found.files)
    return found
  }
}
