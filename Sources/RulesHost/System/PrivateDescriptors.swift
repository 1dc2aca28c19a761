import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Descriptors that no child process inherits.
///
/// A system without `pipe2` marks a descriptor in a call of its own. A program that another thread starts in
/// between would inherit it, and a pipe with two writers does not end. One lock covers both.
enum PrivateDescriptors {
  private static let starting = Mutex<Void>(())

  /// Starts a program while no other thread makes a descriptor. Starts exclude each other, too.
  static func whileNoneIsMade<Result: Sendable>(_ start: () -> Result) -> Result {
    starting.withLock { _ in start() }
  }

  /// Returns the ends of a new pipe.
  ///
  /// - Throws: `FileProblem` if the process or the system has no descriptor left.
  static func pipe() throws(FileProblem) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    let isMade = whileNoneIsMade {
      // Safe: the buffer has room for both ends and does not leave the call.
      let status = ends.withUnsafeMutableBufferPointer { $0.baseAddress.map { systemPipe($0) } }
      guard status == 0 else { return false }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return true
    }
    guard isMade else { throw FileProblem(path: "a pipe", reason: FileSystem.lastError) }
    return (ends[0], ends[1])
  }

  /// Returns a new socket; negative, with `errno` set, if there is none.
  static func socket(family: Int32, kind: Int32, protocol number: Int32) -> Int32 {
    whileNoneIsMade {
      let descriptor = systemSocket(family, kind, number)
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      return descriptor
    }
  }

  private static func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 {
    #if canImport(Glibc)
      Glibc.pipe(ends)
    #elseif canImport(Musl)
      Musl.pipe(ends)
    #else
      Darwin.pipe(ends)
    #endif
  }

  private static func systemSocket(_ family: Int32, _ kind: Int32, _ number: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.socket(family, kind, number)
    #elseif canImport(Musl)
      Musl.socket(family, kind, number)
    #else
      Darwin.socket(family, kind, number)
    #endif
  }
}
