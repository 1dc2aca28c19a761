public import RulesLang

/// Older versions of files, as git has them.
public struct GitHistory {
  /// The revision as the user wrote it.
  private let name: String
  /// The commit that it is.
  private let commit: String

  /// Finds a revision.
  public init(_ revision: String) throws(UsageProblem) {
    let found = ChildProcess.output(of: [
      "git", "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}",
    ])
    guard let line = found?.split(separator: "\n").first else {
      throw UsageProblem(
        "git knows no revision `\(revision)` here",
        help: "in CI the checkout needs the history of the base, too: fetch-depth: 0")
    }
    name = revision
    commit = String(line)
  }

  /// The version of a file; nil if the revision does not have it.
  public func read(_ path: String) -> SourceText? {
    let folder = FilePath.folder(of: path)
    let file = folder.isEmpty ? path : String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
    let text = ChildProcess.output(of: [
      "git", "-C", folder.isEmpty ? "." : folder, "show", "\(commit):./\(file)",
    ])
    return text.map { SourceText(name: "\(name):\(path)", $0) }
  }

  /// The rules files below the current folder that git knows and that are still there.
  public static var rulesFiles: [String] {
    let list = ChildProcess.output(of: ["git", "ls-files", "-z", "--", "*.rules"]) ?? ""
    return list.split(separator: "\0").map { String($0) }
      .filter { FileSystem.kind(of: $0) == .file }
  }
}
