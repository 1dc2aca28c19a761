import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that the process has read: a report must not replace one of them, under whatever name. Every
/// file is read by `FileSystem`, which adds it here, so that no command can forget one.
enum InputFiles {
  private static let known = Mutex<Set<[UInt64]>>([])

  /// Adds an open file. What is no file, as a terminal or a pipe, is nothing that a report could replace.
  static func add(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let file = FileSystem.Stamp(status).file
    known.withLock { _ = $0.insert(file) }
  }

  /// Whether a path leads to a file that was read.
  static func contains(_ path: String) -> Bool {
    guard let file = FileSystem.Stamp(path)?.file else { return false }
    return known.withLock { $0.contains(file) }
  }
}
