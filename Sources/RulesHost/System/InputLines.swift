#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The lines of standard input, each as soon as it is complete, so that a pipe can be answered.
package struct InputLines {
  private var bytes: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  private static let chunk = 64 << 10
  /// Maximum bytes of a line. Real lines are shorter; a device may have no lines.
  private static let longestLine = 16 << 20

  /// Creates a reader at the start.
  package init() {}

  /// Returns the next line without its end; nil at the end of the input.
  package mutating func next() throws(FileProblem) -> String? {
    var searched = start
    while true {
      var end = searched
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      if end < bytes.count {
        defer { start = end + 1 }
        let hasReturn = end > start && bytes[end - 1] == UInt8(ascii: "\r")
        return String(decoding: bytes[start..<(hasReturn ? end - 1 : end)], as: UTF8.self)
      }
      if isAtEnd {
        defer { start = bytes.count }
        return start < bytes.count ? String(decoding: bytes[start...], as: UTF8.self) : nil
      }
      bytes.removeFirst(start)
      start = 0
      searched = bytes.count
      guard searched <= Self.longestLine else {
        throw FileProblem(path: "-", reason: "has a line of more than 16 MiB, or no end")
      }
      isAtEnd =
        try FileSystem.read(STDIN_FILENO, of: "-", upTo: Self.chunk, into: &bytes) == 0
    }
  }
}
