import RulesHost

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
      guard found.isEmpty else { return found }
      throw UsageProblem(
        "there are no rules: neither in \(Configuration.fileName) nor in "
          + "\(FirebaseProject.fileName), and no \(usualName), here or above",
        help: projectBelow().map { "\($0) is below; name it" }
          ?? "name a rules file, here or in \"rules\" of \(Configuration.fileName)")
    }
    return try search(operands, of: configuration).complete()
  }

  /// Returns the first `firebase.json` below the working folder that git tracks or would add; nil if there is
  /// none, or no git. Folders outside of a repository may contain a whole disk, so they are not searched.
  private static func projectBelow() -> String? {
    GitHistory.workingFiles(fitting: "**/\(FirebaseProject.fileName)").first
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

  /// Returns the rules file of a command that takes only one.
  static func file(
    _ operands: [String], of configuration: Configuration
  ) throws(UsageProblem) -> String {
    if let named = operands.first { return named }
    let found = try files([], of: configuration)
    if found.count == 1 { return found[0] }
    throw UsageProblem(
      "there are several rules files: \(found.joined(separator: ", "))", help: "name one of them")
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
