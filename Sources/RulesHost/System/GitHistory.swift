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
    guard let line = found?.split(separator: UInt8(ascii: "\n")).first else {
      throw Self.refusal(of: revision)
    }
    name = revision
    commit = String(decoding: line, as: UTF8.self)
  }

  /// Why a revision is not to be had.
  private static func refusal(of revision: String) -> UsageProblem {
    if ChildProcess.output(of: ["git", "--version"]) == nil {
      return UsageProblem("git, which knows older versions, cannot be run", code: .git)
    }
    if ChildProcess.output(of: ["git", "rev-parse", "--git-dir"]) == nil {
      return UsageProblem(
        "this is no git repository, or one that git refuses because it belongs to another user",
        help: "in a container: git config --global --add safe.directory FOLDER",
        code: .git)
    }
    return UsageProblem(
      "git knows no revision `\(revision)` here",
      help: "in CI the checkout needs the history of the base, too: fetch-depth: 0", code: .git)
  }

  /// The version of a file; nil if the revision does not have it. Throws if git cannot say, as in a clone
  /// that lacks the text.
  package func read(_ path: String) throws(UsageProblem) -> SourceText? {
    var folder = FilePath.folder(of: path)
    // The folder may have been deleted with the file; git is asked in one that is there.
    while !folder.isEmpty, folder != "/", FileSystem.kind(of: folder) != .folder {
      folder = FilePath.folder(of: folder)
    }
    let file = folder.isEmpty ? path : String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
    let git = ["git", "--literal-pathspecs", "-C", folder.isEmpty ? "." : folder]
    let entry = try ask(git + ["ls-tree", "-z", commit, "--", "./" + file], about: path)
    // MODE, TYPE and NAME of the object, then the path. A folder or another repository is no file.
    let words = entry.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    guard words.count > 2, words[1].elementsEqual("blob".utf8) else { return nil }
    let object = String(decoding: words[2], as: UTF8.self)
    return SourceText(
      name: "\(name):\(path)", bytes: try ask(git + ["cat-file", "blob", object], about: path))
  }

  /// What git answers.
  private func ask(_ command: [String], about path: String) throws(UsageProblem) -> [UInt8] {
    if let answer = ChildProcess.output(of: command) { return answer }
    throw UsageProblem(
      FileProblem(path: path, reason: "git cannot say what this was in `\(name)`"),
      code: .git)
  }

  /// The `*.rules` files below a folder that the revision has and that are not there any more.
  package func deletedRules(below folder: String = ".") throws(UsageProblem) -> [String] {
    let list = try ask(
      [
        "git", "-C", folder, "diff", "--no-renames", "--diff-filter=D", "--name-only",
        "--relative", "-z", commit, "--", "*.rules",
      ], about: "*.rules")
    return Self.names(list).map { FilePath.join(folder, with: $0) }
  }

  /// The names in a list of git's.
  private static func names(_ list: [UInt8]) -> [String] {
    list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The rules files below the working folder that git knows and that are still there.
  package func rulesFiles() throws(UsageProblem) -> [String] {
    let list = try ask(["git", "ls-files", "-z", "--", "*.rules"], about: "*.rules")
    var files: [String] = []
    for name in Self.names(list) {
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
