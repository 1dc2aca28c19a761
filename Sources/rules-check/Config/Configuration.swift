import RulesEval
import RulesHost
import RulesLang
import RulesStyle

/// What a project has decided once: the file `.rulescheck.json`.
struct Configuration {
  /// The name of the file.
  static let fileName = ".rulescheck.json"

  /// The rules files and folders that `check` reads when none is named.
  var rules: [String] = []
  /// The suites and folders that `test` runs when none is named.
  var suites: [String] = []
  /// How loud each code is.
  var levels: [Code: LintLevel] = [:]
  /// Whose behaviour is followed; nil for the default.
  var profile: Profile?
  /// The database that the rules are deployed to; nil for that of `firebase.json`.
  var database: DatabaseName?
  /// The mildest finding that makes `check` fail; nil for the default.
  var failOn: FailureLevel?
  /// The coverage, in percent, that `test` demands; nil for none.
  var minimumCoverage: Double?

  /// The configuration that holds in the working folder: that of the nearest folder, upwards, which
  /// has one. An empty one if none has.
  static func find(
    isRemarking: Bool = true, isComplaining: Bool = true
  ) throws(UsageProblem) -> Configuration {
    guard let path = try nearest(fileName) else { return Configuration() }
    return try read(path, isRemarking: isRemarking, isComplaining: isComplaining)
  }

  /// Whose behaviour a command follows: what its command line says, else what the project has decided. What
  /// is wrong with the file says who searches it for files; a command that names its own is told here.
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

  /// The file of a name in the working folder or the nearest folder above it that has one. Throws if the
  /// name is there and is no file, as a link to nothing: to go on above would be something else than
  /// what is meant.
  static func nearest(_ name: String) throws(UsageProblem) -> String? {
    var folder = "."
    while true {
      let path = FilePath.join(folder, with: name)
      switch FileSystem.kind(of: path) {
      // Whoever reads a pipe that nobody writes to waits for ever.
      case .file where FileSystem.isStream(path):
        throw UsageProblem(FileProblem(path: path, reason: "is a pipe or a device, not a file"))
      case .file: return path
      case .folder: throw UsageProblem(FileProblem(path: path, reason: "is a folder"))
      case .missing:
        if FileSystem.isLink(path) {
          throw UsageProblem(FileProblem(path: path, reason: "is a link to what is not there"))
        }
      }
      if FileSystem.isRoot(folder) { return nil }
      folder = folder == "." ? ".." : folder + "/.."
    }
  }
}

/// The mildest finding that makes a run fail.
enum FailureLevel: String, CaseIterable, Sendable {
  case error, warning, info, none

  /// Whether a finding of a severity makes the run fail.
  func isFailure(_ severity: Diagnostic.Severity) -> Bool {
    switch self {
    case .error: severity >= .error
    case .warning: severity >= .warning
    case .info: severity >= .info
    case .none: false
    }
  }
}
