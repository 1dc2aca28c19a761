/// The bytes of one rules file with the table that turns an offset into a line and a column.
///
/// The bytes are valid UTF-8: `init(name:bytes:)` repairs invalid bytes and records the first one.
public struct SourceText: Sendable {
  /// The name printed in positions, usually the path that the user typed.
  public private(set) var name: String
  /// The text as UTF-8; ill-formed sequences were replaced by U+FFFD.
  public let bytes: [UInt8]
  /// The offset of the first ill-formed byte of the input; nil if there was none.
  public let firstInvalidByte: Int?
  /// True if the file began with a byte order mark, which was dropped; the parser of rules reports it as an
  /// error.
  public let hadByteOrderMark: Bool
  private let lineStarts: [UInt32]

  /// True if the text is UTF-16: with a byte order mark, two bytes that are invalid in UTF-8, or with a zero
  /// in each of the first two characters.
  package var isUTF16: Bool {
    let replaced: [UInt8] = [0xEF, 0xBF, 0xBD]
    if firstInvalidByte == 0, bytes.starts(with: replaced + replaced) { return true }
    guard bytes.count > 3 else { return false }
    return bytes[1] == 0 && bytes[3] == 0 || bytes[0] == 0 && bytes[2] == 0
  }

  /// Returns the text under another name.
  public func renamed(_ name: String) -> SourceText {
    var copy = self
    copy.name = name
    return copy
  }

  /// Creates a text from the bytes of a file.
  ///
  /// A byte order mark at the start is dropped (the emulator refuses it; Docs/Language.md §2).
  /// Texts over 4 GiB are cut at that size.
  public init(name: String, bytes raw: [UInt8]) {
    self.name = name
    var text = raw
    hadByteOrderMark = raw.starts(with: [0xEF, 0xBB, 0xBF])
    if hadByteOrderMark { text.removeFirst(3) }
    // Less than the greatest offset; where an address has 32 bits no array is as large.
    let greatest = Int(clamping: UInt32.max - 1)
    if text.count > greatest { text.removeLast(text.count - greatest) }
    firstInvalidByte = UTF8Check.firstInvalidByte(in: text)
    bytes = firstInvalidByte == nil ? text : Array(String(decoding: text, as: UTF8.self).utf8)
    var starts: [UInt32] = [0]
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(UInt32(index + 1))
    }
    lineStarts = starts
  }

  /// Creates a text from a string in memory.
  public init(name: String, _ text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// A position in a text: line and column from 1, the column in code points.
  public struct Position: Hashable, Sendable {
    /// The line, from 1. Only a line feed ends a line (Docs/Language.md §2).
    public var line: Int
    /// The column, from 1, in code points.
    public var column: Int

    /// Creates a position.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The number of lines; an empty text has one.
  public var lineCount: Int { lineStarts.count }

  /// The line and column of a byte offset. O(log lines + length of the line).
  public func position(of offset: UInt32) -> Position {
    let line = lineIndex(of: offset)
    var column = 1
    var index = Int(lineStarts[line])
    let end = min(Int(offset), bytes.count)
    while index < end {
      if bytes[index] & 0xC0 != 0x80 { column += 1 }
      index += 1
    }
    return Position(line: line + 1, column: column)
  }

  /// The line, from 1, that a byte offset lies on.
  public func line(of offset: UInt32) -> Int { lineIndex(of: offset) + 1 }

  /// The bytes of line `number` (from 1) without its end; empty past the last line.
  public func lineRange(_ number: Int) -> SourceRange {
    guard number >= 1, number <= lineStarts.count else { return .none }
    let start = Int(lineStarts[number - 1])
    var end = number < lineStarts.count ? Int(lineStarts[number]) - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return SourceRange(start: start, end: end)
  }

  /// The text inside a range.
  public func string(_ range: SourceRange) -> String {
    let end = min(Int(range.end), bytes.count)
    let start = min(Int(range.start), end)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The number of code points before `offset`, as the emulator counts offsets.
  public func characterOffset(of offset: UInt32) -> Int {
    var count = 0
    for byte in bytes[..<min(Int(offset), bytes.count)] where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }

  private func lineIndex(of offset: UInt32) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
