import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bounds of a process that runs commands for somebody else: it reads files in one folder, and has no
/// other effect.
///
/// After `begin`, files outside the folder count as missing and cannot be read, and the process writes no
/// file, starts no program and opens no connection. `FileSystem`, `ChildProcess` and `Connection` ask here,
/// so no command can forget it. Paths are judged by what they lead to, so a symbolic link cannot lead out. A
/// hard link is a file of the folder, and nothing protects against a link that another program exchanges
/// between the check and the access.
package enum Confinement {
  private struct State {
    /// The folder: an absolute path without links.
    var folder: String
    /// The normalized paths that were refused since `forgetRefused`.
    var refused: Set<String> = []
  }

  private static let state = Mutex<State?>(nil)

  /// Maximum refused paths that are remembered, which bounds memory; messages name only those of one call.
  private static let maximumRefused = 1000

  /// Makes a folder the working folder, and confines the process to it until it ends.
  ///
  /// - Throws: `FileProblem` if the folder cannot be entered, or is the root of the file system.
  package static func begin(in folder: String) throws(FileProblem) {
    // The number is read from files outside.
    _ = Processors.available
    guard chdir(folder) == 0, let real = FileSystem.real(".") else {
      throw FileProblem(path: folder, reason: FileSystem.lastError)
    }
    if FileSystem.isRoot(real) {
      throw FileProblem(path: folder, reason: "is the root of the file system, not a project")
    }
    state.withLock { $0 = State(folder: real) }
  }

  /// True if the process is confined.
  package static var isActive: Bool { state.withLock { $0 != nil } }

  /// True if a path may be examined and read. A refused one is remembered.
  static func allows(_ path: String) -> Bool {
    guard let folder = state.withLock({ $0?.folder }) else { return true }
    if isInside(path, folder) { return true }
    state.withLock { state in
      if state?.refused.count ?? 0 < maximumRefused {
        state?.refused.insert(FilePath.normalized(path))
      }
    }
    return false
  }

  /// Throws if a path may not be read. `-` is standard input, which belongs to the protocol.
  static func allow(reading path: String) throws(FileProblem) {
    if path == "-", isActive {
      throw FileProblem(path: path, reason: "standard input is not available here")
    }
    if path != "-", !allows(path) { throw FileProblem(path: path, reason: reason) }
  }

  /// Throws if the process is confined: it writes nothing, not even in its folder.
  static func allow(writing path: String) throws(FileProblem) {
    if isActive { throw FileProblem(path: path, reason: "no file is written here") }
  }

  /// The reason why a path cannot be read.
  package static let reason = "is outside the folder that may be read"

  /// True if a path was refused since `forgetRefused`.
  package static func hasRefused(_ path: String) -> Bool {
    state.withLock { $0?.refused.contains(FilePath.normalized(path)) ?? false }
  }

  /// Forgets the refused paths.
  package static func forgetRefused() { state.withLock { $0?.refused = [] } }

  /// True if a path leads to something in a folder, or is missing there. The nearest existing folder above a
  /// missing path decides, so the answer does not tell what exists outside.
  ///
  /// - Parameter folder: An absolute path without links.
  static func isInside(_ path: String, _ folder: String) -> Bool {
    // The system would end the path at the zero byte.
    if path.utf8.contains(0) { return false }
    var outer = FilePath.join(folder, with: path)
    while !outer.isEmpty {
      if let real = realpath(outer, nil) {
        defer { free(real) }
        return FilePath.relative(String(cString: real), below: folder) != nil
      }
      outer = outer == "/" ? "" : FilePath.folder(of: outer)
    }
    return false
  }
}

/// A request to the command that is running in this process: to end soon, since nobody waits for its result.
package enum Interruption {
  private static let flag = Atomic(false)

  /// Requests it.
  package static func request() { flag.store(true, ordering: .relaxed) }

  /// Withdraws it, before another command.
  package static func withdraw() { flag.store(false, ordering: .relaxed) }

  /// True if it was requested. The limits of proofs ask for it; their questions then stay undecided.
  package static var isRequested: Bool { flag.load(ordering: .relaxed) }
}
