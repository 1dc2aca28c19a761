import RulesLang

/// Breaks a long line of source where a person would: before `&&` and `||`, else at a blank.
enum LinePieces {
  /// Pieces of the range that are no longer than fits, in order and without the blanks between.
  static func split(_ range: SourceRange, of source: SourceText) -> [SourceRange] {
    var pieces: [SourceRange] = []
    var start = range.start
    while start < range.end {
      let end = self.end(of: start, within: range, in: source)
      pieces.append(SourceRange(start: start, end: end))
      start = end
      while start < range.end, source.bytes[Int(start)] == UInt8(ascii: " ") { start += 1 }
    }
    return pieces
  }

  private static let longest: UInt32 = 100
  private static let shortest: UInt32 = 30

  private static func end(
    of start: UInt32, within range: SourceRange, in source: SourceText
  ) -> UInt32 {
    guard range.end - start > longest else { return range.end }
    var blank: UInt32?
    var offset = start + longest
    while offset > start + shortest {
      if source.bytes[Int(offset)] == UInt8(ascii: " ") {
        blank = blank ?? offset
        let next = source.string(SourceRange(start: offset + 1, end: offset + 3))
        if next == "&&" || next == "||" { return offset }
      }
      offset -= 1
    }
    // A line without blanks is cut between characters.
    var end = blank ?? start + longest
    while end < range.end, source.bytes[Int(end)] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
