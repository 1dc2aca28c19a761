package import RulesLang

/// A revision of the repository, for older versions of files.
package struct GitHistory {
  /// The name of the revision, for the names of texts.
  private let name: String
  /// The commit of the revision.
  private let commit: String
  /// The top folder of the repository.
  private let top: String

  /// The two versions that a comparison is about.
  package struct Range {
    /// The older version.
    package var old: GitHistory
    /// The newer version; nil for the working files.
    package var new: GitHistory?
  }

  private init(_ name: String, commit: String) throws(UsageProblem) {
    self.name = name
    self.commit = commit
    guard let line = Self.line(["rev-parse", "--show-toplevel"]) else {
      throw UsageProblem("git has no files here: this is a bare repository", code: .git)
    }
    top = line
  }

  /// Finds a revision.
  package init(_ revision: String) throws(UsageProblem) {
    guard let commit = Self.commit(of: revision) else { throw Self.refusal(of: revision) }
    try self.init(revision, commit: commit)
  }

  /// Parses the value of `--base`. The older version of `A` is the merge base of A and HEAD, that of `A...B`
  /// the merge base of A and B, that of `A..B` is A itself. The newer version is B, or the working files if B
  /// is HEAD or missing.
  package static func range(_ text: String) throws(UsageProblem) -> Range {
    if let commit = commit(of: text) { return try range(from: text, commit, to: "", called: nil) }
    for dots in ["...", ".."] {
      guard let (first, second) = split(text, at: dots) else { continue }
      let start = first.isEmpty ? "HEAD" : first
      guard let commit = commit(of: start) else { throw refusal(of: start) }
      if dots == "..." { return try range(from: start, commit, to: second, called: text) }
      let new = try newer(second)
      return Range(old: try GitHistory(start, commit: commit), new: new)
    }
    throw refusal(of: text)
  }

  private static func range(
    from start: String, _ commit: String, to end: String, called name: String?
  ) throws(UsageProblem) -> Range {
    let end = end.isEmpty ? "HEAD" : end
    guard let other = self.commit(of: end) else { throw refusal(of: end) }
    guard let base = line(["merge-base", commit, other]) else {
      throw noMergeBase(of: start, and: end)
    }
    // The merge base of a branch that has not moved on is the branch.
    let called = base == commit ? start : name ?? "\(start)...\(end)"
    return Range(old: try GitHistory(called, commit: base), new: try newer(end))
  }

  /// Returns the newer version; nil for the working files.
  private static func newer(_ revision: String) throws(UsageProblem) -> GitHistory? {
    let revision = revision.isEmpty ? "HEAD" : revision
    guard let commit = commit(of: revision) else { throw refusal(of: revision) }
    return commit == self.commit(of: "HEAD") ? nil : try GitHistory(revision, commit: commit)
  }

  private static func split(_ text: String, at dots: String) -> (String, String)? {
    let bytes = Array(text.utf8)
    let mark = Array(dots.utf8)
    guard bytes.count >= mark.count else { return nil }
    for start in 0...(bytes.count - mark.count)
    where bytes[start..<start + mark.count].elementsEqual(mark) {
      return (
        String(decoding: bytes[..<start], as: UTF8.self),
        String(decoding: bytes[(start + mark.count)...], as: UTF8.self)
      )
    }
    return nil
  }

  /// Returns the commit that a revision names; nil if there is none, or if a tag and a branch of that name
  /// are at different commits: git would take the tag, which anyone with push access can create.
  private static func commit(of revision: String) -> String? {
    places(called: revision).count > 1 ? nil : resolved(revision)
  }

  private static func resolved(_ revision: String) -> String? {
    line(["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
  }

  /// Returns the tags and branches that a revision can mean, if they are at different commits.
  private static func places(called revision: String) -> [String] {
    var found: [(name: String, commit: String)] = []
    for folder in ["refs/tags/", "refs/heads/", "refs/remotes/"] {
      let name = folder + revision
      if let commit = resolved(name) { found.append((name, commit)) }
    }
    return Set(found.map { $0.commit }).count > 1 ? found.map { $0.name } : []
  }

  /// Returns the tracked and new files below the working folder whose paths match a git pattern; empty
  /// without git or a repository.
  package static func workingFiles(fitting pattern: String) -> [String] {
    let listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    let found = ChildProcess.output(of: listing + [":(glob)" + pattern]) ?? []
    return found.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func line(_ arguments: [String]) -> String? {
    ChildProcess.output(of: ["git"] + arguments)?.split(separator: UInt8(ascii: "\n")).first
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// True if the clone lacks older commits.
  private static var isShallow: Bool { line(["rev-parse", "--is-shallow-repository"]) == "true" }

  private static let fetching =
    "this clone is shallow: the checkout needs the whole history, fetch-depth: 0 in GitHub Actions, "
    + "GIT_DEPTH: 0 in GitLab, or git fetch --unshallow"

  /// Returns the problem that a revision cannot be found.
  private static func refusal(of revision: String) -> UsageProblem {
    if ChildProcess.output(of: ["git", "--version"]) == nil {
      return UsageProblem("git, which knows older versions, cannot be run", code: .git)
    }
    if ChildProcess.output(of: ["git", "rev-parse", "--git-dir"]) == nil {
      return UsageProblem(
        "this is not a git repository, or git rejects it because it belongs to another user",
        help: "in a container: git config --global --add safe.directory FOLDER",
        code: .git)
    }
    let places = places(called: revision)
    if let last = places.last {
      return UsageProblem(
        "`\(revision)` is the name of several versions: \(places.joined(separator: ", "))",
        help: "name one of them, such as \(last)", code: .git)
    }
    return UsageProblem(
      "git knows no revision `\(revision)` here",
      help: isShallow
        ? fetching : "git branch --all lists what there is; a branch of a remote is origin/NAME",
      code: .git)
  }

  private static func noMergeBase(of first: String, and second: String) -> UsageProblem {
    UsageProblem(
      "git knows no commit from which both `\(first)` and `\(second)` come",
      help: isShallow
        ? fetching
        : "their histories have nothing in common; `\(first)..` compares with `\(first)` as it is",
      code: .git)
  }

  // MARK: Files

  /// Returns the version of a file, following links inside the repository; nil if the revision does not have
  /// it.
  ///
  /// - Throws: `UsageProblem` if the version cannot be known: the clone lacks the text, or a link leads out
  ///   of the repository, in a circle, or to nothing.
  package func read(_ path: String) throws(UsageProblem) -> SourceText? {
    let file = try place(of: path)
    guard let object = try object(at: file, called: path) else { return nil }
    return SourceText(
      name: "\(name):\(path)",
      bytes: try ask(["cat-file", "blob", object], about: path))
  }

  /// Returns the path of the nearest file with a name that the revision has, from the working folder upwards;
  /// nil if there is none.
  package func nearest(_ file: String) throws(UsageProblem) -> String? {
    var path = file
    var depth = try place(of: ".").count
    while true {
      if try object(at: place(of: path), called: path) != nil { return path }
      if depth == 0 { return nil }
      depth -= 1
      path = "../" + path
    }
  }

  /// Returns the steps from the top folder of the repository to a file, without following links.
  private func place(of path: String) throws(UsageProblem) -> [String] {
    let whole = FilePath.normalized(FileSystem.absolute(path))
    if let inside = FilePath.relative(whole, below: top) { return Self.steps(inside) }
    // The working folder may have been entered by a link to the repository.
    var outer = FilePath.folder(of: whole)
    while !outer.isEmpty, outer != "/" {
      if let real = FileSystem.real(outer), let inside = FilePath.relative(real, below: top) {
        return Self.steps(inside) + Self.steps(String(whole.dropFirst(outer.count + 1)))
      }
      outer = FilePath.folder(of: outer)
    }
    throw cannotSay(path, "lies outside of the repository")
  }

  private static func steps(_ path: String) -> [String] {
    path.split(separator: "/").map { String($0) }.filter { $0 != "." }
  }

  /// Maximum symbolic links on the way to one file, as in Linux.
  private static let maximumLinks = 40

  /// Returns the object name of a file, following links; nil if the revision does not have it.
  private func object(
    at place: [String], called path: String
  ) throws(UsageProblem) -> String? {
    var rest = place[...]
    var done: [String] = []
    var links = 0
    while let step = rest.popFirst() {
      if step == ".." {
        guard done.popLast() != nil else {
          throw cannotSay(path, "was a link out of the repository in `\(name)`")
        }
        continue
      }
      done.append(step)
      guard let entry = try entry(done, about: path) else {
        if links == 0 { return nil }
        throw cannotSay(path, "was a broken link in `\(name)`")
      }
      switch (entry.mode, rest.isEmpty) {
      case ("120000", _):
        links += 1
        let target = String(
          decoding: try ask(["cat-file", "blob", entry.object], about: path), as: UTF8.self)
        guard links <= Self.maximumLinks else {
          throw cannotSay(path, "was a circular link in `\(name)`")
        }
        guard !target.hasPrefix("/") else {
          throw cannotSay(path, "was a link out of the repository in `\(name)`")
        }
        done.removeLast()
        rest = Self.steps(target)[...] + rest
      case ("160000", _):
        var problem = cannotSay(path, "is in a submodule")
        problem.help = "its history is its own: run rules-check in the folder of the submodule"
        throw problem
      case ("040000", false): continue
      case ("040000", true), (_, false): return nil
      case (_, true): return entry.object
      }
    }
    return nil
  }

  /// Returns the entry of the revision's tree at a place; nil if there is none.
  private func entry(
    _ place: [String], about path: String
  ) throws(UsageProblem) -> (mode: String, object: String)? {
    let list = try ask(
      ["ls-tree", "-z", "--full-tree", commit, "--", place.joined(separator: "/")], about: path)
    // MODE, TYPE and NAME of the object, then the path.
    let words = list.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    guard words.count > 2 else { return nil }
    return (String(decoding: words[0], as: UTF8.self), String(decoding: words[2], as: UTF8.self))
  }

  private func cannotSay(_ path: String, _ reason: String) -> UsageProblem {
    UsageProblem(FileProblem(path: path, reason: reason), code: .git)
  }

  /// Returns git's answer.
  private func ask(
    _ command: [String], about path: String, isLiteral: Bool = true
  ) throws(UsageProblem) -> [UInt8] {
    let git = isLiteral ? ["git", "--literal-pathspecs"] : ["git"]
    if let answer = ChildProcess.output(of: git + command) { return answer }
    throw cannotSay(path, "git cannot say what this was in `\(name)`")
  }

  /// Returns the `*.rules` files below a folder that the revision has and that a newer version, or the
  /// working folder, lacks.
  package func deletedRules(
    below folder: String = ".", in newer: GitHistory? = nil
  ) throws(UsageProblem) -> [String] {
    let versions = [commit] + (newer.map { [$0.commit] } ?? [])
    let list = try ask(
      ["-C", folder, "diff", "--no-renames", "--diff-filter=D", "--name-only", "--relative", "-z"]
        + versions + ["--", "*.rules"], about: "*.rules", isLiteral: false)
    return Self.names(list).map { FilePath.join(folder, with: $0) }
  }

  /// Returns the `*.rules` files anywhere in the repository that the revision has and that a newer version,
  /// or the working folder, lacks.
  package func allDeletedRules(in newer: GitHistory? = nil) throws(UsageProblem) -> [String] {
    let versions = [commit] + (newer.map { [$0.commit] } ?? [])
    let list = try ask(
      ["diff", "--no-renames", "--diff-filter=D", "--name-only", "-z"] + versions
        + ["--", ":(top)*.rules"], about: "*.rules", isLiteral: false)
    return Self.names(list).map { fromHere($0) }
  }

  /// Returns the revision's files with a name anywhere in the repository, as normalized paths.
  package func files(called name: String) throws(UsageProblem) -> [String] {
    try files { $0 == name }
  }

  /// Returns the revision's files anywhere in the repository whose names a function accepts, as normalized
  /// paths.
  package func files(where isWanted: (String) -> Bool) throws(UsageProblem) -> [String] {
    let list = try ask(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], about: ".")
    return Self.names(list).filter { isWanted(FilePath.name(of: $0)) }.map { fromHere($0) }
  }

  /// Returns the present files with a name anywhere in the repository, without ignored ones, as normalized
  /// paths.
  package func presentFiles(called name: String) throws(UsageProblem) -> [String] {
    let list = try ask(
      [
        "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--",
        ":(top,glob)**/\(name)",
      ], about: name, isLiteral: false)
    return Self.names(list).map { FilePath.normalized($0) }.filter {
      FileSystem.kind(of: $0) == .file
    }
  }

  /// Returns the path from the working folder for a path from the top folder of the repository.
  private func fromHere(_ path: String) -> String {
    FilePath.relative(FilePath.join(top, with: path), to: ".")
  }

  /// Returns the names in git's zero-separated list.
  private static func names(_ list: [UInt8]) -> [String] {
    list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the revision's `*.rules` files below a folder.
  package func rules(below folder: String = ".") throws(UsageProblem) -> [String] {
    let place = try place(of: folder)
    let list = try ask(
      ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]
        + (place.isEmpty ? [] : ["--", place.joined(separator: "/")]), about: folder)
    return Self.names(list).filter { $0.hasSuffix(".rules") }.map {
      FilePath.join(folder, with: Self.steps($0).dropFirst(place.count).joined(separator: "/"))
    }
  }

  /// Returns the present `*.rules` files below the working folder that git tracks.
  package func rulesFiles() throws(UsageProblem) -> [String] {
    let list = try ask(
      ["ls-files", "-z", "--", "*.rules"], about: "*.rules", isLiteral: false)
    var files: [String] = []
    for name in Self.names(list) {
      switch FileSystem.kind(of: name) {
      case .file: files.append(name)
      case .folder: continue
      case .missing where name.unicodeScalars.contains("\u{FFFD}"):
        throw UsageProblem(FileProblem(path: name, reason: "has a name that is not UTF-8"))
      // The file was deleted; `deletedRules` returns it.
      case .missing: continue
      }
    }
    return files
  }
}
