import RulesHost
import RulesLang

/// The newer side of a comparison: the files of the working tree, or of a git revision.
struct NewerFiles {
  /// The revision; nil for the working tree.
  let history: GitHistory?

  /// Returns the rules of the project.
  func project() throws(UsageProblem) -> ProjectRules {
    if let history { return try ProjectRules(at: history) }
    return try ProjectRules(Configuration.find())
  }

  /// Returns the kind of file at a path.
  func kind(of path: String) throws(UsageProblem) -> FileSystem.Kind {
    guard let history else {
      let kind = FileSystem.kind(of: path)
      if kind == .missing, FileSystem.isLink(path) {
        throw UsageProblem(
          FileProblem(path: path, reason: "is a broken or circular link"))
      }
      return kind
    }
    if try history.read(path) != nil { return .file }
    return try history.rules(below: path).isEmpty ? .missing : .folder
  }

  /// True if there is no file.
  func isGone(_ file: String) throws(UsageProblem) -> Bool { try kind(of: file) == .missing }

  /// Returns the text of a file.
  func read(_ path: String) throws(UsageProblem) -> SourceText {
    if let history {
      if let text = try history.read(path) { return text }
      throw UsageProblem(
        FileProblem(path: path, reason: "the newer revision does not have it"), code: .git)
    }
    do throws(FileProblem) {
      return SourceText(name: path, bytes: try FileSystem.read(path))
    } catch {
      throw UsageProblem(error)
    }
  }

  /// Returns the rules files below the working folder; in the working tree, those that git knows.
  func allRules(since older: GitHistory) throws(UsageProblem) -> [String] {
    if let history { return try history.rules() }
    return try older.rulesFiles()
  }

  /// Returns the rules files below a folder.
  func rules(below folder: String) throws(UsageProblem) -> [String] {
    if let history { return try history.rules(below: folder) }
    do throws(FileProblem) {
      return try FileSystem.files(below: folder, suffix: ".rules")
    } catch {
      throw UsageProblem(error)
    }
  }

  /// Returns the files with a name anywhere in the repository, as normalized paths.
  func files(called name: String, since older: GitHistory) throws(UsageProblem) -> Set<String> {
    if let history { return Set(try history.files(called: name)) }
    return Set(try older.presentFiles(called: name))
  }

  /// Returns the deployments of a `firebase.json`; none if it has no Firestore rules.
  func deployed(by project: String) throws(UsageProblem) -> [ProjectRules.Deployment] {
    guard let history else { return try FirebaseProject.deployed(in: project) }
    return try ProjectRules.deployed(by: project, at: history) ?? []
  }
}
