/// Splits a stream of bytes into lines, each of which is a message.
///
/// Memory is bounded: a line longer than `longest` is reported and skipped.
struct LineReader {
  /// An item of the stream.
  enum Item: Equatable {
    /// The bytes of a line without its end.
    case line([UInt8])
    /// The problem with a line that was skipped.
    case problem(String)
  }

  /// The bytes that are not consumed yet.
  private var buffer: [UInt8] = []
  /// The number of consumed bytes in the buffer.
  private var start = 0
  /// The number of bytes in the buffer without a line end after `start`.
  private var searched = 0
  /// True while the rest of a long line is skipped.
  private var isSkipping = false

  /// Maximum bytes of a line.
  static let longest = 16 << 20

  /// Adds bytes of the stream.
  mutating func add(_ bytes: [UInt8]) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes
  }

  /// Returns the next item; nil if it is not complete yet. Empty lines are skipped.
  mutating func next() -> Item? {
    while true {
      let from = start + searched
      guard let end = buffer[from...].firstIndex(of: UInt8(ascii: "\n")) else {
        searched = buffer.count - start
        guard searched > Self.longest || isSkipping else { return nil }
        let isNew = !isSkipping
        isSkipping = true
        start = buffer.count
        searched = 0
        return isNew ? Self.tooLong : nil
      }
      let line = buffer[start..<end]
      start = end + 1
      searched = 0
      if isSkipping {
        isSkipping = false
      } else if line.count > Self.longest {
        return Self.tooLong
      } else if line.contains(where: { $0 > UInt8(ascii: " ") }) {
        return .line(Array(line))
      }
    }
  }

  /// The problem with a long line.
  private static let tooLong = Item.problem("a line is longer than \(longest >> 20) MiB")
}
