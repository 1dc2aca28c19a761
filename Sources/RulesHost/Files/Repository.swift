/// The repository around the working folder: programs that read reports know files by their paths in it.
package struct Repository: Sendable {
  /// The topmost folder; the working folder if there is no repository.
  private let root: String
  /// The working folder.
  private let here: String

  /// Finds the repository: the folder that GitHub Actions names, if that is around the working folder,
  /// else the nearest one, upwards, that git keeps.
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
      // A worktree has a file of that name.
      if FileSystem.kind(of: FilePath.join(folder, with: ".git")) != .missing { return folder }
      if folder == "/" { return nil }
      folder = FilePath.folder(of: folder)
    }
    return nil
  }

  /// The path of a file from the root of the repository; of a file outside it from the working folder, or
  /// from the topmost folder if it was named so.
  package func path(_ name: String) -> String {
    // Not every name is a file's: `-`, rules inside a test of Google's format, the command line's claim.
    if here.isEmpty || FileSystem.kind(of: name) == .missing { return name }
    let plain = FileSystem.plain(name)
    let absolute = FilePath.normalized(FilePath.join(here, with: plain))
    return FilePath.relative(absolute, below: root) ?? plain
  }
}
