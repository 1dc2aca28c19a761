#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Temporary files without a name, for data that is too large for memory.

extension FileSystem {
  /// The folder for temporary files.
  package static var temporaryFolder: String { ProcessEnvironment.value("TMPDIR") ?? "/tmp" }

  /// Opens an empty file for writing and reading that is deleted when it is closed; nil if the folder allows
  /// none.
  static func openNameless(in folder: String) -> Int32? {
    if Confinement.isActive { return nil }
    var template = Array(FilePath.join(folder, with: "rules-check-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    unlink(template)
    return descriptor
  }

  /// Appends up to `limit` bytes of an open file from `offset`, and returns their number, at least 1.
  package static func read(
    _ descriptor: Int32, at offset: Int, upTo limit: Int, into bytes: inout [UInt8]
  ) throws(FileProblem) -> Int {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: limit))
    while true {
      // Safe: the buffer does not leave the call, and its own count limits the read.
      let count = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + start }, limit, off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      bytes.removeLast(limit - max(count, 0))
      guard count > 0 else {
        throw FileProblem(
          path: "the temporary report file", reason: count < 0 ? lastError : "is cut off")
      }
      return count
    }
  }
}
