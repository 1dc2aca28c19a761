import RulesEval
import RulesHost
import RulesLang
import RulesStyle

/// A project's configuration: the file `.rulescheck.json`.
struct Configuration {
  /// The name of the file.
  static let fileName = ".rulescheck.json"

  /// The rules files and folders that `check` reads when none is named.
  var rules: [String] = []
  /// The suites and folders that `test` runs when none is named.
  var suites: [String] = []
  /// The levels of codes.
  var levels: [Code: LintLevel] = [:]
  /// The profile; nil for the default.
  var profile: Profile?
  /// The database that the rules are deployed to; nil for that of `firebase.json`.
  var database: DatabaseName?
  /// The mildest level that makes `check` fail; nil for the default.
  var failOn: FailureLevel?
  /// The coverage, in percent, that `test` demands; nil for none.
  var minimumCoverage: Double?

  /// Reads the configuration of the working folder: that of the nearest folder, upwards, that has one. Empty
  /// if none has.
  static func find(
    isRemarking: Bool = true, isComplaining: Bool = true
  ) throws(UsageProblem) -> Configuration {
    guard let path = try nearest(fileName) else { return Configuration() }
    return try read(path, isRemarking: isRemarking, isComplaining: isComplaining)
  }

  /// Returns the profile of a command line, else that of the configuration. Problems with the configuration
  /// are printed here only if the command line names its files; else the search for files prints them.
  static func profile(_ invocation: Invocation) throws(UsageProblem) -> Profile {
    if let asked = try invocation[CommonOptions.profile] { return asked }
    do throws(UsageProblem) {
      let isComplaining = !invocation.operands.isEmpty
      return try find(isRemarking: false, isComplaining: isComplaining).profile ?? .emulator
    } catch {
      if invocation.operands.isEmpty { return .emulator }
      throw error
    }
  }

  /// Reads a configuration file. Its paths are relative to its folder.
  static func read(
    _ path: String, isRemarking: Bool = true, isComplaining: Bool = true
  ) throws(UsageProblem) -> Configuration {
    let source: SourceText
    do throws(FileProblem) {
      source = SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
    var reader = ConfigurationReader(source)
    let configuration = reader.read()
    if isRemarking, !reader.remarks.isEmpty {
      Complaints(Terminal(color: .auto)).print(reader.remarks, in: source, atLeast: .info)
    }
    guard reader.problems.isEmpty else {
      let problems = reader.problems.sortedByPlace()
      if isComplaining { Complaints(Terminal(color: .auto)).print(problems, in: source) }
      throw UsageProblem("\(path) cannot be used", problems, in: source)
    }
    return configuration
  }

  /// Returns the file with a name in the working folder or the nearest folder above that has one. Throws if
  /// the name exists but is not a file, such as a dangling link: searching further up would find another file
  /// than the one that is meant.
  static func nearest(_ name: String) throws(UsageProblem) -> String? {
    var folder = "."
    while true {
      let path = FilePath.join(folder, with: name)
      switch FileSystem.kind(of: path) {
      // Reading a pipe without a writer never ends.
      case .file where FileSystem.isStream(path):
        throw UsageProblem(FileProblem(path: path, reason: "is a pipe or a device, not a file"))
      case .file: return path
      case .folder: throw UsageProblem(FileProblem(path: path, reason: "is a folder"))
      case .missing:
        if FileSystem.isLink(path) {
          throw UsageProblem(
            FileProblem(path: path, reason: FileSystem.problem(ofLink: path)))
        }
      }
      if FileSystem.isRoot(folder) { return nil }
      folder = folder == "." ? ".." : folder + "/.."
    }
  }
}

/// The mildest level of findings that makes a run fail.
enum FailureLevel: String, CaseIterable, Sendable {
  case error, warning, info, none

  /// True if a finding with a severity makes the run fail.
  func isFailure(_ severity: Diagnostic.Severity) -> Bool {
    switch self {
    case .error: severity >= .error
    case .warning: severity >= .warning
    case .info: severity >= .info
    case .none: false
    }
  }
}
