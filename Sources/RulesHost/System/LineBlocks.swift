#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A reader of a file in blocks of whole lines, for files of any size.
package struct LineBlocks: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private let isStandardInput: Bool
  private var rest: [UInt8] = []
  private var isAtEnd = false

  private static let size = 4 << 20
  private static let chunk = 256 << 10
  /// Maximum bytes of a line. Requests are shorter; a device may have no lines.
  private static let longestLine = 64 << 20

  /// Opens a file, or standard input for `-`.
  package init(_ path: String) throws(FileProblem) {
    self.path = path
    isStandardInput = path == "-"
    descriptor = try isStandardInput ? STDIN_FILENO : FileSystem.openForReading(path)
  }

  deinit {
    if !isStandardInput { close(descriptor) }
  }

  /// Returns the next block, which ends with a line or at the end of the file; nil at the end.
  package mutating func next() throws(FileProblem) -> [UInt8]? {
    var block = rest
    rest = []
    // The bytes before this contain no line end.
    var searched = 0
    while !isAtEnd {
      let count = try FileSystem.read(descriptor, of: path, upTo: Self.chunk, into: &block)
      isAtEnd = count == 0
      if block.count > Self.longestLine {
        throw FileProblem(path: path, reason: "has a line of more than 64 MiB, or no end")
      }
      // A line longer than a block makes the block longer.
      guard block.count >= Self.size else { continue }
      guard let newline = block[searched...].lastIndex(of: UInt8(ascii: "\n")) else {
        searched = block.count
        continue
      }
      rest = Array(block[(newline + 1)...])
      block.removeLast(rest.count)
      return block
    }
    return block.isEmpty ? nil : block
  }
}
