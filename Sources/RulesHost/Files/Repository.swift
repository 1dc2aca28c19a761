/// The repository around the working folder. Programs that read reports identify files by their paths in it.
package struct Repository: Sendable {
  /// The top folder; the working folder if there is no repository.
  private let root: String
  /// The working folder.
  private let here: String

  /// Finds the repository: the folder that GitHub Actions names, if it contains the working folder, otherwise
  /// the nearest git repository upwards.
  package init() {
    here = FileSystem.real(".") ?? ""
    root = Self.workspace(around: here) ?? Self.gitRoot(around: here) ?? here
  }

  private static func workspace(around here: String) -> String? {
    guard let named = ProcessEnvironment.value("GITHUB_WORKSPACE"),
      let folder = FileSystem.real(named), FilePath.relative(here, below: folder) != nil
    else { return nil }
    return folder
  }

  private static func gitRoot(around here: String) -> String? {
    var folder = here
    while !folder.isEmpty {
      // In a worktree, `.git` is a file.
      if FileSystem.kind(of: FilePath.join(folder, with: ".git")) != .missing { return folder }
      if folder == "/" { return nil }
      folder = FilePath.folder(of: folder)
    }
    return nil
  }

  /// Returns the path of a file from the top of the repository. For a file outside it, returns the given
  /// path without `.` and `..` steps.
  package func path(_ name: String) -> String {
    // Some names are not files: `-`, the rules in a test of Google's format, the claim of a command line.
    if here.isEmpty || FileSystem.kind(of: name) == .missing { return name }
    let plain = FileSystem.plain(name)
    let absolute = FilePath.normalized(FilePath.join(here, with: plain))
    return FilePath.relative(absolute, below: root) ?? plain
  }
}
