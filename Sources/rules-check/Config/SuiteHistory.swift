import RulesHost
import RulesLang
import RulesReport

/// Finds suites that `test` ran at an older revision and that are gone.
enum SuiteHistory {
  /// Returns a notice for each suite of the project at a revision, named as the user did, that is not found
  /// any more, under its name or another one.
  static func notices(
    since revision: String, _ history: GitHistory, now configuration: Configuration
  ) throws(UsageProblem) -> [ProjectNotice] {
    var lost = try former(history)
    if lost.isEmpty { return [] }
    let found = (try? SuiteSearch.search([], of: configuration))?.files ?? []
    let now = Set(found.map { FilePath.normalized($0) })
    let kept = Set(lost).intersection(now)
    lost.removeAll { now.contains($0) }
    for file in found where !lost.isEmpty && !kept.contains(FilePath.normalized(file)) {
      guard let bytes = try? FileSystem.read(file),
        let former = try FormerFile.find(
          SourceText(name: file, bytes: bytes), among: lost,
          reading: { name throws(UsageProblem) in try history.read(name) })
      else { continue }
      lost.removeAll { $0 == former.name }
    }
    return lost.map { ProjectNotice(.removedSuite(revision: revision), about: $0) }
  }

  /// Returns the suites that `test` found at a revision, as normalized paths.
  private static func former(_ history: GitHistory) throws(UsageProblem) -> [String] {
    var folders = ["rules"]
    var named: [String] = []
    if let path = try history.nearest(Configuration.fileName), let text = try history.read(path) {
      var reader = ConfigurationReader(SourceText(name: path, bytes: text.bytes))
      for suites in reader.read().suites.map({ FilePath.normalized($0) }) {
        if try history.read(suites) != nil { named.append(suites) } else { folders.append(suites) }
      }
    }
    let rules = (try? ProjectRules(at: history).files) ?? []
    let beside = Set(
      rules.map { FilePath.normalized(FilePath.join(FilePath.folder(of: $0), with: ".")) })
    let suites = try history.files { $0.hasSuffix(SuiteSearch.suffix) }
    return named
      + suites.filter { suite in
        if named.contains(suite) { return false }
        let folder = FilePath.normalized(FilePath.join(FilePath.folder(of: suite), with: "."))
        return beside.contains(folder) || folders.contains { isBelow($0, suite) }
      }
  }

  /// True if a file is in a folder or in one below it.
  ///
  /// - Requires: Both paths are normalized.
  private static func isBelow(_ folder: String, _ file: String) -> Bool {
    if folder == "." { return !file.hasPrefix("../") }
    return file.hasPrefix(folder + "/")
  }
}
