import RulesHost

/// Finding the suites that a command is about.
enum SuiteSearch {
  /// How the names of suites end.
  static let suffix = ".suite.json"

  /// The suites that operands name, which are files and folders. Without operands those of the project:
  /// of the folders that `.rulescheck.json` names, of `./rules`, and beside the project's rules.
  static func files(
    _ operands: [String], of configuration: Configuration
  ) throws(UsageProblem) -> [String] {
    guard operands.isEmpty else { return try named(operands) }
    var found = try named(configuration.suites)
    if FileSystem.kind(of: "rules") == .folder { found += try named(["rules"]) }
    let rules: [String]
    do throws(UsageProblem) {
      rules = try RulesSearch.projectFiles(of: configuration)
    } catch {
      // A project may deploy no rules, and have suites of some.
      if found.isEmpty { throw error }
      rules = []
    }
    for file in rules { found += try suites(beside: file) }
    let suites = FileSystem.distinct(found)
    guard suites.isEmpty, FileSystem.kind(of: "rules") != .folder, configuration.suites.isEmpty
    else {
      return suites
    }
    throw UsageProblem(
      "there is no suite to run: no *\(suffix) in ./rules or beside the rules",
      help: rules.first.map { "rules-check init \($0) writes a first one" }
        ?? "name the suites: rules-check test PATH")
  }

  private static func named(_ names: [String]) throws(UsageProblem) -> [String] {
    var paths: [String] = []
    for name in names {
      switch FileSystem.kind(of: name) {
      case .file where name.hasSuffix(".rules"):
        throw UsageProblem(
          "\(name) has rules, and no tests of them",
          help: "rules-check init \(name) writes a first suite")
      case .file: paths.append(name)
      case .missing:
        throw UsageProblem(FileProblem(path: name, reason: "no such file or folder"))
      case .folder:
        do throws(FileProblem) {
          paths += try FileSystem.files(below: name, suffix: suffix)
        } catch {
          throw UsageProblem(error)
        }
      }
    }
    return FileSystem.distinct(paths)
  }

  /// The suites in the folder of a file; folders inside it are not searched.
  private static func suites(beside file: String) throws(UsageProblem) -> [String] {
    let folder = FilePath.folder(of: file)
    do throws(FileProblem) {
      return try FileSystem.files(
        below: folder.isEmpty ? "." : folder, suffix: suffix, isDeep: false)
    } catch {
      throw UsageProblem(error)
    }
  }
}
