/// A place in a text as editors count: lines and characters from 0.
///
/// What a character is depends on the `PositionEncoding` that was agreed on.
public struct TextPosition: Hashable, Comparable, Sendable {
  /// The line, from 0.
  public var line: Int
  /// The number of units before the place on its line.
  public var character: Int

  /// Makes a position.
  public init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  /// Orders by place in the text.
  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// What editors count as one character of a line.
public enum PositionEncoding: String, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// The units that a code point takes, told by its first byte in UTF-8.
  func width(ofLead byte: UInt8) -> Int {
    switch self {
    case .utf8: byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    case .utf16: byte < 0xF0 ? 1 : 2
    case .utf32: 1
    }
  }
}

/// The lines of a text as editors count them: a line ends at a line feed, at a carriage return, or at
/// both together.
public struct TextLines: Sendable {
  /// The offset of the first byte of each line; never empty.
  private var starts: [Int]
  private let end: Int

  /// Finds the lines of a text. O(bytes).
  public init(_ bytes: [UInt8]) {
    var starts = [0]
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
      if byte == UInt8(ascii: "\r"), index < bytes.count, bytes[index] == UInt8(ascii: "\n") {
        index += 1
      }
      starts.append(index)
    }
    self.starts = starts
    end = bytes.count
  }

  /// The number of lines; an empty text has one.
  public var count: Int { starts.count }

  /// The bytes of a line without what ends it; those of the last line if there are not so many.
  func range(of line: Int, in bytes: [UInt8]) -> Range<Int> {
    let line = min(max(line, 0), starts.count - 1)
    let start = starts[line]
    var stop = line + 1 < starts.count ? starts[line + 1] : end
    while stop > start, [0x0A, 0x0D].contains(bytes[stop - 1]) { stop -= 1 }
    return start..<stop
  }

  /// The line, from 0, on which an offset lies. O(log lines).
  func line(of offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The offset of a position. One behind the end of its line is the end of the line, one inside of a
  /// code point is its beginning, and one behind the last line is the end of the text.
  func offset(of position: TextPosition, in bytes: [UInt8], _ encoding: PositionEncoding) -> Int {
    if position.line >= starts.count { return end }
    let range = range(of: position.line, in: bytes)
    guard position.line >= 0, position.character > 0 else { return range.lowerBound }
    var index = range.lowerBound
    var left = position.character
    while index < range.upperBound {
      left -= encoding.width(ofLead: bytes[index])
      if left < 0 { break }
      index += 1
      while index < range.upperBound, bytes[index] & 0xC0 == 0x80 { index += 1 }
    }
    return index
  }

  /// The position of an offset.
  func position(
    of offset: Int, in bytes: [UInt8], _ encoding: PositionEncoding
  ) -> TextPosition {
    let offset = min(max(offset, 0), end)
    let line = line(of: offset)
    var character = 0
    for index in starts[line]..<max(offset, starts[line]) where bytes[index] & 0xC0 != 0x80 {
      character += encoding.width(ofLead: bytes[index])
    }
    return TextPosition(line: line, character: character)
  }
}
