import RulesHost
import RulesLang

/// The search for a command's suites.
enum SuiteSearch {
  /// The suffix of suites' names.
  static let suffix = ".suite.json"

  /// Returns the suites of operands, for a command that needs all of them.
  static func files(
    _ operands: [String], of configuration: Configuration
  ) throws(UsageProblem) -> [String] {
    try search(operands, of: configuration).complete()
  }

  /// Returns the suites of operands, which are files and folders. Without operands returns those of the
  /// project: of the folders that `.rulescheck.json` names, of `./rules`, and beside the project's rules.
  /// A folder that belongs to no project has its own suites.
  /// Throws if there are none.
  static func search(
    _ operands: [String], of configuration: Configuration
  ) throws(UsageProblem) -> FoundFiles {
    guard operands.isEmpty else { return try named(operands) }
    var found = try named(configuration.suites)
    if FileSystem.kind(of: "rules") == .folder {
      found += FileSystem.search(below: "rules", suffix: suffix)
    }
    let rules: [String]
    do throws(UsageProblem) {
      rules = try RulesSearch.projectFiles(of: configuration)
    } catch {
      // A project may have suites for rules that it does not deploy.
      if found.files.isEmpty { throw error }
      rules = []
    }
    for file in rules {
      let folder = FilePath.folder(of: file)
      found += FileSystem.search(
        below: folder.isEmpty ? "." : folder, suffix: suffix, isDeep: false)
    }
    if rules.isEmpty { found += FileSystem.search(below: ".", suffix: suffix, isDeep: false) }
    found.files = FileSystem.distinct(found.files)
    guard found.files.isEmpty, found.problems.isEmpty, FileSystem.kind(of: "rules") != .folder,
      configuration.suites.isEmpty
    else { return found }
    throw UsageProblem(
      "there is no suite to run: no *\(suffix) in ./rules or beside the rules",
      help: rules.first.map { Self.firstSuite(for: $0) }
        ?? Self.adviceBelow()
        ?? "there is no firebase.json or firestore.rules, either; name the suites: rules-check test PATH"
    )
  }

  /// Returns the advice to run the suites of a project below; nil if there is none.
  private static func adviceBelow() -> String? {
    RulesSearch.projectsBelow().first.map {
      "\($0) is below: rules-check test \(FilePath.folder(of: $0))"
    }
  }

  /// Returns the advice to write the first suite of rules, or the reason why that is not possible.
  static func firstSuite(for rules: String) -> String {
    if FileSystem.kind(of: rules) == .missing {
      return "there is no \(rules), which \(FirebaseProject.fileName) names, either"
    }
    let bytes = FileSystem.isStream(rules) ? nil : try? FileSystem.read(rules)
    if let service = bytes.flatMap({ SourceText(name: rules, bytes: $0).foreignService }) {
      return "these are rules of \(service); rules-check reads those of cloud.firestore"
    }
    return "rules-check init \(rules) writes a first suite"
  }

  /// Returns the suite that `init` writes: `firestore.suite.json` for `firestore.rules`.
  static func path(for rules: String) -> String {
    (rules.hasSuffix(".rules") ? String(rules.dropLast(".rules".count)) : rules) + suffix
  }

  private static func named(_ names: [String]) throws(UsageProblem) -> FoundFiles {
    var found = FoundFiles()
    for name in names.map({ $0.contains("/../") ? FileSystem.plain($0) : $0 }) {
      switch FileSystem.kind(of: name) {
      case .file where name.hasSuffix(".rules"): throw rulesInTheirPlace(name)
      case .file where codeEndings.contains(where: { name.hasSuffix($0) }):
        throw UsageProblem(
          "\(name) is not a suite",
          help: "tests of a Firestore SDK run unchanged: rules-check exec -- npm test")
      case .file: found.files.append(name)
      case .missing:
        // A shell passes a pattern on unchanged if no file matches, or if it is quoted.
        let folder = name.prefix { $0 != "*" }.split(
          separator: "/", omittingEmptySubsequences: false)
        found.problems.append(
          FileProblem(
            path: name,
            reason: name.contains("*")
              ? "no such file; name the folder, which is searched: "
                + "rules-check test \(folder.count > 1 ? folder.dropLast().joined(separator: "/") : ".")"
              : "no such file or folder"))
      case .folder:
        let below = FileSystem.search(below: name, suffix: suffix)
        if below.files.isEmpty, below.problems.isEmpty { found.empty.append(name) }
        found += below
      }
    }
    found.files = FileSystem.distinct(found.files)
    return found
  }

  /// The suffixes of source files, which may be tests of an SDK.
  private static let codeEndings = [
    ".js", ".mjs", ".cjs", ".ts", ".py", ".go", ".swift", ".kt", ".java", ".dart",
  ]

  /// Returns the error that a rules file cannot be run as a suite, with advice.
  private static func rulesInTheirPlace(_ name: String) -> UsageProblem {
    let suite = path(for: name)
    guard FileSystem.kind(of: suite) == .file else {
      return UsageProblem(
        "\(name) has rules, and no tests of them",
        help: firstSuite(for: name))
    }
    return UsageProblem(
      "\(name) has rules; their tests are in \(suite)", help: "rules-check test \(suite)")
  }
}
