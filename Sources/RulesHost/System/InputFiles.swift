import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that the process has read, which a report must not replace under any name. `FileSystem` reads
/// every file and adds it here, so no command can forget one.
enum InputFiles {
  private static let known = Mutex<Set<[UInt64]>>([])

  /// Adds an open file. Others, such as a terminal or a pipe, cannot be replaced by a report.
  static func add(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let file = FileSystem.Stamp(status).file
    known.withLock { _ = $0.insert(file) }
  }

  /// True if a path leads to a file that was read.
  static func contains(_ path: String) -> Bool {
    guard let file = FileSystem.Stamp(path)?.file else { return false }
    return known.withLock { $0.contains(file) }
  }
}
