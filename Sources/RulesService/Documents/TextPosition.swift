/// A position in a text as editors count: lines and characters from 0.
///
/// The unit of characters is that of the agreed `PositionEncoding`.
package struct TextPosition: Hashable, Comparable, Sendable {
  /// The line, from 0.
  package var line: Int
  /// The number of units before the place on its line.
  package var character: Int

  /// Creates a position.
  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  /// Orders by place in the text.
  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// The unit in which editors count characters of a line.
package enum PositionEncoding: String, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// Returns the number of units of a code point, given its first byte in UTF-8.
  func width(ofLead byte: UInt8) -> Int {
    switch self {
    case .utf8: byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    case .utf16: byte < 0xF0 ? 1 : 2
    case .utf32: 1
    }
  }
}

/// The lines of a text as editors count them: a line ends at a line feed, at a carriage return, or at both
/// together.
///
/// Positions take constant time even in long lines, because the number of characters before each 128th byte
/// is precomputed.
package struct TextLines: Sendable {
  /// The offset of the first byte of each line; never empty.
  private var starts: [Int]
  private let end: Int
  /// The number of units before each offset that is a multiple of `stride`.
  private var marks: [Int] = []
  private let encoding: PositionEncoding

  private static var stride: Int { 128 }

  /// Finds the lines of a text. O(bytes).
  init(_ bytes: [UInt8], _ encoding: PositionEncoding) {
    var starts = [0]
    var index = 0
    var units = 0
    while index < bytes.count {
      if index % Self.stride == 0 { marks.append(units) }
      let byte = bytes[index]
      if byte & 0xC0 != 0x80 { units += encoding.width(ofLead: byte) }
      index += 1
      let isReturn = byte == UInt8(ascii: "\r")
      guard isReturn || byte == UInt8(ascii: "\n") else { continue }
      // A line feed behind it ends the line.
      if isReturn, index < bytes.count, bytes[index] == UInt8(ascii: "\n") { continue }
      starts.append(index)
    }
    marks.append(units)
    self.starts = starts
    self.encoding = encoding
    end = bytes.count
  }

  /// The number of lines; an empty text has one.
  package var count: Int { starts.count }

  /// Returns the range of a line without its line end; of the last line if there are fewer.
  func range(of line: Int, in bytes: [UInt8]) -> Range<Int> {
    let line = min(max(line, 0), starts.count - 1)
    let start = starts[line]
    var stop = line + 1 < starts.count ? starts[line + 1] : end
    while stop > start, bytes[stop - 1] == 0x0A || bytes[stop - 1] == 0x0D { stop -= 1 }
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

  /// Returns the number of units before an offset, from the beginning of the text.
  private func units(before offset: Int, in bytes: [UInt8]) -> Int {
    if offset >= end { return unitsInAll(bytes) }
    let mark = offset / Self.stride
    var units = marks[mark]
    for index in (mark * Self.stride)..<offset where bytes[index] & 0xC0 != 0x80 {
      units += encoding.width(ofLead: bytes[index])
    }
    return units
  }

  private func unitsInAll(_ bytes: [UInt8]) -> Int { marks[marks.count - 1] }

  /// Returns the offset of a position. A position behind the end of its line is clamped to it, one inside of
  /// a code point to its beginning, and one behind the last line to the end of the text.
  func offset(of position: TextPosition, in bytes: [UInt8]) -> Int {
    if position.line >= starts.count { return end }
    let range = range(of: position.line, in: bytes)
    guard position.line >= 0, position.character > 0 else { return range.lowerBound }
    let wanted = units(before: range.lowerBound, in: bytes) + min(position.character, 1 << 40)
    // The last mark that is not behind the place.
    var (low, high) = (range.lowerBound / Self.stride, min(range.upperBound, end) / Self.stride + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if middle < marks.count, marks[middle] <= wanted, middle * Self.stride < end {
        low = middle
      } else {
        high = middle
      }
    }
    var index = max(range.lowerBound, low * Self.stride)
    while index < range.upperBound, bytes[index] & 0xC0 == 0x80 { index += 1 }
    var left = wanted - units(before: index, in: bytes)
    while index < range.upperBound {
      left -= encoding.width(ofLead: bytes[index])
      if left < 0 { break }
      index += 1
      while index < range.upperBound, bytes[index] & 0xC0 == 0x80 { index += 1 }
    }
    return index
  }

  /// The position of an offset.
  func position(of offset: Int, in bytes: [UInt8]) -> TextPosition {
    let offset = min(max(offset, 0), end)
    let line = line(of: offset)
    return TextPosition(
      line: line,
      character: units(before: offset, in: bytes) - units(before: starts[line], in: bytes))
  }
}
