package import RulesLang

/// Older versions of files, as git has them.
package struct GitHistory {
  /// The revision as the user wrote it.
  private let name: String
  /// The commit that it is.
  private let commit: String

  /// Finds a revision.
  package init(_ revision: String) throws(UsageProblem) {
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
  package func read(_ path: String) -> SourceText? {
    var folder = FilePath.folder(of: path)
    // The folder may have been deleted with the file; git is asked in one that is there.
    while !folder.isEmpty, folder != "/", FileSystem.kind(of: folder) == .missing {
      folder = FilePath.folder(of: folder)
    }
    let file = folder.isEmpty ? path : String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
    let text = ChildProcess.output(of: [
      "git", "-C", folder.isEmpty ? "." : folder, "show", "\(commit):./\(file)",
    ])
    return text.map { SourceText(name: "\(name):\(path)", $0) }
  }

  /// The `*.rules` files below the working folder that the revision has and that are not there any more.
  package var deletedRules: [String] {
    let list = ChildProcess.output(of: [
      "git", "diff", "--no-renames", "--diff-filter=D", "--name-only", "--relative", "-z", commit,
      "--", "*.rules",
    ])
    return (list ?? "").split(separator: "\0").map { String($0) }
  }

  /// The rules files below the working folder that git knows and that are still there.
  package static func rulesFiles() throws(UsageProblem) -> [String] {
    let list = ChildProcess.output(of: ["git", "ls-files", "-z", "--", "*.rules"]) ?? ""
    var files: [String] = []
    for name in list.split(separator: "\0").map({ String($0) }) {
      switch FileSystem.kind(of: name) {
      case .file: files.append(name)
      case .folder: continue
      case .missing where name.unicodeScalars.contains("\u{FFFD}"):
        throw UsageProblem(FileProblem(path: name, reason: "has a name that is no UTF-8"))
      // It was deleted; `deletedRules` has it.
      case .missing: continue
      }
    }
    return files
  }
}
