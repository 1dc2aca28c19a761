#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file of lines, read in blocks of whole lines, so that its size does not matter.
package struct LineBlocks: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private let isStandardInput: Bool
  private var rest: [UInt8] = []
  private var isAtEnd = false

  private static let size = 4 << 20
  private static let chunk = 256 << 10
  /// No request is as long as this; a device that has no lines is.
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

  /// The next block, which ends with a line, or at the end of the file; nil when there is no more.
  package mutating func next() throws(FileProblem) -> [UInt8]? {
    var block = rest
    rest = []
    // No line ends before this.
    var searched = 0
    while !isAtEnd {
      let count = try FileSystem.read(descriptor, of: path, upTo: Self.chunk, into: &block)
      isAtEnd = count == 0
      if block.count > Self.longestLine {
        throw FileProblem(path: path, reason: "has a line of more than 64 MiB, or no end")
      }
      // A line that is longer than a block makes the block longer.
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
